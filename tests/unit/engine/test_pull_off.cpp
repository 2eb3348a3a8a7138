#include <cmath>

#include <gtest/gtest.h>

#include "setups.hpp"

// Two spheres that are pulled apart: a force F_C at zero distance, or an energy E_C over the range d_C =
// E_C/F_C.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = 9.81, radius = 0.01;
const double mass = 1000.0 * grain_volume(radius, 3), weight = mass * g;

/// Sphere 0 is held where it is, sphere 1 hangs under it.
RigidRun hanging(const Cohesion& cohesion, double dt) {
    RigidSetup setup = open_space(0.4, 0, dt);
    setup.materials = MaterialTable({{"grain", 1000.0, 0.3}, {"held", 1000.0, 0.3, true}});
    setup.materials.set(0, 1, {.friction = 0.3, .cohesion = cohesion});
    setup.gravity = {0, 0, -g};
    Grain top = grain(0, {0, 0, 0.1}, radius);
    top.material = 1;
    return RigidRun(world(), setup, std::vector<Grain>{top, grain(1, {0, 0, 0.1 - 2 * radius}, radius)});
}

double gap_of(const RigidRun& engine) {
    const auto grains = grains_of(engine);
    return norm(grains.at(1).position - grains.at(0).position) - 2 * radius;
}

/// Two free spheres that touch and fly apart.
RigidRun opening(const Cohesion& cohesion, double speed, double dt) {
    RigidSetup setup = open_space(0.4, 0, dt);
    setup.materials.set(0, 0, {.friction = 0.3, .cohesion = cohesion});
    return RigidRun(world(), setup,
                    std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {-0.5 * speed, 0, 0}),
                                       grain(1, {radius, 0, 0}, radius, {0.5 * speed, 0, 0})});
}

double speed_of(const RigidRun& engine) {
    const auto grains = grains_of(engine);
    return grains.at(1).velocity.x - grains.at(0).velocity.x;
}

TEST(PullOff, AWeightBelowTheForceHangsForEver) {
    for (const double range : {0.0, 1e-4}) {
        RigidRun engine = hanging({.value = 1.02 * weight, .range = range}, 1e-3);
        for (int n = 1; n <= 10000; ++n)
            engine.step(for_ever);
        EXPECT_LT(std::abs(gap_of(engine)), 1e-6 * radius);
        EXPECT_LT(norm(grains_of(engine).at(1).velocity), 1e-11);
        EXPECT_EQ(grains_of(engine).at(0).position, (Vec3{0, 0, 0.1}));
    }
}

TEST(PullOff, AWeightAboveTheForceFallsAtOnce) {
    // The contact pulls with F_C in the first step; then the gap is open, and the force is gone.
    const double dt = 1e-3, force = 0.98 * weight;
    RigidRun engine = hanging({.value = force}, dt);
    for (int n = 1; n <= 50; ++n) {
        engine.step(for_ever);
        const double v = n * dt * g - dt * force / mass;
        ASSERT_NEAR(grains_of(engine).at(1).velocity.z, -v, 1e-12) << "step " << n;
        ASSERT_GT(gap_of(engine), 0.99 * dt * dt * (g - force / mass));
    }
}

TEST(PullOff, ScalesOfTheForce) {
    // The reduced radius of the two is r/2, the mean mass m.
    const auto hangs = [](const Cohesion& cohesion) {
        RigidRun engine = hanging(cohesion, 1e-3);
        for (int n = 1; n <= 20; ++n)
            engine.step(for_ever);
        return gap_of(engine) < 1e-6 * radius;
    };
    EXPECT_TRUE(hangs({.scale = CohesionScale::radius, .value = 1.01 * weight / (radius / 2)}));
    EXPECT_FALSE(hangs({.scale = CohesionScale::radius, .value = 0.99 * weight / (radius / 2)}));
    EXPECT_TRUE(hangs({.scale = CohesionScale::bond, .value = 1.01}));
    EXPECT_FALSE(hangs({.scale = CohesionScale::bond, .value = 0.99}));
    EXPECT_FALSE(hangs({}));
}

/// Kinetic energy of the hanging sphere when it leaves the range, and the work of gravity until then.
struct Departure {
    double kinetic = 0, work = 0;
    int steps = 0;
};

Departure departure(const Cohesion& cohesion, double range, double dt) {
    RigidRun engine = hanging(cohesion, dt);
    Departure result;
    while (gap_of(engine) < range && result.steps < 100000) {
        engine.step(for_ever);
        ++result.steps;
    }
    const double v = norm(grains_of(engine).at(1).velocity);
    result.kinetic = 0.5 * mass * v * v;
    result.work = weight * gap_of(engine);
    return result;
}

