// A pair that turns as one body neither slides nor rolls nor twists [004 sec. 2.4], as the engine moves it.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "soft_setups.hpp"

namespace tamp {
namespace {

using namespace setups;
using checks::random_direction;

constexpr double stiffness = 1e4, cohesion = 2;
constexpr double one = 0.004, two = 0.01; ///< radii
const double reduced_mass = 1 / (1 / mass_of({.radius = one}) + 1 / mass_of({.radius = two}));

SoftLaws sticky_laws() {
    SoftLaws laws = linear_laws(stiffness);
    laws.cohesion_force = cohesion;
    laws.sliding = {2.0 / 7 * stiffness, 0, 0.5};
    laws.rolling = {0.2 * stiffness, 0, 0.2}, laws.torsion = {0.2 * stiffness, 0, 0.2};
    return laws;
}

struct Springs {
    double sliding, rolling, torsion; ///< lengths, m
};

Springs springs(const EngineRun& run) {
    const ColumnTable history = view(run).contacts.history;
    const auto size = [&](const char* name) { return norm(history.vectors(history.find(name).value())[0]); };
    return {size("sliding_spring"), size("rolling_spring"),
            std::abs(history.reals(history.find("torsion_spring").value())[0])};
}

/// Largest forces of friction while the pair turns by an angle, in units of the force that holds it together.
struct Felt {
    double sliding = 0, rolling = 0, torsion = 0;
    double spin_change = 0; ///< relative to the spin
    double angle = 0;       ///< of the normal with its start, rad
};

/// `spin` is across the pair. The spring is as long as it has to be: it bears what holds the pair on its
/// circle, m omega^2 l.
Felt turn(const SoftLaws& laws, const Vec3& normal, const Vec3& spin, double angle, int steps) {
    const double rate = norm(spin), centripetal = reduced_mass * rate * rate;
    // k delta - F_C = -m omega^2 (a1 + a2 - delta)
    const double overlap = (cohesion - centripetal * (one + two)) / (stiffness - centripetal);
    const double length = one + two - overlap, dt = angle / (rate * steps);
    const double share = mass_of({.radius = two}) / (mass_of({.radius = one}) + mass_of({.radius = two}));
    const Vec3 first = -(share * length) * normal, second = ((1 - share) * length) * normal;
    EngineRun run(world(), soft_space(laws, dt),
                  std::vector{grain(0, first, one, cross(spin, first), spin),
                              grain(1, second, two, cross(spin, second), spin)});
    const double unit = centripetal * length;
    Felt felt;
    for (int step = 0; step < steps; ++step) {
        run.step(for_ever);
        const Springs now = springs(run);
        felt.sliding = std::max(felt.sliding, laws.sliding.stiffness * now.sliding / unit);
        felt.rolling = std::max(felt.rolling, laws.rolling.stiffness * now.rolling / unit);
        felt.torsion = std::max(felt.torsion, laws.torsion.stiffness * now.torsion / unit);
    }
    const Vec3 now = grain_of(run, 1).position - grain_of(run, 0).position;
    felt.angle = std::acos(std::clamp(dot(now, normal) / norm(now), -1.0, 1.0));
    for (const std::uint64_t id : {0, 1})
        felt.spin_change = std::max(felt.spin_change, norm(grain_of(run, id).spin - spin) / rate);
    return felt;
}

TEST(SoftObjectivity, PairThatTurnsFeelsNoFriction) {
    Random random = checks::random_numbers(23);
    for (int trial = 0; trial < 5; ++trial) {
        const Vec3 n = random_direction(random);
        const Vec3 across = checks::tangential(random_direction(random), n);
        const Vec3 spin = (30 / norm(across)) * across;
        const double angle = 0.75 * std::numbers::pi; // wide: the tangent plane turns upside down
        const Felt coarse = turn(sticky_laws(), n, spin, angle, 4000),
                   fine = turn(sticky_laws(), n, spin, angle, 8000);
        EXPECT_NEAR(coarse.angle, angle, 1e-3);
        // What is left is the error of the step: a chord instead of an arc, (omega dt)^2/6.
        EXPECT_LT(coarse.sliding, 1e-5);
        EXPECT_NEAR(fine.sliding, 0.25 * coarse.sliding, 0.05 * coarse.sliding);
        EXPECT_LT(coarse.rolling, 1e-5);
        EXPECT_LT(coarse.torsion, 1e-9);
        EXPECT_LT(coarse.spin_change, 1e-6);
    }
}

/// Stretched springs follow the contact around [004 eq. 21].
TEST(SoftObjectivity, SpringsStayInTheTangentPlane) {
    EngineRun run(
        world(), soft_space(sticky_laws(), 1e-6),
        std::vector{grain(0, {0, 0, 0}, one, {0, 0.2, 0.1}, {5, 20, 30}),
                    grain(1, {one + two - cohesion / stiffness, 0, 0}, two, {0, -0.3, 0.2}, {-4, 9, 50})});
    const double most = 1e-12 * sticky_laws().sliding.friction * cohesion / stiffness;
    double angle = 0;
    for (int step = 0; step < 50000; ++step) {
        run.step(for_ever);
        if (step % 100 > 0)
            continue;
        const ContactView contacts = view(run).contacts;
        ASSERT_EQ(contacts.size(), 1u);
        for (const char* name : {"sliding_spring", "rolling_spring"}) {
            const Vec3 spring = contacts.history.vectors(contacts.history.find(name).value())[0];
            ASSERT_LT(std::abs(dot(spring, contacts.normal[0])), most) << name << " in step " << step;
        }
        angle = std::max(angle, std::acos(contacts.normal[0].x));
    }
    EXPECT_GT(springs(run).sliding + springs(run).rolling, 1e6 * most) << "they are stretched";
    EXPECT_GT(angle, 1) << "the pair has turned";
}

/// Each sphere turns about the line of centres, both alike: nothing twists, and no force but the normal one
/// acts.
TEST(SoftObjectivity, PairThatSpinsAboutItsNormalFeelsNothing) {
    EngineRun run(
        world(), soft_space(sticky_laws(), 1e-6),
        std::vector{grain(0, {0, 0, 0}, one, {0, 0, 0}, {50, 0, 0}),
                    grain(1, {one + two - cohesion / stiffness, 0, 0}, two, {0, 0, 0}, {50, 0, 0})});
    make_steps(run, 1000);
    EXPECT_LT(springs(run).torsion, 1e-18);
    EXPECT_LT(springs(run).sliding, 1e-18);
    EXPECT_LT(springs(run).rolling, 1e-18);
    EXPECT_LT(norm(grain_of(run, 0).spin - Vec3{50, 0, 0}), 1e-12);
}

/// The same three motions, relative this time: each stretches its own spring alone.
TEST(SoftObjectivity, EachMotionHasItsLaw) {
    const double overlap = cohesion / stiffness, arm1 = one - 0.5 * overlap, arm2 = two - 0.5 * overlap;
    const double reduced = arm1 * arm2 / (arm1 + arm2), dt = 1e-7;
    const Vec3 none{0, 0, 0}, axis{0, 0, 20};
    struct Motion {
        Vec3 spin1, spin2, velocity2;
        double sliding, rolling, torsion; ///< expected, m/s
    };
    for (const Motion& motion : {
             Motion{none, none, {0, 0.01, 0}, 0.01, 0, 0}, // [004 eq. 12]
             // Surfaces roll over each other.
             Motion{axis, -(arm1 / arm2) * axis, none, 0, reduced * 20 * (1 + arm1 / arm2), 0}, // [eq. 19]
             Motion{{20, 0, 0}, {-20, 0, 0}, none, 0, 0, reduced * 40},                         // [eq. 20]
         }) {
        EngineRun run(
            world(), soft_space(sticky_laws(), dt),
            std::vector{grain(0, {0, 0, 0}, one, none, motion.spin1),
                        grain(1, {one + two - overlap, 0, 0}, two, motion.velocity2, motion.spin2)});
        make_steps(run, 3); // springs grow from the second one on
        const Springs found = springs(run);
        const double error = 1e-6 * 2 * dt * (motion.sliding + motion.rolling + motion.torsion);
        EXPECT_NEAR(found.sliding, 2 * dt * motion.sliding, error);
        EXPECT_NEAR(found.rolling, 2 * dt * motion.rolling, error);
        EXPECT_NEAR(found.torsion, 2 * dt * motion.torsion, error);
    }
}

} // namespace
} // namespace tamp
