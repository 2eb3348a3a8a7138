#include <cmath>

#include <gtest/gtest.h>

#include "setups.hpp"

// A step made of n sub-steps that share its geometry against n steps.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr int substeps = 4;
constexpr double h = 2.5e-4;

/// Five spheres above each other, falling on a floor, with a piston on top: normals stay, so that gaps
/// advance exactly, and impacts happen within steps.
struct Column {
    RigidSetup setup = open_space(0.4, 0.3, h);
    std::vector<Grain> grains;

    explicit Column(const ContactLaws& laws = {}) {
        setup.gravity = {0, 0, -10};
        setup.energy_budget = true;
        setup.walls = {wall({0, 0, 0}, {0, 0, 1}), piston({0, 0, 0.13}, {0, 0, -1}, 0.01, 0.2)};
        for (std::uint64_t i = 0; i < 5; ++i)
            grains.push_back(grain(i + 1, {0, 0, 0.012 + 0.022 * static_cast<double>(i)}, 0.01));
        ContactLaws all = laws;
        all.friction = 0.3;
        setup.materials.set(0, 0, all);
    }
    RigidRun in_steps() const { return {world(), setup, grains}; }
    RigidRun in_substeps() const {
        RigidSetup other = setup;
        other.time.step = substeps * h;
        other.solver.substeps = substeps;
        return {world(), other, grains};
    }
};

/// Compares the two after every long step.
void expect_the_same(const Column& column, int steps) {
    RigidRun one = column.in_steps(), two = column.in_substeps();
    for (int n = 1; n <= steps; ++n) {
        for (int i = 0; i < substeps; ++i)
            one.step(for_ever);
        two.step(for_ever);
        ASSERT_NEAR(one.time(), two.time(), 1e-12);
        const auto expected = grains_of(one), found = grains_of(two);
        for (const auto& [id, wanted] : expected) {
            ASSERT_NEAR(norm(found.at(id).position - wanted.position), 0, 1e-11)
                << "grain " << id << ", step " << n;
            ASSERT_NEAR(norm(found.at(id).velocity - wanted.velocity), 0, 1e-8)
                << "grain " << id << ", step " << n;
        }
        for (std::size_t w = 0; w < 2; ++w) { // forces, not impulses of whole steps
            ASSERT_NEAR(norm(two.walls()[w].reaction - one.walls()[w].reaction), 0, 1e-4) << "step " << n;
            ASSERT_NEAR(norm(two.walls()[w].velocity - one.walls()[w].velocity), 0, 1e-8) << "step " << n;
        }
        const EnergyFlows a = *one.engine.energy_flows(), b = *two.engine.energy_flows();
        ASSERT_NEAR(a.collisions, b.collisions, 1e-9);
        ASSERT_NEAR(a.gravity, b.gravity, 1e-9);
        ASSERT_NEAR(a.work_of_walls(), b.work_of_walls(), 1e-9);
    }
    EXPECT_GT(one.engine.energy_flows()->collisions, 1e-4) << "nothing ever touched";
}

TEST(Substeps, AreStepsWhereNormalsStay) { expect_the_same(Column(), 150); }

TEST(Substeps, LetRestitutionActOnce) {
    ContactLaws laws;
    laws.restitution = 0.5;
    laws.restitution_speed = 0.01;
    expect_the_same(Column(laws), 80);
}

TEST(Substeps, LetCohesionHoldAsStronglyAndAsFar) {
    ContactLaws laws;
    laws.cohesion.value = 0.02;
    laws.cohesion.range = 1e-4;
    expect_the_same(Column(laws), 80);
}

TEST(Substeps, BearTheWeightAndThePiston) {
    RigidRun run = Column().in_substeps();
    double weight = 0.2;
    for (const auto& [id, g] : grains_of(run))
        weight += 10 * mass_of(g);
    for (int n = 0; n < 400; ++n)
        run.step(for_ever);
    EXPECT_NEAR(run.walls()[0].reaction.z, -weight, 1e-6 * weight);
    const ContactForces forces = run.engine.forces();
    double floor = 0;
    for (std::size_t c = 0; c < run.wall_contacts().size(); ++c)
        if (run.wall_contacts().wall[c] == 0)
            floor += forces.scale * forces.walls[c].z;
    EXPECT_NEAR(floor, weight, 1e-6 * weight) << "contact forces are impulses over the sub-step";
}

/// Spheres that collide at random: geometry is only nearly that of short steps, but nothing is lost.
TEST(Substeps, ConserveMomentumAndCloseTheEnergyBudget) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Random random(seed, 0, Purpose::test);
        RigidSetup setup = open_space(0.2, 0.4, 1e-3);
        setup.energy_budget = true;
        setup.solver = {.tolerance = 1e-4};
        setup.solver.substeps = 3;
        std::vector<Grain> grains;
        for (std::uint64_t id = 0; id < 27; ++id)
            grains.push_back(grain(id + 1,
                                   Vec3{0.021 * (static_cast<double>(id % 3) - 1),
                                        0.021 * (static_cast<double>(id / 3 % 3) - 1),
                                        0.021 * (static_cast<double>(id / 9) - 1)},
                                   0.01, 0.3 * checks::random_vector(random)));
        RigidRun run(world(), setup, grains);
        const auto before = conserved(run);
        for (int n = 0; n < 30; ++n)
            run.step(for_ever);
        const auto after = conserved(run);
        EXPECT_NEAR(norm(after.momentum - before.momentum), 0, 1e-13);
        const EnergyFlows flows = *run.engine.energy_flows();
        EXPECT_GT(flows.collisions, 0);
        EXPECT_NEAR(flows.expected_change(), after.energy - before.energy, 1e-12 * before.energy);
        EXPECT_LT(run.totals().largest_overlap, 1e-4 * 0.02);
    }
}

} // namespace
