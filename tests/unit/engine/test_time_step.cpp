#include <gtest/gtest.h>

#include "setups.hpp"

namespace tamp {
namespace {

using namespace setups;

/// What the engine says it would do is what it does: fixed, or by speed and acceleration.
TEST(TimeStep, IsAsAnnounced) {
    RigidSetup setup = open_space(1.0, 0.3, 2e-4);
    const std::vector<Grain> grains{grain(0, {0, 0, 0}, 0.01, {3, 0, 0})};
    {
        RigidRun fixed(world(), setup, grains);
        EXPECT_EQ(fixed.engine.largest_time_step(), 2e-4);
        EXPECT_EQ(fixed.step(for_ever).time_step, 2e-4);
    }
    setup.time.step = 0;
    setup.time.max_step = 1;
    setup.gravity = {0, 0, -9.81};
    RigidRun adaptive(world(), setup, grains);
    const double announced = adaptive.engine.largest_time_step();
    // v dt + g dt^2 = 5 % of a diameter
    EXPECT_NEAR(3 * announced + 9.81 * announced * announced, 0.05 * 0.02, 1e-12);
    EXPECT_EQ(adaptive.step(for_ever).time_step, announced);
    setup.walls = {wall({0, 0, -0.4}, {0, 0, 1})};
    setup.walls[0].motion = WallMotion::driven;
    setup.walls[0].velocity = {0, 0, 6};
    EXPECT_LT(RigidRun(world(), setup, grains).engine.largest_time_step(), 0.6 * announced);
}

} // namespace
} // namespace tamp
