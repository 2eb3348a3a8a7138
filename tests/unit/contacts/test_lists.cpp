#include <gtest/gtest.h>

#include "../../parallel/cloud.hpp"

namespace tamp {
namespace {

TEST(WallList, AreAllParticlesWithinTheSkinByTileThenByWall) {
    const Communicator self(MPI_COMM_SELF);
    for (std::uint64_t number = 0; number < 40; ++number) {
        SCOPED_TRACE(number);
        Random random(41, number, Purpose::test);
        const Box box = test::random_box(random, 2.6, 8);
        const TileGrid grid(box, random.uniform(0.5, 3), 1.3);
        const auto grains = test::random_grains(random, box, random.below(200), 0.1, 0.5);
        const std::vector<Wall> walls{
            {.name = "slanted", .point = 0.5 * (box.lower + box.upper), .normal = {0.6, -0.8, 0}},
            {.name = "left", .point = box.lower, .normal = {1, 0, 0}}};
        test::Cloud cloud(self, grid, test::random_partition(random, grid, 1), grains);
        const double skin = 0.3;
        cloud.search(1, skin, walls);

        std::size_t expected = 0;
        for (const Grain& grain : grains)
            for (const Wall& wall : walls)
                expected += wall.gap(grain.position, grain.radius) < skin ? 1 : 0;
        const WallList& found = cloud.lists.walls;
        ASSERT_EQ(found.size(), expected);
        for (int slot = 0; slot < cloud.tiles->owned(); ++slot) {
            const auto s = static_cast<std::size_t>(slot);
            for (auto c = static_cast<std::size_t>(found.tile_begin[s]);
                 c < static_cast<std::size_t>(found.tile_begin[s + 1]); ++c) {
                EXPECT_GE(found.body[c], cloud.tiles->begin(slot));
                EXPECT_LT(found.body[c], cloud.tiles->end(slot));
                const Sphere& sphere = cloud.store.sphere[static_cast<std::size_t>(found.body[c])];
                EXPECT_LT(walls[static_cast<std::size_t>(found.wall[c])].gap(sphere.centre, sphere.radius),
                          skin);
                const bool first = c == static_cast<std::size_t>(found.tile_begin[s]);
                EXPECT_TRUE(first || std::pair(found.wall[c - 1], found.body[c - 1]) <
                                         std::pair(found.wall[c], found.body[c]))
                    << "each once, in order";
            }
        }
    }
}

/// A pair is listed when its gap is below the skin, whatever the sizes, also through periodic faces.
TEST(PairList, EndAtTheSkin) {
    const Communicator self(MPI_COMM_SELF);
    const Box box{.upper = {6, 6, 6}, .boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall}};
    const TileGrid grid(box, 2, 1.5);
    const std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 1);
    for (const double gap : {-0.2, 0.0, 0.2999, 0.3001}) {
        const std::vector<Grain> grains{{.id = 9, .position = {0.1, 3, 3}, .radius = 0.5},
                                        {.id = 4, .position = {6.1 - 0.7 - gap, 3, 3}, .radius = 0.2}};
        test::Cloud cloud(self, grid, Partition(costs, 1), grains);
        cloud.search(1, 0.3);
        ASSERT_EQ(cloud.lists.pairs.size(), gap < 0.3 ? 1u : 0u) << gap;
        if (gap < 0.3) {
            EXPECT_EQ(cloud.store.id[static_cast<std::size_t>(cloud.lists.pairs.first[0])], 4u);
        }
    }
}

} // namespace
} // namespace tamp
