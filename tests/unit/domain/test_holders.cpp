#include <gtest/gtest.h>

#include "../../parallel/cloud.hpp"

namespace tamp {
namespace {

/// Whether only `rank` holds particles of a tile, looked up cell by cell.
bool only(int rank, const TileGrid& grid, const Holders& holders, int tile) {
    bool result = true;
    for (int cell = 0; cell < grid.cell_count(); ++cell)
        holders.each(grid.tile(tile), cell, [&](int holder) { result = result && holder == rank; });
    return result;
}

TEST(PrivateTiles, AreThoseOfWhichOthersHoldNothing) {
    int private_ones = 0, shared_ones = 0, inner_ones = 0;
    for (std::uint64_t number = 0; number < 100; ++number) {
        SCOPED_TRACE(number);
        Random random(17, number, Purpose::test);
        const Box box = test::random_box(random, 2.5, 9);
        TileGrid grid(box, random.uniform(0.5, 3), 1.1);
        grid.set_cells(random.uniform(0.3, 1.1));
        const int ranks = 1 + static_cast<int>(random.below(5));
        const Partition partition = test::random_partition(random, grid, ranks);
        const Holders holders(grid, partition);
        for (int rank = 0; rank < ranks; ++rank) {
            const PrivateTiles tiles(grid, partition, rank);
            for (int tile = 0; tile < grid.count(); ++tile) {
                ASSERT_EQ(tiles.contains(tile), only(rank, grid, holders, tile)) << tile << " of " << rank;
                ++(tiles.contains(tile) ? private_ones : shared_ones);
                if (!tiles.contain_pairs_of(tile))
                    continue;
                ++inner_ones;
                for (int corner = 0; corner < grid.phases(); ++corner) {
                    Int3 reached;
                    Vec3 shift;
                    if (grid.neighbour(grid.tile(tile), {corner & 1, corner >> 1 & 1, corner >> 2 & 1},
                                       reached, shift)) {
                        EXPECT_TRUE(only(rank, grid, holders, grid.number(reached)));
                    }
                }
            }
        }
    }
    EXPECT_GT(private_ones, 100);
    EXPECT_GT(shared_ones, 100);
    EXPECT_GT(inner_ones, 50);
    EXPECT_LT(inner_ones, private_ones);
}

} // namespace
} // namespace tamp
