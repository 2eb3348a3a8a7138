// What a stage changes while it runs, and that both engines book the work of it.

#include "tamp/protocol/schedule.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "../engine/setups.hpp"
#include "../engine/soft_setups.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

TEST(Schedule, SetsGravityAndTheWallsOfItsTables) {
    RigidSetup setup = open_space(0.2, 0.3, 1e-3);
    setup.box = {.lower = {0, 0, 0}, .upper = {2, 1, 1}};
    setup.gravity = {0, 0, -1};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1}), wall({0, 0, 1}, {0, 0, -1}), wall({0, 0, 0}, {1, 0, 0})};
    for (std::size_t w = 0; w < 3; ++w)
        setup.walls[w].name = std::string(1, "abc"[w]);
    setup.walls[2].force = 3;
    RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0.5, 0.5, 0.5}, 0.1)});
    const Stage still{.name = "still"};
    follow_schedule(still, 1, run.world);
    EXPECT_EQ(run.world.gravity, (Vec3{0, 0, -1})) << "a stage that says nothing leaves it";

    const Stage stage{.name = "all",
                      .walls = {{.wall = "a", .velocity_table = {{0, 2}, {{0, 0, 0}, {0, 0, 4}}}},
                                {.wall = "b", .stress_table = {{0, 2}, {0, 10}}},
                                {.wall = "c", .force = 9}},
                      .gravity = {{0, 2}, {{0, 0, -1}, {2, 0, -1}}}};
    follow_schedule(stage, 1, run.world);
    EXPECT_EQ(run.world.gravity, (Vec3{1, 0, -1}));
    EXPECT_EQ(run.walls()[0].velocity, (Vec3{0, 0, 2}));
    EXPECT_DOUBLE_EQ(run.walls()[1].force, 5 * 2.0) << "times the cross-section of 2 m x 1 m";
    EXPECT_EQ(run.walls()[2].force, 3) << "a command without a table is not repeated";
    follow_schedule({.name = "push", .walls = {{.wall = "c", .force_table = {{0, 1}, {0, -8}}}}}, 0.5,
                    run.world);
    EXPECT_EQ(run.walls()[2].force, -4);
}

const TimeTable<Vec3> swing{{0, 0.01, 0.02}, {{0, 0, -20}, {30, 0, 0}, {0, 10, 20}}};

/// One grain flies freely, hence its velocity is the sum of what gravity was in each step.
TEST(Schedule, GravityActsWithTheValueAtTheBeginOfAStep) {
    RigidSetup setup = open_space(1, 0, 1e-3);
    RigidRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0}, 0.01)});
    Vec3 expected{0, 0, 0};
    for (int step = 0; step < 25; ++step) {
        follow_schedule({.name = "a", .gravity = swing}, run.time(), run.world);
        expected += swing.at(run.time()) * 1e-3;
        run.step(for_ever);
    }
    EXPECT_LT(norm(run.store().body[0].velocity - expected), 1e-12);
}

TEST(Schedule, TheBudgetOfRigidGrainsStaysClosed) {
    RigidSetup setup = open_space(0.3, 0.4, 1e-3);
    setup.energy_budget = true;
    setup.walls = {wall({0, 0, -0.0101}, {0, 0, 1})};
    RigidRun run(world(), setup,
                 std::vector<Grain>{grain(0, {0, 0, 0}, 0.01), grain(1, {0.019, 0, 0.007}, 0.01)});
    for (int step = 0; step < 30; ++step) {
        follow_schedule({.name = "a", .gravity = swing}, run.time(), run.world);
        run.step(for_ever);
        const double kinetic = measure(run).kinetic_energy;
        ASSERT_NEAR(run.engine.energy_flows()->expected_change(), kinetic, 1e-12 * (kinetic + 1e-3)) << step;
    }
    EXPECT_GT(run.engine.energy_flows()->collisions, 0);
}

/// The work of gravity over the move of a step is that of the mean at both its ends: what is left is of the
/// order m g^2 h^2 and does not grow, where the value at one end would miss m v h times the change of g.
TEST(Schedule, TheBudgetOfSoftGrainsStaysClosed) {
    RigidSetup setup = soft_space(linear_laws(1e4, 0.1), 1, 3);
    setup.energy_budget = true;
    setup.time.step = 1e-4;
    EngineRun run(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0}, 0.01)});
    const double mass = run.store().mass(0);
    for (int step = 0; step < 250; ++step) {
        follow_schedule({.name = "a", .gravity = swing}, run.time(), run.world);
        run.step(for_ever);
        ASSERT_NEAR(run.engine->energy_flows()->expected_change(), measure(run).kinetic_energy, 1e-5 * mass)
            << step;
    }
}

} // namespace
} // namespace tamp
