#include <cmath>

#include <gtest/gtest.h>

#include "floor.hpp"
#include "setups.hpp"

// What is booked for each law, for gravity, for the scheme and for walls adds up to the change of kinetic
// energy, exactly.
namespace {

using namespace tamp;
using namespace tamp::setups;

RigidSetup booked(RigidSetup setup) {
    setup.energy_budget = true;
    return setup;
}

double potential_energy(const RigidRun& engine) {
    double sum = 0;
    for (const auto& [id, g] : grains_of(engine))
        sum -= mass_of(g) * dot(engine.setup().gravity, g.position);
    return sum;
}

TEST(EnergyBudget, IsNotKeptUnlessAskedFor) {
    const RigidRun engine(world(), open_space(0.4, 0.5, 1e-3), std::vector{grain(1, {0, 0, 0}, 0.01)});
    EXPECT_FALSE(engine.engine.energy_flows());
}

TEST(EnergyBudget, OfACollisionIsItsRelativeEnergy) {
    const std::vector<Grain> grains{grain(1, {-0.01, 0, 0}, 0.01, {1, 0, 0}),
                                    grain(2, {0.0201, 0, 0}, 0.02, {-2, 0, 0})};
    RigidRun engine(world(), booked(open_space(0.4, 0.5, 1e-3)), grains);
    for (int i = 0; i < 5; ++i)
        engine.step(for_ever);
    const double m1 = mass_of(grains[0]), m2 = mass_of(grains[1]);
    const double lost = 0.5 * m1 * m2 / (m1 + m2) * 9;
    const EnergyFlows flows = *engine.engine.energy_flows();
    // The first step closes the gap of 0.1 mm, so the blow comes in two.
    EXPECT_NEAR(flows.collisions, lost, 1e-12 * lost);
    EXPECT_EQ(flows.friction, 0);
    EXPECT_EQ(flows.gravity, 0);
    EXPECT_EQ(flows.work_of_walls(), 0);
}

TEST(EnergyBudget, OfAFallKnowsWhatTheSchemeLoses) {
    RigidSetup setup = booked(open_space(0.4, 0.5, 1e-3));
    setup.gravity = {0, 0, -10};
    const std::vector<Grain> grains{grain(1, {0, 0, 0.1}, 0.01)};
    RigidRun engine(world(), setup, grains);
    for (int i = 0; i < 100; ++i)
        engine.step(for_ever);
    const double mass = mass_of(grains[0]), dt = 1e-3, speed = 100 * dt * 10;
    const EnergyFlows flows = *engine.engine.energy_flows();
    EXPECT_NEAR(flows.gravity, mass * 10 * 10 * dt * dt * 5050, 1e-12);
    EXPECT_NEAR(flows.integration, 0.5 * dt * mass * 10 * speed, 1e-12);
    EXPECT_NEAR(flows.expected_change(), conserved(engine).energy, 1e-12);
}

TEST(EnergyBudget, OfASlidingSphereIsFrictionUntilItRolls) {
    RigidSetup setup = booked(open_space(0.4, 0.3, 1e-3));
    setup.gravity = {0, 0, -10};
    setup.walls = {wall({0, 0, -0.01}, {0, 0, 1})};
    const std::vector<Grain> grains{grain(1, {0, 0, 0}, 0.01, {0.1, 0, 0})};
    RigidRun engine(world(), setup, grains);
    const double start = conserved(engine).energy;
    for (int i = 0; i < 30; ++i)
        engine.step(for_ever);
    const EnergyFlows flows = *engine.engine.energy_flows();
    // A sphere that slides keeps 5/7 of its energy when it rolls.
    EXPECT_NEAR(flows.friction, 2.0 / 7 * start, 1e-9 * start);
    EXPECT_NEAR(flows.collisions, 0, 1e-12 * start);
    EXPECT_EQ(flows.walls.size(), 1u);
    EXPECT_EQ(flows.walls[0], 0);
}

TEST(EnergyBudget, OfADrivenWallIsItsWork) {
    RigidSetup setup = booked(open_space(0.4, 0.3, 1e-3));
    Wall pusher = wall({-0.01, 0, 0}, {1, 0, 0});
    pusher.motion = WallMotion::driven;
    pusher.velocity = {2, 0, 0};
    setup.walls = {pusher};
    const std::vector<Grain> grains{grain(1, {0, 0, 0}, 0.01)};
    RigidRun engine(world(), setup, grains);
    engine.step(for_ever);
    // The wall gives m v at its speed v; half is lost in the inelastic blow.
    const double mass = mass_of(grains[0]);
    const EnergyFlows flows = *engine.engine.energy_flows();
    EXPECT_NEAR(flows.walls[0], mass * 4, 1e-12 * mass);
    EXPECT_NEAR(flows.collisions, 0.5 * mass * 4, 1e-12 * mass);
    EXPECT_NEAR(conserved(engine).energy, flows.expected_change(), 1e-12 * mass);
}

TEST(EnergyBudget, OfLeaversIsTheirKineticEnergy) {
    const std::vector<Grain> grains{grain(1, {0.15, 0, 0}, 0.01, {2, 0, 0}), grain(2, {0, 0, 0}, 0.01)};
    RigidRun engine(world(), booked(open_space(0.4, 0.5, 1e-3)), grains);
    const double start = conserved(engine).energy;
    while (engine.totals().lost == 0 && engine.totals().steps < 200)
        engine.step(for_ever);
    ASSERT_EQ(engine.totals().lost, 1);
    EXPECT_NEAR(engine.engine.energy_flows()->left, start, 1e-15);
    EXPECT_NEAR(engine.engine.energy_flows()->expected_change(), -start, 1e-15);
}

struct Cluster {
    int dimension;
    std::uint64_t seed;
};

class EnergyOfClusters : public testing::TestWithParam<Cluster> {};

/// Whatever the laws, and whether or not the solver has converged.
TEST_P(EnergyOfClusters, AddsUpInEveryStep) {
    const ContactLaws laws{.friction = 0.5,
                           .restitution = 0.4,
                           .tangential_restitution = 0.3,
                           .restitution_speed = 0.3,
                           .rolling = {TorqueScale::ratio, 0.2, 1e4},
                           .torsion = {TorqueScale::ratio, 0.1, 1e4},
                           .cohesion = {.scale = CohesionScale::radius, .value = 10, .range = 5e-4}};
    RigidSetup setup = booked(with_laws(open_space(0.6, 0, 1e-3, GetParam().dimension), laws));
    setup.solver = {};
    setup.solver.max_sweeps = 20;
    const double half = GetParam().dimension == 3 ? 0.04 : 0.07;
    setup.walls = {wall({0, -half, 0}, {0, 1, 0}), piston({0, half, 0}, {0, -1, 0}, 0.1, 1.0)};
    setup.walls[0].motion = WallMotion::driven;
    setup.walls[0].velocity = {0.2, 1, 0};
    setup.walls[1].velocity = {0, -1, 0};
    RigidRun engine(world(), setup, collapsing_grains(setup.box, GetParam().seed));
    const double start = conserved(engine).energy;
    for (int step = 1; step <= 60; ++step) {
        engine.step(for_ever);
        const EnergyFlows flows = *engine.engine.energy_flows();
        ASSERT_NEAR(conserved(engine).energy - start, flows.expected_change(), 1e-12 * start) << step;
    }
    const EnergyFlows flows = *engine.engine.energy_flows();
    for (const double booked_flow : {flows.collisions, flows.friction, flows.rolling})
        EXPECT_GT(booked_flow, 1e-3 * start);
    if (GetParam().dimension == 3) {
        EXPECT_GT(flows.torsion, 1e-4 * start);
    }
    EXPECT_NE(flows.cohesion, 0);
    EXPECT_NE(flows.walls[0], 0);
    EXPECT_NE(flows.walls[1], 0);
}

INSTANTIATE_TEST_SUITE_P(Clusters, EnergyOfClusters,
                         testing::Values(Cluster{3, 7}, Cluster{3, 2}, Cluster{2, 5}, Cluster{2, 6}));

/// Also with steps that adapt.
TEST(EnergyBudget, OfASettlingBedCloses) {
    RigidSetup setup = booked(open_space(0.1, 0.5, 0));
    setup.time = {.step = 0, .max_step = 1e-3, .displacement = 0.05};
    setup.box.boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall};
    setup.gravity = {0, 0, -9.81};
    setup.solver = {};
    setup.walls = {wall({0, 0, -0.05}, {0, 0, 1})};
    GeneratorSettings generator;
    generator.size = {.kind = SizeKind::uniform, .min = 0.008, .max = 0.012};
    generator.lower = {-0.05, -0.05, -0.05};
    generator.upper = {0.05, 0.05, 0.05};
    generator.fraction = 0.2;
    RigidRun engine(world(), setup, generate(generator, setup.box, 3, 0));
    const double height_before = potential_energy(engine);
    for (int step = 0; step < 400; ++step)
        engine.step(for_ever);
    const EnergyFlows flows = *engine.engine.energy_flows();
    EXPECT_NEAR(flows.gravity, height_before - potential_energy(engine), 1e-10 * flows.gravity);
    EXPECT_LT(std::abs(flows.integration), 0.01 * flows.dissipated());
    EXPECT_GT(flows.collisions, 0.2 * flows.gravity);
    EXPECT_GT(flows.friction, 0.05 * flows.gravity);
    EXPECT_NEAR(conserved(engine).energy, flows.expected_change(), 1e-12 * flows.dissipated());
}

} // namespace
