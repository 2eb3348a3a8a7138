#include "tamp/world/world.hpp"

#include <gtest/gtest.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// One sphere in a box without an engine: a world can be made and moved by itself.
WorldSetup setup() {
    WorldSetup result;
    result.materials = MaterialTable({{"glass", 2500, 0.3}});
    result.walls = {{.name = "lid", .point = {0, 0, 0.9}, .normal = {0, 0, -1}, .velocity = {0, 0, -0.5}}};
    return result;
}
const std::vector<Grain> one_grain{
    {.id = 7, .position = {0.5, 0.5, 0.5}, .radius = 0.1, .velocity = {0.3, 0, -0.4}}};

TEST(World, MovesParticlesAndWallsByTheirVelocities) {
    World world(self(), setup(), {}, one_grain);
    world.search_neighbours({.margin = 0.01});
    EXPECT_DOUBLE_EQ(world.largest_speed(), 0.5);
    world.move(0.01);
    EXPECT_DOUBLE_EQ(world.particles.sphere[0].centre.x, 0.503);
    EXPECT_DOUBLE_EQ(world.particles.sphere[0].centre.z, 0.496);
    EXPECT_DOUBLE_EQ(world.walls[0].point.z, 0.895);
    EXPECT_NEAR(world.motion.local_displacement, 0.005, 1e-15);
    EXPECT_DOUBLE_EQ(world.motion.wall_displacement, 0.005);
    world.move(0.01);
    EXPECT_DOUBLE_EQ(world.gather_motion(), 0.5);
    EXPECT_NEAR(world.motion.displacement, 0.01, 1e-15);
}

TEST(World, NeighboursAreStaleWhenTheSkinIsUsedUp) {
    WorldSetup with_skin = setup();
    with_skin.neighbours.skin = 0.05;
    World world(self(), with_skin, {}, one_grain);
    EXPECT_TRUE(world.neighbours_are_stale(0.0)) << "never searched";
    world.search_neighbours({.margin = 0.01});
    EXPECT_DOUBLE_EQ(world.neighbours.skin(), 0.05);
    world.motion.displacement = 0.0199;
    EXPECT_FALSE(world.neighbours_are_stale(0.01));
    world.motion.displacement = 0.0201;
    EXPECT_TRUE(world.neighbours_are_stale(0.01));
}

TEST(World, ClockReachesTheEndTimeExactly) {
    World world(self(), setup(), {}, one_grain);
    for (int step = 0; step < 10; ++step)
        world.advance_clock(0.1, 1.0);
    EXPECT_EQ(world.clock.time, 1.0) << "ten tenths do not add up to one";
    EXPECT_EQ(world.clock.last_step, 0.1);
    EXPECT_EQ(world.totals.steps, 10);
}

/// An engine that reaches further than the search can follow is refused, with its own remedy.
TEST(World, RefusesContactsThatReachTooFar) {
    try {
        const World world(self(), setup(),
                          {.reach = 1, .what_reaches = "magic", .shorter_reach = "a shorter range"},
                          one_grain);
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("magic reaches over gaps of 1 m"), std::string::npos)
            << error.what();
    }
}

TEST(World, TellsWhoLeaves) {
    WorldSetup open = setup();
    open.walls.clear();
    World world(self(), open, {}, one_grain);
    world.search_neighbours({.margin = 0.01});
    world.particles.sphere[0].centre.x = 1.5;
    std::vector<std::uint64_t> left;
    world.search_neighbours(
        {.margin = 0.01, .leaving = [&](std::size_t i) { left.push_back(world.particles.id[i]); }});
    EXPECT_EQ(left, std::vector<std::uint64_t>{7});
    EXPECT_EQ(world.totals.lost, 1);
    EXPECT_EQ(world.particles.owned, 0u);
}

} // namespace
} // namespace tamp
