#include <gtest/gtest.h>

#include <algorithm>

#include "chain.hpp"
#include "tamp/base/random.hpp"

namespace tamp::test {
namespace {

SweepLoad counted(const CountedPacking& packing, const Partition& partition) {
    SweepLoad load;
    for (int rank = 0; rank < partition.ranks(); ++rank)
        load.push_back(count_sweep(packing, partition, rank));
    return load;
}

std::int64_t batches(const SweepLoad& load) {
    std::int64_t sum = 0;
    for (const RankLoad& rank : load)
        for (const PhaseLoad& phase : rank)
            sum += phase.batches();
    return sum;
}

TEST(SweepCount, OfAChainByHand) {
    const CountedPacking packing = chain();
    ASSERT_EQ(packing.grid.size(), (Int3{4, 1, 1}));
    ASSERT_EQ(packing.grid.cell_count(), 1);
    const std::vector<std::int64_t> costs{1, 1, 1, 1};
    EXPECT_EQ(counted(packing, Partition(costs, 2)), chain_on_two_ranks());
    EXPECT_EQ(chain_on_two_ranks()[1][0].bytes(), 2 * 48);

    const RankLoad alone = count_sweep(packing, Partition(costs, 1), 0);
    for (std::size_t phase = 0; phase < alone.size(); ++phase)
        EXPECT_EQ(alone[phase], (PhaseLoad{0, phase == 0 ? 4 : phase == 1 ? 3 : 0, {}}));
}

/// The same contacts, on however many ranks: batches never reach over tiles.
TEST(SweepCount, SharesOutTheSameBatches) {
    Random random(3, 0, Purpose::test);
    std::vector<Grain> grains;
    for (std::uint64_t i = 0; i < 3000; ++i)
        grains.push_back({.id = i,
                          .position = {random.uniform(0, 12), random.uniform(0, 12), random.uniform(0, 12)},
                          .radius = random.uniform(0.3, 0.5)});
    const Box box{.upper = {12, 12, 12},
                  .boundary = {Boundary::periodic, Boundary::wall, Boundary::periodic}};
    TileGrid grid(box, 1.5, 1.1);
    grid.set_cells(1.1);
    const CountedPacking packing{grid, MaterialTable({{"glass", 2500, 0.3}}), {{.name = "floor"}}, 0.1,
                                 0.01, particles_by_tile(grid, grains)};
    std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 1);
    const std::int64_t all = batches(counted(packing, Partition(costs, 1)));
    EXPECT_GT(all, 500);
    std::int64_t bytes_before = 0;
    for (const int ranks : {2, 5, 64, grid.count(), 2 * grid.count()}) {
        const SweepLoad load = counted(packing, Partition(costs, ranks));
        EXPECT_EQ(batches(load), all) << ranks;
        std::int64_t bytes = 0;
        for (std::size_t rank = 0; rank < load.size(); ++rank)
            for (const PhaseLoad& phase : load[rank]) {
                bytes += phase.bytes();
                EXPECT_TRUE(std::ranges::none_of(phase.sends, [&](const PhaseLoad::Message& message) {
                    return message.to == static_cast<int>(rank) || message.bodies <= 0;
                }));
                EXPECT_TRUE(phase.boundary_batches > 0 || phase.sends.empty() || phase.interior_batches == 0);
            }
        EXPECT_GT(bytes, bytes_before * (ranks <= grid.count() ? 1 : 0)) << ranks;
        bytes_before = bytes;
    }
}

} // namespace
} // namespace tamp::test
