#include <gtest/gtest.h>

#include "setups.hpp"
#include "tamp/io/world_state.hpp"

namespace {

using namespace tamp;
using namespace tamp::setups;

/// A pyramid of spheres that falls apart on a floor, observed now and then.
std::string hash_after(int steps, int make_room_every) {
    RigidSetup setup = open_space(1.0, 0.3, 1e-3);
    setup.gravity = {0, 0, -9.81};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    std::vector<Grain> grains;
    for (int i = 0; i < 30; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i),
                               {0.02 * (i % 3) + 0.001 * i, 0.021 * (i / 3 % 3), 0.011 + 0.021 * (i / 9)},
                               0.01));
    RigidRun engine(world(), setup, grains);
    for (int step = 1; step <= steps; ++step) {
        engine.step(1e9);
        if (make_room_every > 0 && step % make_room_every == 0)
            engine.engine.make_room();
    }
    EXPECT_GT(engine.engine.contacts().batch_count(), 0);
    return state_hash(engine.world).text();
}

TEST(RigidRun, MakingRoomChangesNoBit) {
    const std::string undisturbed = hash_after(60, 0);
    EXPECT_EQ(hash_after(60, 1), undisturbed);
    EXPECT_EQ(hash_after(60, 7), undisturbed);
    EXPECT_NE(hash_after(59, 0), undisturbed);
}

} // namespace
