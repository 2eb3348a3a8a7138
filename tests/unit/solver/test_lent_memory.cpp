// What a search remembers lies where the batches were: it is the largest moment of a run.

#include <gtest/gtest.h>

#include <algorithm>

#include "../../parallel/cloud.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/solver/contact_set.hpp"

namespace tamp {
namespace {

const MaterialTable materials({{"glass", 2500, 0.3}});
constexpr double largest = 1, skin = 0.3, margin = 0.3;

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

test::Cloud dense_cloud(std::uint64_t number) {
    Random random(32, number, Purpose::test);
    const Box box{.lower = {0, 0, 0}, .upper = {8, 8, 8}};
    const TileGrid grid(box, 4, largest + skin);
    test::Cloud cloud(self(), grid, test::random_partition(random, grid, 1),
                      test::random_grains(random, box, 800, 0.4 * largest, 0.5 * largest));
    cloud.search(largest, skin);
    for (std::size_t c = 0; c < cloud.lists.pairs.size(); ++c)
        cloud.impulses()[c] = {1.0 + static_cast<double>(c), 2, 3};
    return cloud;
}

void update(ContactSet& contacts, test::Cloud& cloud) {
    contacts.update(cloud.grid.box(), cloud.store, materials, {}, {}, cloud.lists,
                    {.time_step = 1e-3, .margin = margin});
}

std::vector<Vec3> impulses(ContactSet& contacts, const test::Cloud& cloud) {
    std::vector<Vec3> all;
    for (int slot = 0; slot < cloud.tiles->owned(); ++slot)
        for (const ContactBatch& batch : contacts.batches(slot))
            for (int lane = 0; lane < lanes; ++lane)
                all.push_back({batch.impulse[0][lane], batch.impulse[1][lane], batch.impulse[2][lane]});
    return all;
}

/// Every candidate is a contact with an impulse; whoever asks for more than what was lent fails.
TEST(LentMemory, IsEnoughForAllRecordsAndTheirTable) {
    for (std::uint64_t number = 0; number < 10; ++number) {
        SCOPED_TRACE(number);
        test::Cloud cloud = dense_cloud(number);
        ContactSet contacts;
        update(contacts, cloud);
        ASSERT_GT(contacts.pair_count(), 1000);
        const std::vector<Vec3> before(cloud.impulses().begin(), cloud.impulses().end());

        const std::span<std::byte> lent = contacts.lend();
        std::pmr::monotonic_buffer_resource room(lent.data(), lent.size(), std::pmr::null_memory_resource());
        constexpr std::size_t width = history_key_words + 3;
        HistoryRows rows(&room);
        rows.reserve(static_cast<std::size_t>(contacts.pair_count()) * 9 / 8 * width);
        rows = carry_history(self(), cloud.grid, cloud.partition, cloud.store, cloud.lists, std::move(rows));
        EXPECT_EQ(rows.size(), static_cast<std::size_t>(contacts.pair_count()) * width);
        std::ranges::fill(cloud.impulses(), Vec3{0, 0, 0});
        std::pmr::memory_resource* const usual =
            std::pmr::set_default_resource(std::pmr::null_memory_resource());
        EXPECT_NO_THROW(recall_history(rows, cloud.store, cloud.lists));
        std::pmr::set_default_resource(usual);
        EXPECT_TRUE(std::ranges::equal(cloud.impulses(), before));
    }
}

TEST(LentMemory, MayBeOverwritten) {
    test::Cloud cloud = dense_cloud(0);
    ContactSet contacts;
    update(contacts, cloud);
    const std::vector<Vec3> expected = impulses(contacts, cloud);
    const std::int64_t batches = contacts.batch_count();

    std::ranges::fill(contacts.lend(), std::byte{0xff});
    EXPECT_EQ(contacts.batch_count(), batches);
    update(contacts, cloud);
    EXPECT_EQ(impulses(contacts, cloud), expected);
}

} // namespace
} // namespace tamp