TEST(PullOff, AHeavyWeightLeavesWithWhatTheEnergyLeavesIt) {
    const double force = 0.5 * weight, range = 1e-4, energy = force * range;
    const Cohesion as_energy{.value = force, .energy = energy}, as_range{.value = force, .range = range};
    const Departure coarse = departure(as_energy, range, 5e-5), fine = departure(as_energy, range, 5e-6);
    EXPECT_GT(coarse.steps, 100);
    EXPECT_NEAR(coarse.kinetic / (coarse.work - energy), 1, 0.01);
    EXPECT_NEAR(fine.kinetic / (fine.work - energy), 1, 0.001);
    EXPECT_NEAR((coarse.kinetic - coarse.work) / (fine.kinetic - fine.work), 1, 0.01); // what cohesion took
    EXPECT_NEAR(departure(as_range, range, 5e-5).kinetic, coarse.kinetic, 1e-12 * coarse.kinetic);
}

constexpr double pair_force = 0.02, pair_energy = 2e-6, pair_range = pair_energy / pair_force;
const double reduced = 0.5 * mass, escape_speed = std::sqrt(2 * pair_energy / reduced);

TEST(PullOff, AFreePairEscapesIfItHasTheEnergy) {
    // Every step but the last takes F_C dt/m_red of the speed; the range is left after some hundred steps.
    for (const double share : {1.01, 1.1, 1.5, 3.0}) {
        std::vector<double> left;
        for (const double dt : {1e-5, 1e-6}) {
            RigidRun engine = opening({.value = pair_force, .energy = pair_energy}, share * escape_speed, dt);
            int steps = 0;
            while (gap_of(engine) < 1.05 * pair_range && steps < 20000)
                engine.step(for_ever), ++steps;
            ASSERT_GT(gap_of(engine), pair_range) << share;
            EXPECT_GT(steps, share < 2 ? 100 : 70);
            const double v = speed_of(engine);
            engine.step(for_ever);
            EXPECT_EQ(speed_of(engine), v); // free
            left.push_back(0.5 * reduced * v * v);
            // E - E_C, to 1 % of the energies involved.
            EXPECT_NEAR(left.back(), pair_energy * (share * share - 1), 0.01 * pair_energy * share * share);
            EXPECT_LT(norm(conserved(engine).momentum), 1e-15);
        }
        EXPECT_NEAR(left[0], left[1], 0.01 * pair_energy * share * share) << share;
    }
}

TEST(PullOff, AFreePairWithoutTheEnergyStaysWhereItStops) {
    // It opens by m_red v^2/(2 F_C) and is neither released nor pulled back.
    for (const double share : {0.99, 0.9, 0.5})
        for (const double dt : {1e-5, 2e-6}) {
            RigidRun engine = opening({.value = pair_force, .energy = pair_energy}, share * escape_speed, dt);
            const int stop = static_cast<int>(std::ceil(share * escape_speed * reduced / (pair_force * dt)));
            for (int n = 1; n <= stop; ++n) {
                engine.step(for_ever);
                const double v = std::max(0.0, share * escape_speed - n * dt * pair_force / reduced);
                ASSERT_NEAR(speed_of(engine), v, 1e-12) << "step " << n;
            }
            const double gap = gap_of(engine);
            EXPECT_NEAR(gap, share * share * pair_range, 0.01 * pair_range);
            for (int n = 1; n <= 500; ++n)
                engine.step(for_ever);
            EXPECT_NEAR(gap_of(engine), gap, 1e-14);
            EXPECT_LT(std::abs(speed_of(engine)), 1e-13);
        }
}

TEST(PullOff, AWeakenedPairIsClosedByAPushOnly) {
    // A pair that has stopped half-way open is hit from outside by a third sphere of its kind without
    // cohesion of its own: the gap closes, and the bond is whole again.
    const double dt = 1e-5, share = 0.7, v = share * escape_speed;
    RigidSetup setup = open_space(0.4, 0, dt);
    setup.materials = MaterialTable({{"grain", 1000.0, 0.0}, {"smooth", 1000.0, 0.0}});
    setup.materials.set(0, 0, {.cohesion = {.value = pair_force, .energy = pair_energy}});
    Grain third = grain(2, {3 * radius + 3e-4, 0, 0}, radius, {-0.02, 0, 0});
    third.material = 1;
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {-0.5 * v, 0, 0}),
                                       grain(1, {radius, 0, 0}, radius, {0.5 * v, 0, 0}), third});
    double widest = 0;
    for (int n = 1; n <= 5000; ++n) {
        engine.step(for_ever);
        widest = std::max(widest, gap_of(engine));
    }
    EXPECT_NEAR(widest, share * share * pair_range, 0.01 * pair_range);
    EXPECT_LT(std::abs(gap_of(engine)), 1e-9 * radius);
    EXPECT_NEAR(speed_of(engine), 0, 1e-12);
}

