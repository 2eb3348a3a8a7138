// Soft grains as the engine moves them: against the laws alone, and what is conserved.

#include <gtest/gtest.h>

#include <algorithm>

#include "../laws/soft_collision.hpp"
#include "soft_setups.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/laws/soft/contact_scales.hpp"
#include "tamp/soft/pair_laws.hpp"

namespace tamp {
namespace {

using setups::soft_space;

constexpr double radius = 0.01;

SoftLaws linear(double viscosity) { return setups::linear_laws(1e4, viscosity); }

double mass() { return setups::mass_of({.radius = radius}); }

TEST(SoftEngine, CollisionIsThatOfItsLaw) {
    const SoftLaws laws = linear(0.5);
    const double dt = 2e-6, speed = 0.7;
    EngineRun run(setups::world(), soft_space(laws, dt),
                  std::vector{setups::grain(0, {-radius, 0, 0}, radius, {0.5 * speed, 0, 0}),
                              setups::grain(1, {radius, 0, 0}, radius, {-0.5 * speed, 0, 0})});
    checks::Collision<soft::Linear> alone{std::get<soft::Linear>(soft::pair_laws(laws).normal),
                                          {0, 0, 0.5 * mass(), 0.5 * radius, radius},
                                          0,
                                          speed};
    for (int step = 0; step < 800; ++step) {
        run.step(setups::for_ever);
        alone.step(dt);
        const ParticleStore& store = run.store();
        ASSERT_NEAR(store.body[0].velocity.x - store.body[1].velocity.x, alone.v, 1e-11) << "step " << step;
    }
    const double m = 0.5 * mass();
    EXPECT_NEAR(-alone.v / speed, soft::restitution(1e4, 0.5, m), 1e-3)
        << "up to the first order of the step";
}

TEST(SoftEngine, ForcesAreThoseOfTheStartOfTheStep) {
    EngineRun run(setups::world(), soft_space(linear(0), 1e-6),
                  std::vector{setups::grain(0, {-0.9 * radius, 0, 0}, radius),
                              setups::grain(1, {0.9 * radius, 0, 0}, radius)});
    run.step(setups::for_ever);
    const View seen = view(run);
    ASSERT_EQ(seen.contacts.size(), 1u);
    EXPECT_NEAR(seen.contacts.gap[0], -0.2 * radius, 1e-15);
    EXPECT_NEAR(seen.contacts.normal_force[0], 1e4 * 0.2 * radius, 1e-9);
}

/// Random grains that overlap, with every law that acts between two of them.
TEST(SoftEngine, MomentumAndAngularMomentumStay) {
    for (const NormalLaw normal : {NormalLaw::linear, NormalLaw::hertz, NormalLaw::yielding,
                                   NormalLaw::latching, NormalLaw::adhesive}) {
        SoftLaws laws = linear(0.2);
        laws.normal = normal;
        laws.unloading_stiffness = 3e4, laws.adhesion_stiffness = 1e4, laws.plasticity_depth = 0.05;
        laws.modulus = 1e7, laws.yield_pressure = 1e5;
        laws.sliding = {3e3, 0.05, 0.4}, laws.rolling = {2e3, 0.05, 0.1}, laws.torsion = {2e3, 0.05, 0.1};
        laws.dynamic_ratio = 0.8;
        std::vector<Grain> grains;
        for (std::uint64_t i = 0; i < 40; ++i) {
            Random random(9, i, Purpose::order);
            const auto number = [&](double size) { return random.uniform(-size, size); };
            grains.push_back(setups::grain(i, {number(3 * radius), number(3 * radius), number(3 * radius)},
                                           (0.6 + 0.4 * random.uniform()) * radius,
                                           {number(0.3), number(0.3), number(0.3)},
                                           {number(30), number(30), number(30)}));
        }
        EngineRun run(setups::world(), soft_space(laws, 2e-6), grains);
        struct Conserved {
            Vec3 momentum{0, 0, 0}, angular{0, 0, 0};
            double scale = 0, angular_scale = 0; ///< were all to point the same way
        };
        const auto conserved = [&] {
            Conserved sum;
            const ParticleStore& store = run.store();
            for (std::size_t i = 0; i < store.owned; ++i) {
                const Vec3 p = store.mass(i) * store.body[i].velocity;
                const Vec3 orbit = cross(store.sphere[i].centre, p);
                const Vec3 spin =
                    (store.mass(i) * store.sphere[i].radius / inertia_ratio(3)) * store.body[i].surface;
                sum.momentum += p, sum.angular += orbit + spin;
                sum.scale += norm(p), sum.angular_scale += norm(orbit) + norm(spin);
            }
            return sum;
        };
        run.step(setups::for_ever); // places the grains in the box
        EXPECT_GT(measure(run).contacts, 20);
        const Conserved before = conserved();
        for (int step = 0; step < 500; ++step)
            run.step(setups::for_ever);
        const Conserved after = conserved();
        EXPECT_LT(norm(after.momentum - before.momentum), 1e-12 * after.scale) << static_cast<int>(normal);
        EXPECT_LT(norm(after.angular - before.angular), 1e-12 * after.angular_scale)
            << static_cast<int>(normal);
    }
}

TEST(SoftEngine, ElasticEnergyComesBack) {
    EngineRun run(setups::world(), soft_space(linear(0), 5e-6),
                  std::vector{setups::grain(0, {-radius, 0, 0}, radius, {0.5, 0, 0}),
                              setups::grain(1, {radius, 1e-3, 0}, radius, {-0.5, 0, 0})});
    while (run.time() < 4e-3)
        run.step(setups::for_ever);
    EXPECT_NEAR(measure(run).kinetic_energy / (0.25 * mass()), 1, 1e-4) << "of 300 steps in a contact";
}

/// Kinetic and elastic energy together stay, up to the second order of the step, in the middle of a contact
/// too.
TEST(SoftEngine, ElasticEnergyIsWhatKineticEnergyLacks) {
    EngineRun run(setups::world(), soft_space(linear(0), 5e-6),
                  std::vector{setups::grain(0, {-radius, 0, 0}, radius, {0.5, 0, 0}),
                              setups::grain(1, {radius, 0, 0}, radius, {-0.5, 0, 0})});
    const double start = 0.25 * mass();
    double most = 0;
    while (run.time() < 2e-3) {
        const double before = measure(run).kinetic_energy;
        run.step(setups::for_ever);
        // Forces were found between the two velocities.
        const double kinetic = 0.5 * (before + measure(run).kinetic_energy),
                     elastic = *run.engine->elastic_energy();
        most = std::max(most, elastic);
        ASSERT_NEAR(kinetic + elastic, start, 2e-3 * start) << "t = " << run.time();
    }
    EXPECT_NEAR(most, start, 2e-3 * start) << "all of it at the turning point";
    EXPECT_EQ(*run.engine->elastic_energy(), 0) << "the grains have parted";
}

TEST(SoftEngine, CohesionHoldsAGrainUnderTheCeiling) {
    SoftLaws laws = linear(5);
    laws.cohesion_force = 2 * 10 * mass();
    RigidSetup setup = soft_space(laws, 1e-5);
    setup.gravity = {0, 0, -10};
    setup.walls = {setups::wall({0, 0, 0.1}, {0, 0, -1})};
    EngineRun run(setups::world(), setup, std::vector{setups::grain(0, {0, 0, 0.1 - radius + 1e-6}, radius)});
    while (run.time() < 0.3)
        run.step(setups::for_ever);
    EXPECT_NEAR(run.walls()[0].reaction.z, -10 * mass(), 1e-9) << "the grain hangs";
    EXPECT_NEAR(run.store().sphere[0].centre.z, 0.1 - radius + 10 * mass() / 1e4, 1e-12);
}

/// Contacts are screened after every step here, and the grains part by more than the usual margin in one.
TEST(SoftEngine, FastGrainsLeaveNoContactBehind) {
    SoftLaws laws = linear(0);
    laws.stiffness = 1e7;
    for (int shift = 1; shift <= 20; ++shift) { // steps meet the end of the contact at different places
        const double place = (1 + 0.003 * shift) * radius;
        EngineRun run(setups::world(), soft_space(laws, 1e-5),
                      std::vector{setups::grain(0, {-place, 0, 0}, radius, {60, 0, 0}),
                                  setups::grain(1, {place, 0, 0}, radius, {-60, 0, 0})});
        std::int64_t most = 0;
        for (int step = 0; step < 30; ++step) {
            const ParticleStore& store = run.store();
            const double distance = norm(store.sphere[1].centre - store.sphere[0].centre); // as forces see it
            run.step(setups::for_ever);
            const std::int64_t contacts = measure(run).contacts;
            EXPECT_EQ(contacts, distance < 2 * radius ? 1 : 0) << "shift " << shift << ", step " << step;
            most = std::max(most, contacts);
        }
        EXPECT_EQ(most, 1);
    }
}

TEST(SoftEngine, GrainRestsOnTheFloor) {
    RigidSetup setup = soft_space(linear(5), 1e-5);
    setup.gravity = {0, 0, -10};
    setup.walls = {setups::wall({0, 0, -0.1}, {0, 0, 1})};
    EngineRun run(setups::world(), setup, std::vector{setups::grain(0, {0, 0, -0.1 + radius}, radius)});
    while (run.time() < 0.2)
        run.step(setups::for_ever);
    EXPECT_NEAR(run.walls()[0].reaction.z, -10 * mass(), 1e-9);
    EXPECT_NEAR(run.store().sphere[0].centre.z, -0.1 + radius - 10 * mass() / 1e4, 1e-12);
}

TEST(SoftEngine, PistonPressesWithItsForce) {
    RigidSetup setup = soft_space(linear(5), 1e-5);
    setup.walls = {setups::wall({0, 0, -radius}, {0, 0, 1}),
                   setups::piston({0, 0, 1.01 * radius}, {0, 0, -1}, 0.05, 3)};
    EngineRun run(setups::world(), setup, std::vector{setups::grain(0, {0, 0, 0}, radius)});
    while (run.time() < 1)
        run.step(setups::for_ever);
    EXPECT_NEAR(run.walls()[1].reaction.z, 3, 1e-6);
    EXPECT_NEAR(run.walls()[0].reaction.z, -3, 1e-6);
    EXPECT_NEAR(run.walls()[1].point.z, radius - 2 * 3 / 1e4, 1e-9) << "both contacts give way";
}

/// Nothing in the way: m dv/dt = F - c v.
TEST(SoftEngine, DampedPistonReachesItsSpeed) {
    RigidSetup setup = soft_space(linear(5), 1e-4);
    setup.walls = {setups::piston({0, 0, 0.4}, {0, 0, -1}, 0.01, 0.02)};
    setup.walls[0].damping = 0.5;
    EngineRun run(setups::world(), setup, std::vector{setups::grain(0, {0, 0, -0.4}, radius)});
    while (run.time() < 0.02)
        run.step(setups::for_ever);
    EXPECT_NEAR(run.walls()[0].velocity.z, -0.04 * (1 - std::exp(-0.02 * 0.5 / 0.01)), 1e-3 * 0.04);
    while (run.time() < 0.5)
        run.step(setups::for_ever);
    EXPECT_NEAR(run.walls()[0].velocity.z, -0.04, 1e-9);
}

TEST(SoftEngine, FixedGrainsStay) {
    RigidSetup setup = soft_space(linear(0), 1e-5);
    setup.gravity = {0, 0, -10};
    setup.materials = MaterialTable({{"grain", 1000, 0.5}, {"rough", 1000, 0.5, true}});
    ContactLaws laws;
    laws.soft = linear(0);
    for (const int other : {0, 1})
        setup.materials.set(0, other, laws), setup.materials.set(1, other, laws);
    std::vector<Grain> grains{setups::grain(0, {0, 0, 0}, radius),
                              setups::grain(1, {0, 0, 1.9 * radius}, radius)};
    grains[0].material = 1;
    EngineRun run(setups::world(), setup, grains);
    for (int step = 0; step < 50; ++step)
        run.step(setups::for_ever);
    const auto fixed = std::ranges::find(run.store().id, 0u) - run.store().id.begin();
    EXPECT_EQ(run.store().sphere[static_cast<std::size_t>(fixed)].centre, (Vec3{0, 0, 0}));
    EXPECT_GT(run.store().body[static_cast<std::size_t>(1 - fixed)].velocity.z, 0.1)
        << "the other one is pushed up";
}

TEST(SoftEngine, ForcesOutOfBoundsStopTheRun) {
    EngineRun run(setups::world(), soft_space(linear(1e9), 1e-6),
                  std::vector{setups::grain(0, {-0.9 * radius, 0, 0}, radius, {1, 0, 0}),
                              setups::grain(1, {0.9 * radius, 0, 0}, radius, {-1, 0, 0})});
    EXPECT_THROW(run.step(setups::for_ever), NumericalError);
}

/// The volume fraction grows by d g dt/a in a step: 3e-4 of it between looks.
TEST(SoftEngine, IsLookedAtOftenWhileRadiiGrow) {
    const auto looks = [](const Growth& growth, double step, double grown_for = 0) {
        EngineRun run(setups::world(), soft_space(linear(0), step),
                      std::vector{setups::grain(0, {}, radius)});
        run.world.set_growth(growth);
        run.world.grow(grown_for);
        return run.engine->steps_between_looks();
    };
    EXPECT_EQ(looks({}, 1e-6), 500);
    EXPECT_EQ(looks({.rate = radius}, 1.01e-6), 99);
    EXPECT_EQ(looks({.relative_rate = 1}, 1.01e-6), 99);
    EXPECT_EQ(looks({.relative_rate = 1}, 1e-9), 500);
    EXPECT_EQ(looks({.relative_rate = 1}, 1e-4), 10) << "a look costs some steps";
    EXPECT_EQ(looks({.rate = radius}, 1.01e-6, 1), 99) << "the same after a restart";
}

} // namespace
} // namespace tamp
