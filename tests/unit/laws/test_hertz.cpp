#include "tamp/laws/rigid/hertz.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

/// What a contact makes of a lever: the largest torque of the impulse p_n.
double torque_impulse(const rigid::Lever& lever, double p_n, int dimension) {
    return (lever.length + lever.growing * rigid::lever_root(p_n, dimension == 2)) * p_n;
}

TEST(TorqueLimits, LengthAndRatioDoNotDependOnForceOrStep) {
    for (const int dimension : {3, 2})
        for (const double dt : {1e-3, 1e-5}) {
            const auto length = rigid::lever({TorqueScale::length, 0.004, 0}, 0.5, dimension, dt);
            EXPECT_EQ(length.length, 0.004);
            EXPECT_EQ(length.growing, 0);
            const auto ratio = rigid::lever({TorqueScale::ratio, 0.25, 0}, 0.5, dimension, dt);
            EXPECT_EQ(ratio.length, 0.125);
            EXPECT_EQ(ratio.growing, 0);
        }
}

TEST(TorqueLimits, HertzsContactRadius) {
    // A sphere of 10 mm pressed with 2 N on a plane, E* = 1 MPa: a^3 = 3 r F/(4 E) = 1.5e-8 m^3.
    const double dt = 1e-4, force = 2, alpha = 0.1;
    const auto sphere = rigid::lever({TorqueScale::hertz, alpha, 1e6}, 0.01, 3, dt);
    EXPECT_EQ(sphere.length, 0);
    EXPECT_NEAR(torque_impulse(sphere, force * dt, 3), alpha * std::pow(1.5e-8, 1.0 / 3) * force * dt, 1e-18);
    // A disc, E* = 10 kN/m: a^2 = 4 r F/(pi E).
    const auto disc = rigid::lever({TorqueScale::hertz, alpha, 1e4}, 0.01, 2, dt);
    EXPECT_NEAR(torque_impulse(disc, force * dt, 2), alpha * std::sqrt(8e-6 / std::numbers::pi) * force * dt,
                1e-18);
}

TEST(TorqueLimits, HertzGrowsWithTheForceNotWithTheStep) {
    Random random = random_numbers(51);
    for (int trial = 0; trial < 300; ++trial) {
        const int dimension = random.below(2) ? 3 : 2;
        const double r = std::pow(10, random.uniform(-6, 0)), modulus = std::pow(10, random.uniform(3, 11));
        const double force = std::pow(10, random.uniform(-9, 3)), alpha = random.uniform(0.01, 1);
        const TorqueLimit limit{TorqueScale::hertz, alpha, modulus};
        const auto torque = [&](double f, double reduced_radius, double dt) {
            return torque_impulse(rigid::lever(limit, reduced_radius, dimension, dt), f * dt, dimension) / dt;
        };
        const double power = dimension == 3 ? 1.0 / 3 : 0.5, one = torque(force, r, 1e-3);
        ASSERT_NEAR(torque(force, r, 1e-6) / one, 1, 1e-13);
        ASSERT_NEAR(torque(8 * force, r, 1e-3) / one, 8 * std::pow(8, power), 1e-12);
        ASSERT_NEAR(torque(force, 8 * r, 1e-3) / one, std::pow(8, power), 1e-12);
        const double a = dimension == 3 ? std::cbrt(3 * r * force / (4 * modulus))
                                        : 2 * std::sqrt(r * force / (std::numbers::pi * modulus));
        ASSERT_NEAR(one / (alpha * a * force), 1, 1e-13);
    }
}

TEST(TorqueLimits, RootsOfPacksAreThoseOfNumbers) {
    Pack force;
    for (int lane = 0; lane < lanes; ++lane)
        force.raw[lane] = 0.3 * lane;
    for (const bool discs : {false, true})
        for (int lane = 0; lane < lanes; ++lane)
            EXPECT_EQ(rigid::lever_root(force, discs)[lane], rigid::lever_root(force[lane], discs));
}

} // namespace
