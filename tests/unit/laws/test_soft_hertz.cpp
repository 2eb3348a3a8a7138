#include "tamp/laws/soft/hertz.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "soft_collision.hpp"
#include "soft_law_checks.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::Hertz;
using soft::SpeedExponent;

constexpr double modulus = 1e7;

/// Restitution, with steps of a fixed share of the contact time.
double restitution_of(const Hertz& law, double speed, int steps = 5000) {
    const auto pair = equal_grains();
    const double time = soft::contact_time(law, pair.reduced_radius, pair.reduced_mass, speed);
    return collide(law, pair, speed, time / steps, 10 * steps).restitution;
}

TEST(SoftHertz, IdenticalSpheres) {
    // [002 eq. 1]: F = sqrt(2 R) E/(3 (1 - nu^2)) alpha^(3/2).
    const double young = 7e7, poisson = 0.3, radius = 2e-3, alpha = 3e-5;
    const Hertz law{.modulus = young / (2 * (1 - poisson * poisson))};
    double memory = 0;
    const auto force = law.force(soft::Touch<double>{alpha, 0, 1, radius / 2, radius}, memory);
    const double expected =
        std::sqrt(2 * radius) * young / (3 * (1 - poisson * poisson)) * std::pow(alpha, 1.5);
    EXPECT_NEAR(force.elastic, expected, 1e-14 * expected);
    EXPECT_EQ(force.viscous, 0);
}

TEST(SoftHertz, PowersWithoutPowerFunction) {
    Random random = random_numbers(71);
    for (int trial = 0; trial < 200; ++trial) {
        const double delta = std::exp(random.uniform(-20, 3)), speed = random.normal();
        for (int quarters = 0; quarters <= 9; ++quarters) {
            const double power = std::pow(delta, 0.25 * quarters);
            ASSERT_NEAR(soft::quarter_power(delta, quarters), power, 4e-15 * power) << quarters;
        }
        const double sign = speed > 0 ? 1 : -1;
        ASSERT_EQ(soft::signed_power(speed, SpeedExponent::one), speed);
        ASSERT_DOUBLE_EQ(soft::signed_power(speed, SpeedExponent::two), sign * speed * speed);
        ASSERT_DOUBLE_EQ(soft::signed_power(speed, SpeedExponent::half), sign * std::sqrt(std::abs(speed)));
    }
}

TEST(SoftHertz, ContactTime) {
    const auto pair = equal_grains();
    const Hertz law{.modulus = modulus};
    const double m = pair.reduced_mass, r = pair.reduced_radius;
    EXPECT_NEAR(soft::hertz_duration(), 2.9432, 1e-4);
    for (const double speed : {0.01, 0.3, 3.0}) {
        const double time = soft::contact_time(law, r, m, speed);
        EXPECT_NEAR(time, 2.868 * std::pow(m * m / (r * modulus * modulus * speed), 0.2),
                    1e-3 * time); // [002 eq. 2]
        const auto end = collide(law, pair, speed, time / 5000, 10000);
        EXPECT_NEAR(end.duration, time, 2e-4 * time);
        EXPECT_NEAR(end.largest_overlap, soft::largest_overlap(law, r, m, speed), 1e-6 * end.largest_overlap);
        EXPECT_NEAR(end.restitution, 1, 1e-5);
        EXPECT_NEAR(soft::contact_time(law, r, m, 32 * speed), time / 2, 1e-14 * time);
    }
}

TEST(SoftHertz, ConstantRestitutionInClosedForm) {
    for (const double wanted : {0.3, 0.6, 0.9}) {
        const Hertz law{.modulus = modulus, .damping_ratio = soft::hertz_damping_ratio_of(wanted)};
        EXPECT_NEAR(soft::hertz_restitution(law.damping_ratio), wanted, 1e-14);
        for (const double speed : {0.01, 1.0})
            EXPECT_NEAR(restitution_of(law, speed, 20000), wanted, 3e-4);
    }
    EXPECT_EQ(soft::hertz_restitution(1), 0);
}

TEST(SoftHertz, RestitutionScalesWithDampingAndSpeed) {
    // The scheme, too, is similar at all speeds, so the tolerance is that of rounding.
    for (const auto& [exponent, m] :
         {std::pair{SpeedExponent::half, 0.5}, {SpeedExponent::one, 1.0}, {SpeedExponent::two, 2.0}})
        for (int quarters = 0; quarters <= 6; ++quarters) {
            const double factor = 16, power = (quarters + 5 * m - 6) / 5;
            const auto pair = equal_grains();
            const double overlap =
                soft::largest_overlap(Hertz{.modulus = modulus}, pair.reduced_radius, pair.reduced_mass, 0.5);
            Hertz law{.modulus = modulus, .overlap_quarters = quarters, .speed_exponent = exponent};
            law.damping = 0.3 * modulus * std::sqrt(pair.reduced_radius) *
                          std::pow(overlap, 1.5 - 0.25 * quarters) * std::pow(0.5, -m);
            const double slow = restitution_of(law, 0.5, 1000);
            law.damping *= std::pow(factor, -power);
            EXPECT_NEAR(restitution_of(law, 0.5 * factor, 1000), slow, 1e-9) << quarters << " " << m;
            EXPECT_GT(slow, 0.1);
            EXPECT_LT(slow, 0.95);
        }
}

TEST(SoftHertz, RestitutionAgainstSpeed) {
    const auto change = [](int quarters, double damping) {
        const Hertz law{.modulus = modulus, .damping = damping, .overlap_quarters = quarters};
        const double slow = restitution_of(law, 0.1), fast = restitution_of(law, 1.0);
        EXPECT_GT(std::min(slow, fast), 0.2);
        EXPECT_LT(std::max(slow, fast), 0.95);
        return fast - slow;
    };
    EXPECT_GT(change(0, 0.5), 0.1);     // rises
    EXPECT_NEAR(change(1, 5), 0, 1e-9); // constant: l = 1/4, not 1/2 as [002] says
    EXPECT_LT(change(2, 60), -0.05);    // falls slowly
    EXPECT_LT(change(4, 5000), -0.2);   // falls
    // Small losses with l = 1/2 grow as v^(1/5).
    const Hertz law{.modulus = modulus, .damping = 0.3, .overlap_quarters = 2};
    const double slow = 1 - restitution_of(law, 0.1, 40000), fast = 1 - restitution_of(law, 3.2, 40000);
    EXPECT_NEAR(fast / slow, 2, 0.02);
}

TEST(SoftHertz, OrderOfTheScheme) {
    const auto pair = equal_grains();
    const Hertz elastic{.modulus = modulus}, damped{.modulus = modulus, .damping_ratio = 0.2};
    const double time = 0.8 * soft::contact_time(elastic, pair.reduced_radius, pair.reduced_mass, 1);
    EXPECT_NEAR(order(elastic, pair, 1, time, 400), 2, 0.05);
    EXPECT_NEAR(order(damped, pair, 1, time, 400), 1, 0.05);
}

TEST(SoftHertz, Promises) {
    for (const auto exponent : {SpeedExponent::half, SpeedExponent::one, SpeedExponent::two})
        for (const int quarters : {0, 1, 2, 4, 7})
            expect_lanes_of_law(Hertz{modulus, 3, quarters, exponent, 0.2}, equal_grains(), 1e-4);
    expect_energy_of_cycles(Hertz{.modulus = modulus}, equal_grains(), 1e-4);
    expect_stiffness_bound(Hertz{.modulus = modulus}, equal_grains(), 1e-4);
}

} // namespace