TEST(PullOff, WithoutAnEnergyTheStepDecides) {
    // [003 eq. 9]: v+ = v - dt C_0/m_red. What a step cannot stop is gone: the same pair opens with a short
    // step and stays closed with a long one.
    const double v = 0.02, critical = v * reduced / pair_force;
    for (const double share : {0.1, 0.5, 0.99}) {
        RigidRun engine = opening({.value = pair_force}, v, share * critical);
        for (int n = 1; n <= 20; ++n) {
            engine.step(for_ever);
            ASSERT_NEAR(speed_of(engine), v * (1 - share), 1e-13) << "share " << share << ", step " << n;
        }
    }
    for (const double share : {1.01, 1.5, 5.0}) {
        RigidRun engine = opening({.value = pair_force}, v, share * critical);
        for (int n = 1; n <= 20; ++n) {
            engine.step(for_ever);
            ASSERT_NEAR(speed_of(engine), 0, 1e-13) << "share " << share << ", step " << n;
        }
        EXPECT_NEAR(gap_of(engine), 0, 1e-15);
    }
}

TEST(PullOff, AnImpulseThresholdDoesNotDependOnTheStep) {
    // [003 sec. 4]: I_0 = F_C t_0, whatever dt.
    const double v = 0.02, time = 5e-4, kept = v - pair_force * time / reduced;
    ASSERT_GT(kept, 0.1 * v);
    for (const double dt : {1e-3, 1e-4, 2e-5}) {
        RigidRun engine = opening({.value = pair_force, .impulse_time = time}, v, dt);
        for (int n = 1; n <= 20; ++n) {
            engine.step(for_ever);
            ASSERT_NEAR(speed_of(engine), kept, 1e-13) << "dt " << dt << ", step " << n;
        }
        RigidRun held = opening({.value = pair_force, .impulse_time = 1.01 * time * v / (v - kept)}, v, dt);
        held.step(for_ever);
        EXPECT_NEAR(speed_of(held), 0, 1e-13);
    }
    // A hanging weight is held as long as its impulse m g dt stays below.
    const Cohesion threshold{.value = 2 * weight, .impulse_time = 1e-3};
    for (const double dt : {5e-4, 1.9e-3, 2.1e-3}) {
        RigidRun engine = hanging(threshold, dt);
        for (int n = 1; n <= 20; ++n)
            engine.step(for_ever);
        EXPECT_EQ(gap_of(engine) < 1e-6 * radius, dt < 2e-3) << dt;
    }
}

TEST(PullOff, AnInelasticImpactMakesABond) {
    // Two that meet stick: with a range they keep together even if they are then pulled with a little less.
    RigidSetup setup = open_space(0.4, 0, 1e-3);
    setup.materials.set(0, 0, {.cohesion = {.value = pair_force, .energy = pair_energy}});
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {0.1, 0, 0}),
                                       grain(1, {radius + 5.5e-4, 0, 0}, radius)});
    for (int n = 1; n <= 10; ++n)
        engine.step(for_ever);
    EXPECT_NEAR(speed_of(engine), 0, 1e-12);
    ASSERT_EQ(engine.pairs().size(), 1u);
    EXPECT_EQ(engine.bond(0), rigid::Bond::held);
}

TEST(PullOff, SpheresThatNeverTouchedDoNotAttract) {
    RigidSetup setup = open_space(0.4, 0, 1e-4);
    setup.materials.set(0, 0, {.cohesion = {.value = pair_force, .energy = pair_energy}});
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {0, 0.05, 0}),
                                       grain(1, {radius + 0.2 * pair_range, 0, 0}, radius, {0.001, 0, 0})});
    for (int n = 1; n <= 100; ++n)
        engine.step(for_ever);
    EXPECT_EQ(grains_of(engine).at(0).velocity, (Vec3{0, 0.05, 0}));
    EXPECT_EQ(grains_of(engine).at(1).velocity, (Vec3{0.001, 0, 0}));
}

} // namespace
