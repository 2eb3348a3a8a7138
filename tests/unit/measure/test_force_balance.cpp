// When a packing is at rest under its loads.

#include "../engine/setups.hpp"
#include "made_up.hpp"
#include "tamp/measure/force_balance.hpp"
#include "tamp/protocol/stop_conditions.hpp"

namespace tamp {
namespace {

using namespace setups;

ForceBalance balance(const RigidRun& run) { return force_balance(run, view(run)); }

constexpr double radius = 0.01, step = 1e-3;

/// Two spheres above each other between a floor and a piston that starts at `height`.
RigidSetup column(double height, double force, const Vec3& gravity = {0, 0, 0}) {
    RigidSetup setup = open_space(0.2, 0.3, step);
    setup.gravity = gravity;
    setup.walls = {wall({0, 0, 0}, {0, 0, 1}), piston({0, 0, height}, {0, 0, -1}, 0.01, force)};
    return setup;
}

const std::vector<Grain> two_spheres{grain(0, {0, 0, radius}, radius), grain(1, {0, 0, 3 * radius}, radius)};

TEST(ForceBalance, IsZeroAtRestAndOneWithoutForces) {
    RigidRun pressed(world(), column(4 * radius, 5), two_spheres);
    EXPECT_EQ(balance(pressed).worst(), 1) << "before the first step nothing bears a force";
    pressed.step(for_ever);
    EXPECT_LT(balance(pressed).worst(), 1e-9);
}

/// The piston has not arrived: the spheres rest on each other by their weight, and the load is not borne.
TEST(ForceBalance, WaitsForThePiston) {
    RigidRun run(world(), column(0.1, 5, {0, 0, -10}), two_spheres);
    run.step(for_ever);
    EXPECT_LT(balance(run).particles, 1e-9);
    EXPECT_NEAR(balance(run).loads, 1, 1e-12) << "nothing of what is applied is borne";
}

/// What is wrong with the forces of a made-up state is what the numbers say.
TEST(ForceBalance, IsRelativeToContactForcesAndLoads) {
    RigidSetup setup = made_up::setup_of({.lower = {0, 0, 0}, .upper = {10, 10, 10}},
                                         {wall({0, 0, 0}, {0, 0, 1}), piston({0, 0, 8}, {0, 0, -1}, 1, 100)});
    RigidRun engine(made_up::self(), setup, std::vector<Grain>{grain(1, {5, 5, 5}, 0.5)});
    View view = made_up::empty_view(setup.box);
    for (const auto& [coordination, resultant] :
         {std::pair(2, 3.0), std::pair(5, 4.0), std::pair(1, 50.0), std::pair(0, -57.0)}) {
        made_up::add_particle(view, {1, 1, 1}, 0.5, {0, 0, 0}, 0, coordination);
        view.particles.contact_force.back() = {0, 0, resultant};
    }
    made_up::add_particle(view, {1, 1, 1}, 0.5, {0, 0, 0}, 2, 3); // held: nothing is asked of it
    view.particles.contact_force.back() = {1000, 0, 0};
    for (const double force : {10.0, 30.0})
        made_up::add_contact(view, {1, 1, 1}, {2, 1, 1}, {force, 0, 0});
    engine.walls()[0].reaction = {0, 0, -130}, engine.walls()[1].reaction = {0, 0, 100};
    EXPECT_NEAR(force_balance(engine, view).particles, std::sqrt((9.0 + 16) / 2) / 20, 1e-12);
    EXPECT_NEAR(force_balance(engine, view).loads, 0, 1e-12) << "3 + 4 + 50 - 57 = 0";

    view.particles.contact_force[0].z += 30; // 130 N on the floor under 100 N
    EXPECT_NEAR(force_balance(engine, view).loads, 30.0 / 130, 1e-12);
    view.particles.contact_force[0].z -= 30;
    engine.walls()[1].reaction.z = 80;
    EXPECT_NEAR(force_balance(engine, view).loads, 0.2, 1e-12) << "80 of 100 N";
}

/// How many steps a stage takes until it ends, at most `most`, and why.
std::pair<std::int64_t, StageEnd> run_stage(RigidRun& run, const Stage& stage, std::int64_t most = 2000) {
    StageMemory memory;
    for (std::int64_t steps = 1; steps <= most; ++steps) {
        run.step(for_ever);
        const StageEnd end =
            StopConditions{stage, 0, {}}.reason_to_end(run, run.engine.forces(), steps, memory);
        if (end != StageEnd::none)
            return {steps, end};
    }
    return {most, StageEnd::none};
}

const Stage to_balance{.name = "balance", .until_balance = 1e-3},
    to_rest{.name = "rest", .until_speed = 1e-3};

/// A rattler flies to and fro for ever between elastic walls, beside a column that is pressed.
TEST(UntilBalance, DoesNotWaitForRattlers) {
    RigidSetup setup = column(4 * radius, 5);
    setup.materials = MaterialTable({{"grain", 1000, 0.3}, {"elastic", 1000, 0}});
    setup.materials.set(1, 1, {.restitution = 1});
    for (const double side : {-1, 1}) {
        setup.walls.push_back(wall({0, 0.05 * side, 0}, {0, -side, 0}));
        setup.walls.back().material = 1;
    }
    std::vector<Grain> grains = two_spheres;
    grains.push_back(grain(2, {0.03, 0, 2 * radius}, 0.5 * radius, {0, 0.5, 0}));
    grains.back().material = 1;
    RigidRun run(world(), setup, grains);
    const auto [steps, end] = run_stage(run, to_balance);
    EXPECT_EQ(end, StageEnd::balance);
    EXPECT_LE(steps, 100);
    EXPECT_GT(run.world.largest_speed(), 0.4) << "it still flies";
    RigidRun waiting(world(), setup, grains);
    EXPECT_EQ(run_stage(waiting, to_rest, 300).second, StageEnd::none);
}

/// A packing that drifts as a whole along a smooth floor is at rest for whoever drifts along.
TEST(UntilBalance, DoesNotMindDrift) {
    RigidSetup setup = column(4 * radius, 5);
    setup.materials = MaterialTable({{"smooth", 1000, 0.0}});
    std::vector<Grain> grains = two_spheres;
    for (Grain& g : grains)
        g.velocity.x = 0.3;
    RigidRun run(world(), setup, grains);
    EXPECT_EQ(run_stage(run, to_balance, 100).second, StageEnd::balance);
}

/// Grains on their way down are not rattlers: what the floor bears is not yet the weight.
TEST(UntilBalance, WaitsForWhatFalls) {
    RigidSetup setup = column(0.19, 1, {0, 0, -10});
    setup.walls.pop_back();
    std::vector<Grain> grains = two_spheres;
    grains.push_back(grain(2, {0.05, 0, 0.09}, radius));
    grains.push_back(grain(3, {0.05, 0, radius}, radius));
    RigidRun run(world(), setup, grains);
    const auto [steps, end] = run_stage(run, to_balance);
    EXPECT_EQ(end, StageEnd::balance);
    EXPECT_GT(run.time(), std::sqrt(2 * 0.06 / 10)) << "it fell by 6 cm";
}

/// A stress on a packing at rest without gravity: the piston is far, all are at rest, and the stage goes on.
TEST(UntilBalance, WaitsForALoadWithoutGravity) {
    for (const Stage& stage : {to_balance, to_rest}) {
        RigidRun run(world(), column(4 * radius + 0.005, 0.01), two_spheres);
        const auto [steps, end] = run_stage(run, stage);
        EXPECT_NE(end, StageEnd::none) << stage.name;
        // The step in which the piston stops is at rest already, but only the one after it is in balance.
        const double pressing = run.walls()[1].pressing_force();
        EXPECT_GE(pressing, 0.01 - 1e-9) << stage.name << " after " << steps;
        if (end == StageEnd::balance) {
            EXPECT_NEAR(pressing, 0.01, *stage.until_balance * 0.01) << steps;
        }
    }
}

} // namespace
} // namespace tamp
