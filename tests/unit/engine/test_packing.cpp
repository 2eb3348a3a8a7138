#include <cmath>

#include <gtest/gtest.h>

#include "setups.hpp"
#include "tamp/particles/generate.hpp"

// Small packings come to rest, and what bears them bears exactly the load.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double diameter = 0.01, width = 5 * diameter;

/// 240 spheres, loose, between periodic sides and above a floor.
struct Loose {
    RigidSetup setup = open_space(1.0, 0.3, 0.0);
    std::vector<Grain> grains;

    Loose() {
        setup.box.lower = {0, 0, 0};
        setup.box.upper = {width, width, 16 * diameter};
        setup.box.boundary = {Boundary::periodic, Boundary::periodic, Boundary::wall};
        setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
        setup.solver = {.tolerance = 1e-4, .force_tolerance = 1e-3, .min_sweeps = 4, .max_sweeps = 1000};
        setup.time = {.step = 0, .max_step = 1e-3, .displacement = 0.05};
        GeneratorSettings settings;
        settings.size = {.kind = SizeKind::uniform, .min = 0.8 * diameter, .max = 1.2 * diameter};
        settings.lower = setup.box.lower;
        settings.upper = {width, width, 15 * diameter};
        settings.count = 240;
        grains = generate(settings, setup.box, 7, 0);
    }

    double mass() const {
        double sum = 0;
        for (const Grain& g : grains)
            sum += mass_of(g);
        return sum;
    }
};

TEST(Packing, FloorBearsTheWeight) {
    Loose loose;
    loose.setup.gravity = {0, 0, -9.81};
    const double weight = loose.mass() * 9.81;
    RigidRun engine(world(), loose.setup, loose.grains);
    while (engine.time() < 0.5)
        engine.step(0.5);
    EXPECT_LT(engine.world.largest_speed(), 0.01);
    // At rest but for single rattlers that still roll: the mean acceleration is the change of momentum.
    const double before = conserved(engine).momentum.z;
    const StepReport report = engine.step(for_ever);
    EXPECT_FALSE(report.solve.capped);
    const double change = (conserved(engine).momentum.z - before) / report.time_step;
    EXPECT_LT(std::abs(change), 1e-3 * weight);
    EXPECT_NEAR(-engine.walls()[0].reaction.z, weight, 1e-3 * weight);
    // Momentum balance holds to the last digit, whatever the solver's tolerance.
    EXPECT_NEAR(-engine.walls()[0].reaction.z, weight + change, 1e-10 * weight);
    EXPECT_LT(engine.totals().largest_overlap, 1e-3 * diameter);
    EXPECT_EQ(engine.totals().lost, 0);
}

TEST(Packing, PistonAppliesItsStress) {
    Loose loose;
    const double stress = 1000, force = stress * width * width;
    // As heavy as a layer of spheres: it takes part in the solve without slowing it down.
    loose.setup.walls.push_back(piston({0, 0, 15.5 * diameter}, {0, 0, -1}, 25 * loose.mass() / 240, force));
    RigidRun engine(world(), loose.setup, loose.grains);
    while (engine.time() < 0.2)
        engine.step(0.2);
    // Without gravity rattlers still fly about, and the step in which one hits the bed has its momentum in
    // it: the mean over some steps counts.
    const double begin = engine.time();
    Vec3 floor{0, 0, 0}, lid{0, 0, 0}; // impulses
    for (int i = 0; i < 50; ++i) {
        const double dt = engine.step(for_ever).time_step;
        floor += engine.walls()[0].reaction * dt;
        lid += engine.walls()[1].reaction * dt;
        EXPECT_LT(norm(engine.walls()[1].velocity), 1e-3);
    }
    const double impulse = force * (engine.time() - begin);
    EXPECT_NEAR(lid.z, impulse, 1e-3 * impulse);
    EXPECT_NEAR(-floor.z, impulse, 1e-3 * impulse);
    EXPECT_LT(engine.totals().largest_overlap, 1e-3 * diameter);
}

} // namespace
