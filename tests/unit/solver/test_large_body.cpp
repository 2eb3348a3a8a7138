// A body with more contacts than there are batches open at once.

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "../../parallel/cloud.hpp"
#include "tamp/solver/contact_set.hpp"

namespace tamp {
namespace {

TEST(ContactSet, ManyContactsOfOneBody) {
    const Communicator self(MPI_COMM_SELF);
    const Box box{.lower = {-5, -5, -5}, .upper = {5, 5, 5}};
    const TileGrid grid(box, 10, 4.2);
    std::vector<Grain> grains{{.id = 0, .position = {0, 0, 0}, .radius = 2}};
    constexpr std::uint64_t around = 300;
    for (std::uint64_t i = 1; i <= around; ++i) { // a spiral on the large sphere
        const double z = -1 + (2.0 * static_cast<double>(i) - 1) / around;
        const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * static_cast<double>(i),
                     r = std::sqrt(1 - z * z);
        grains.push_back(
            {.id = i, .position = 2.1 * Vec3{r * std::cos(angle), r * std::sin(angle), z}, .radius = 0.1});
    }
    const std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 1);
    test::Cloud cloud(self, grid, Partition(costs, 1), grains);
    cloud.search(4, 0.01);
    ContactSet set;
    set.update(box, cloud.store, MaterialTable({{"glass", 2500, 0.3}}), {}, {}, cloud.lists, {1e-3, 0.01});
    std::set<std::int32_t> partners;
    std::int64_t contacts = 0;
    for (int slot = 0; slot < set.tiles(); ++slot)
        for (std::size_t b = 0; b < set.batches(slot).size(); ++b) {
            std::set<std::int32_t> bodies;
            for (std::size_t lane = 0; lane < lanes && set.sources(slot)[b][lane] >= 0; ++lane) {
                const ContactBatch& batch = set.batches(slot)[b];
                EXPECT_TRUE(bodies.insert(batch.first[lane]).second);
                EXPECT_TRUE(bodies.insert(batch.second[lane]).second);
                if (cloud.store.id[static_cast<std::size_t>(batch.first[lane])] == 0)
                    partners.insert(batch.second[lane]);
                ++contacts;
            }
        }
    EXPECT_EQ(partners.size(), around);
    EXPECT_EQ(contacts, set.pair_count());
}

} // namespace
} // namespace tamp
