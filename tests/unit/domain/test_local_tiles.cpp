#include <gtest/gtest.h>

#include "../../parallel/cloud.hpp"

namespace tamp {
namespace {

TEST(LocalTiles, SortsByTileCellAndId) {
    const Communicator self(MPI_COMM_SELF);
    for (std::uint64_t number = 0; number < 50; ++number) {
        SCOPED_TRACE(number);
        Random random(11, number, Purpose::test);
        const Box box = test::random_box(random, 2.5, 8);
        const TileGrid grid(box, random.uniform(0.5, 3), 1.1);
        test::Cloud cloud(self, grid, test::random_partition(random, grid, 1),
                          test::random_grains(random, box, random.below(300), 0.1, 0.5));
        cloud.search(1, 0.1);
        const LocalTiles& tiles = *cloud.tiles;
        EXPECT_EQ(tiles.owned(), grid.count()) << "empty tiles are owned too";
        EXPECT_EQ(tiles.count(), grid.count());
        std::int32_t next = 0;
        for (int slot = 0; slot < tiles.count(); ++slot) {
            EXPECT_EQ(tiles.slot(tiles.tile(slot)), slot);
            EXPECT_EQ(tiles.begin(slot), next);
            for (int cell = 0; cell < cloud.grid.cell_count(); ++cell) {
                ASSERT_EQ(tiles.begin(slot, cell), next);
                next = tiles.end(slot, cell);
                for (auto i = static_cast<std::size_t>(tiles.begin(slot, cell));
                     i < static_cast<std::size_t>(next); ++i) {
                    const Vec3& centre = cloud.store.sphere[i].centre;
                    const Int3 tile = grid.tile_of(centre);
                    EXPECT_EQ(grid.number(tile), tiles.tile(slot));
                    EXPECT_EQ(cloud.grid.cell_of(centre, tile), cell);
                    EXPECT_TRUE(i == static_cast<std::size_t>(tiles.begin(slot, cell)) ||
                                cloud.store.id[i - 1] < cloud.store.id[i]);
                }
            }
            EXPECT_EQ(tiles.end(slot), next);
        }
        EXPECT_EQ(static_cast<std::size_t>(next), cloud.store.size());
    }
}

} // namespace
} // namespace tamp
