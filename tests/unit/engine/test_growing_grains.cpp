// Soft grains whose radii grow [004 sec. 3]: forces and energies in closed form.

#include <gtest/gtest.h>

#include <algorithm>

#include "engine_run.hpp"
#include "setups.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

constexpr double radius = 0.01, stiffness = 1e4, time_step = 2e-6;

RigidSetup soft_setup(NormalLaw normal) {
    RigidSetup setup = setups::open_space(1.0, 0, time_step);
    setup.kind = EngineKind::soft;
    SoftLaws laws;
    laws.normal = normal;
    laws.stiffness = stiffness;
    laws.unloading_stiffness = 5 * stiffness, laws.adhesion_stiffness = stiffness,
    laws.plasticity_depth = 0.05;
    setup.materials.set(0, 0, {.soft = laws});
    return setup;
}

/// A grain between two walls, at rest in the middle: the overlap with each is a - L/2, f = k delta.
TEST(GrowingGrains, PressAgainstWallsWithTheForceOfTheirRadius) {
    RigidSetup setup = soft_setup(NormalLaw::linear);
    setup.walls = {setups::wall({-radius, 0, 0}, {1, 0, 0}), setups::wall({radius, 0, 0}, {-1, 0, 0})};
    EngineRun run(setups::world(), setup, std::vector{setups::grain(0, {0, 0, 0}, radius)});
    const double rate = 0.05;
    run.world.set_growth({.rate = rate});
    const int steps = 500;
    for (int step = 0; step < steps; ++step)
        run.step(setups::for_ever);
    // Forces are of the start of the last step.
    const double overlap = rate * time_step * (steps - 1);
    EXPECT_NEAR(run.store().sphere[0].radius, radius + rate * time_step * steps, 1e-15);
    for (const Wall& wall : run.walls())
        EXPECT_NEAR(wall.pressing_force(), stiffness * overlap, 1e-9 * stiffness * overlap);
    const Measures measures = measure(run);
    EXPECT_NEAR(measures.largest_overlap, overlap, 1e-15);
    EXPECT_EQ(measures.coordination, 2);
    EXPECT_NEAR(run.engine->elastic_energy().value(), stiffness * overlap * overlap, 1e-15);
    EXPECT_EQ(run.engine->spring_energy(), run.engine->elastic_energy()) << "nothing sticks";
    EXPECT_LT(measures.kinetic_energy, 1e-20);
}

/// Contacts that were never near each other when neighbours were searched last are found in time: a row of
/// grains far apart grows together, and each contact is found at its first touch.
TEST(GrowingGrains, FindEachOtherAsTheyGrow) {
    const double gap = 0.8 * radius;
    std::vector<Grain> row;
    for (std::uint64_t i = 0; i < 4; ++i)
        row.push_back(setups::grain(i, {static_cast<double>(i) * (2 * radius + gap), 0, 0}, radius));
    EngineRun run(setups::world(), soft_setup(NormalLaw::linear), row);
    const double rate = 0.5 * gap / (1000.5 * time_step); // they touch within the step after 1000
    run.world.set_growth({.rate = rate});
    for (int step = 0; step < 1001; ++step)
        ASSERT_EQ(run.step(setups::for_ever).contacts, 0) << step;
    EXPECT_EQ(run.step(setups::for_ever).contacts, 3);
    EXPECT_NEAR(measure(run).largest_overlap, rate * time_step, 1e-4 * rate * time_step);
}

/// Forces are rounded to a unit that follows the largest force at each search, not in between. A run that
/// goes on must round as if it had never stopped.
TEST(GrowingGrains, GoOnWithTheSameUnitOfForces) {
    RigidSetup setup = soft_setup(NormalLaw::linear);
    setup.neighbours.skin = 0.2 * radius;
    setup.soft.background_viscosity = 100; // they part slower than they grow
    EngineRun run(setups::world(), setup,
                  std::vector{setups::grain(0, {-0.97 * radius, 0, 0}, radius),
                              setups::grain(1, {0.93 * radius, 0.3 * radius, 0}, radius),
                              setups::grain(2, {0.1 * radius, -1.5 * radius, 0.31 * radius}, radius)});
    run.world.set_growth({.relative_rate = 50});
    const auto unit = [&](const StartSizes& sizes) {
        return soft::ForceUnit(soft::largest_force(run.setup().materials, sizes, 3)).newton;
    };
    do {
        run.step(setups::for_ever);
        ASSERT_LT(run.totals().steps, 20000) << "no search came too late for the unit";
    } while (unit(run.world.sizes) == unit(run.world.sizes_at_search()));
    run.engine->make_room();
    EngineRun again(setups::world(), setup, run.world.save(), run.engine->save());
    for (int step = 0; step < 5; ++step) {
        run.step(setups::for_ever);
        again.step(setups::for_ever);
    }
    EXPECT_GT(measure(run).contacts, 0);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(again.store().body[i].velocity, run.store().body[i].velocity) << i;
}

/// A contact that adheres: to part it would take energy, but its spring has some.
TEST(GrowingGrains, SpringEnergyOfAdhesiveContactsIsPositive) {
    EngineRun run(setups::world(), soft_setup(NormalLaw::adhesive),
                  std::vector{setups::grain(0, {-radius, 0, 0}, radius, {0.05, 0, 0}),
                              setups::grain(1, {radius, 0, 0}, radius, {-0.05, 0, 0})});
    do {
        run.step(setups::for_ever);
        ASSERT_LT(run.totals().steps, 1000) << "the energy never became negative";
    } while (run.engine->elastic_energy().value() >= 0);
    const double force = norm(view(run).contacts.force.at(0));
    const ColumnTable& history = run.world.lists().pair_history;
    const double largest = history.reals(history.find("largest_overlap").value())[0];
    const double depth = 0.05 * 5.0 / 4 * radius; // from there on the spring is that of unloading
    const double k = stiffness * (1 + 4 * std::min(1.0, largest / depth));
    EXPECT_GT(force, 0);
    EXPECT_NEAR(run.engine->spring_energy().value(), 0.5 * force * force / k, 1e-9 * force * force / k);
}

} // namespace
} // namespace tamp
