#include "tamp/io/world_state.hpp"

#include <gtest/gtest.h>

#include "../engine/setups.hpp"

// What files say of a state, against the state itself.
namespace {

using namespace tamp;
using namespace tamp::setups;

/// Particles that nothing touches move alike whatever the piston above them does.
TEST(WorldState, HashTellsPistonsApart) {
    const auto hash_with = [](double force, double mass) {
        RigidSetup setup = open_space(1.0, 0.3, 1e-3);
        setup.walls = {piston({0, 0, 0.4}, {0, 0, -1}, mass, force)};
        RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0}, 0.01)});
        for (int step = 0; step < 3; ++step)
            run.step(for_ever);
        return state_hash(run.world).text();
    };
    EXPECT_EQ(hash_with(1, 2), hash_with(1, 2));
    EXPECT_NE(hash_with(1, 2), hash_with(2, 2)) << "another force, another way";
    EXPECT_NE(hash_with(1, 2), hash_with(2, 4)) << "the same way, another piston";
}

TEST(WorldState, HashOfAnEmptyBoxIsNotNothing) {
    RigidSetup setup = open_space(1.0, 0.3, 1e-3);
    RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0.45}, 0.01, {0, 0, 10})});
    while (run.totals().lost == 0 && run.totals().steps < 100)
        run.step(for_ever);
    ASSERT_EQ(run.totals().lost, 1);
    const StateHash last = state_hash(run.world);
    EXPECT_NE(last, StateHash());
    run.step(for_ever);
    EXPECT_NE(state_hash(run.world), last) << "time goes on";
}

} // namespace
