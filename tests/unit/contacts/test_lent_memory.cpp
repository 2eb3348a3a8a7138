// What a search remembers lies where the batches were: it is the largest moment of a run.

#include <gtest/gtest.h>

#include <algorithm>

#include "../../parallel/cloud.hpp"
#include "tamp/contacts/contact_set.hpp"
#include "tamp/contacts/memory.hpp"

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
    for (std::size_t c = 0; c < cloud.pairs.size(); ++c)
        cloud.pairs.impulse[c] = {1.0 + static_cast<double>(c), 2, 3};
    return cloud;
}

void update(ContactSet& contacts, test::Cloud& cloud) {
    contacts.update(cloud.grid.box(), cloud.store, materials, {}, cloud.pairs, cloud.wall_candidates,
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
        const std::vector<Vec3> before = cloud.pairs.impulse;

        const std::span<std::byte> lent = contacts.lend();
        std::pmr::monotonic_buffer_resource room(lent.data(), lent.size(), std::pmr::null_memory_resource());
        std::pmr::vector<MemoryRecord> memory(&room);
        memory.reserve(static_cast<std::size_t>(contacts.pair_count()) * 9 / 8);
        memory = carry_memory<MemoryRecord>(self(), cloud.grid, cloud.partition, cloud.store, cloud.pairs,
                                            cloud.wall_candidates, std::move(memory));
        EXPECT_EQ(memory.size(), static_cast<std::size_t>(contacts.pair_count()));
        std::ranges::fill(cloud.pairs.impulse, Vec3{0, 0, 0});
        std::pmr::memory_resource* const usual =
            std::pmr::set_default_resource(std::pmr::null_memory_resource());
        EXPECT_NO_THROW(recall_memory(memory, cloud.store, cloud.pairs, cloud.wall_candidates));
        std::pmr::set_default_resource(usual);
        EXPECT_EQ(cloud.pairs.impulse, before);
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

/// Impulses keep their memory from search to search, but not that of a time with many more candidates.
TEST(FindPairs, UsesTheMemoryOfImpulsesAgain) {
    test::Cloud cloud = dense_cloud(0);
    const auto search = [&](std::vector<Vec3> impulse) {
        return find_pairs(cloud.grid, *cloud.tiles, cloud.store, skin, std::move(impulse));
    };
    PairCandidates pairs = search({});
    const std::size_t count = pairs.size();
    std::ranges::fill(pairs.impulse, Vec3{1, 2, 3});
    const Vec3* place = pairs.impulse.data();
    pairs = search(std::move(pairs.impulse));
    EXPECT_EQ(pairs.impulse.data(), place);
    EXPECT_EQ(pairs.impulse, std::vector<Vec3>(count, Vec3{0, 0, 0}));

    pairs = search(std::vector<Vec3>(2 * count));
    EXPECT_EQ(pairs.impulse.size(), count);
    EXPECT_LE(pairs.impulse.capacity(), count + count / 4);
}

} // namespace
} // namespace tamp
