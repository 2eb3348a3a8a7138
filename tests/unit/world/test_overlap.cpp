#include <gtest/gtest.h>

#include "rigid_run.hpp"
#include "tamp/world/overlap.hpp"

namespace tamp {
namespace {

RigidSetup box_with_floor() {
    RigidSetup setup;
    setup.box = {.upper = {10, 10, 10}, .boundary = {Boundary::periodic, Boundary::open, Boundary::wall}};
    setup.materials = MaterialTable({{"glass", 2.0, 0.5}, {.name = "fixed", .density = 2.0, .fixed = true}});
    setup.walls = {{.name = "floor", .normal = {0, 0, 1}}};
    setup.time.step = 1e-9; // nothing moves
    return setup;
}

DeepestOverlap deepest(const std::vector<Grain>& grains, std::string& text) {
    const Communicator self(MPI_COMM_SELF);
    RigidRun run(self, box_with_floor(), grains);
    run.step(1e9);
    text = partners_text(deepest_overlap(run), run);
    return deepest_overlap(run);
}

TEST(DeepestOverlap, IsRelativeToTheSmallerDiameter) {
    std::string text;
    // 0.1 of two that are 2 wide; 0.06 of one that is 1 wide and one that is 2 wide, through the periodic
    // face
    const DeepestOverlap pair = deepest({{.id = 3, .position = {3, 3, 3}, .radius = 1},
                                         {.id = 4, .position = {4.9, 3, 3}, .radius = 1},
                                         {.id = 5, .position = {0.5, 8, 3}, .radius = 1},
                                         {.id = 9, .position = {9.06, 8, 3}, .radius = 0.5}},
                                        text);
    EXPECT_NEAR(pair.share, 0.06, 1e-9);
    EXPECT_NEAR(pair.depth, 0.06, 1e-9);
    EXPECT_EQ(text, "particles 5 and 9");
}

TEST(DeepestOverlap, SeesWallsAndLeavesOutFixedParticles) {
    std::string text;
    const DeepestOverlap wall = deepest({{.id = 3, .position = {3, 3, 3}, .radius = 1},
                                         {.id = 4, .position = {4.9, 3, 3}, .radius = 1},
                                         {.id = 7, .position = {7, 7, 0.7}, .radius = 1},
                                         {.id = 8, .position = {2, 7, 0.1}, .radius = 1, .material = 1}},
                                        text);
    EXPECT_NEAR(wall.share, 0.15, 1e-9);
    EXPECT_NEAR(wall.depth, 0.3, 1e-9);
    EXPECT_EQ(text, "particle 7 and the wall 'floor'");
    EXPECT_EQ(deepest({{.id = 3, .position = {3, 3, 3}, .radius = 1}}, text).share, 0);
    EXPECT_EQ(text, "no particles");
}

} // namespace
} // namespace tamp
