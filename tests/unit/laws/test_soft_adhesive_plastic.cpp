#include "tamp/laws/soft/adhesive_plastic.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "soft_collision.hpp"
#include "soft_law_checks.hpp"
#include "tamp/laws/soft/hysteretic_scales.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::AdhesivePlastic;

/// Of the equal grains with a mean radius of 2 mm, delta* = 500/400 x 0.08 x 2 mm = 0.2 mm.
constexpr AdhesivePlastic law{.k1 = 100, .k2 = 500, .kc = 300, .plasticity_depth = 0.08};
constexpr double star = 0.2e-3;

double force_at(const AdhesivePlastic& with, double delta, double& memory) {
    auto touch = equal_grains();
    touch.overlap = delta;
    return with.force(touch, memory).elastic;
}

/// k_2' of [004 eq. 8]
double unloading_slope(double largest) { return largest < star ? 100 + 400 * largest / star : 500; }

TEST(SoftAdhesivePlastic, EveryBranchOfACycle) {
    EXPECT_DOUBLE_EQ(law.constant_from(2e-3), star);
    for (const double largest : {0.05e-3, 0.15e-3, star, 0.4e-3}) {
        const double k = unloading_slope(largest), zero = (1 - 100 / k) * largest;
        const double least_at = (k - 100) * largest / (k + 300), unit = 100 * largest;
        double memory = 0;
        for (const double share : {0.3, 0.7, 1.0}) // loads with k1
            EXPECT_NEAR(force_at(law, share * largest, memory), share * unit, 1e-14 * unit);
        const double between = 0.5 * (zero + largest), below = 0.5 * (zero + least_at);
        EXPECT_NEAR(force_at(law, between, memory), k * (between - zero), 1e-13 * unit);
        EXPECT_NEAR(force_at(law, zero, memory), 0, 1e-13 * unit);
        EXPECT_NEAR(force_at(law, below, memory), k * (below - zero), 1e-13 * unit); // pulls
        EXPECT_LT(force_at(law, below, memory), 0);
        EXPECT_NEAR(force_at(law, between, memory), k * (between - zero), 1e-13 * unit); // reloads
        EXPECT_NEAR(force_at(law, 1.1 * largest, memory), 1.1 * unit, 1e-13 * unit);     // loads on
        EXPECT_EQ(memory, 1.1 * largest);
        memory = largest;
        EXPECT_NEAR(force_at(law, least_at * (1 + 1e-12), memory), -300 * least_at, 1e-10 * unit); // pull-off
        EXPECT_NEAR(memory, largest, 1e-10 * largest);
        EXPECT_DOUBLE_EQ(force_at(law, 0.5 * least_at, memory), -150 * least_at); // adhesive branch
        EXPECT_LT(memory, largest);
        EXPECT_EQ(force_at(law, 0, memory), 0);
        EXPECT_EQ(memory, 0);
    }
}

/// What the spring holds is what the force does on the way to where it vanishes; the energy counts from
/// where the grains part instead. Without adhesion there is no difference.
TEST(SoftAdhesivePlastic, StoredEnergyCountsFromWhereTheForceVanishes) {
    auto touch = equal_grains();
    constexpr AdhesivePlastic dry{.k1 = 100, .k2 = 500, .kc = 0, .plasticity_depth = 0.08};
    for (const double largest : {0.05e-3, 0.15e-3, star, 0.4e-3}) {
        const double k = unloading_slope(largest), zero = (1 - 100 / k) * largest;
        const double least_at = (k - 100) * largest / (k + 300);
        double difference = 0;
        for (const double share : {0.01, 0.3, 0.6, 1.0}) {
            touch.overlap = least_at + share * (largest - least_at);
            const double way = touch.overlap - zero, stored = law.stored(touch, largest);
            EXPECT_NEAR(stored, 0.5 * k * way * way, 1e-13 * k * largest * largest);
            EXPECT_DOUBLE_EQ(dry.stored(touch, largest), dry.energy(touch, largest));
            if (share > 0.01) {
                EXPECT_NEAR(stored - law.energy(touch, largest), difference, 1e-13 * k * largest * largest);
            }
            difference = stored - law.energy(touch, largest);
            EXPECT_GT(difference, 0);
        }
        touch.overlap = -1e-6;
        EXPECT_EQ(law.stored(touch, 0.0), 0);
    }
}

TEST(SoftAdhesivePlastic, LeastForceIsAtPullOff) {
    double memory = 0, least = 0, least_at = 0;
    const double largest = 0.3e-3;
    force_at(law, largest, memory);
    for (int i = 30000; i > 0; --i) {
        const double force = force_at(law, largest * i / 30000, memory);
        if (force < least)
            least = force, least_at = largest * i / 30000;
    }
    EXPECT_NEAR(least_at, 400 * largest / 800, 1e-4 * largest);
    EXPECT_NEAR(least, -300 * least_at, 1e-12);
}

TEST(SoftAdhesivePlastic, ReloadsFromTheAdhesiveBranchWithoutAJump) {
    Random random = random_numbers(81);
    int constant = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const double largest = random.uniform(0.02e-3, 0.6e-3);
        const double k = unloading_slope(largest), least_at = (k - 100) * largest / (k + 300);
        const double delta = random.uniform(0.05, 0.999) * least_at, unit = 100 * largest;
        double memory = 0;
        force_at(law, largest, memory);
        ASSERT_DOUBLE_EQ(force_at(law, delta, memory), -300 * delta);
        // The line of the new largest overlap passes through the present point, with the slope of eq. 8.
        const double shrunk = memory, slope = unloading_slope(shrunk);
        ASSERT_LT(shrunk, largest);
        ASSERT_NEAR(slope * delta - (slope - 100) * shrunk, -300 * delta, 1e-12 * unit);
        constant += shrunk > star;
        for (int again = 0; again < 5; ++again) { // no sawtooth: it moves along this line to and fro
            const double up = delta + 0.1 * (shrunk - delta);
            ASSERT_NEAR(force_at(law, up, memory), -300 * delta + slope * (up - delta), 1e-12 * unit);
            ASSERT_NEAR(force_at(law, delta, memory), -300 * delta, 1e-12 * unit);
            ASSERT_NEAR(memory, shrunk, 1e-12 * shrunk);
        }
        ASSERT_NEAR(force_at(law, shrunk, memory), 100 * shrunk, 1e-11 * unit); // reaches the loading line
    }
    EXPECT_GT(constant, 200);
    EXPECT_LT(constant, 1800);
}

TEST(SoftAdhesivePlastic, SpecialCases) {
    double memory = 0;
    const AdhesivePlastic linear{.k1 = 100, .k2 = 100, .kc = 300, .plasticity_depth = 0.1};
    for (const double delta : {1e-4, 3e-4, 1e-4, 1e-6, 2e-4}) // k1 = k2: a linear spring, with a load of kc
        EXPECT_DOUBLE_EQ(force_at(linear, delta, memory), 100 * delta);
    const AdhesivePlastic dry{.k1 = 100, .k2 = 500, .kc = 0, .plasticity_depth = 0};
    memory = 0;
    force_at(dry, 1e-4, memory);
    EXPECT_EQ(memory, 1e-4);
    EXPECT_NEAR(force_at(dry, 0.9e-4, memory), 0.01 - 500 * 0.1e-4, 1e-16); // k2 from the start
    EXPECT_EQ(force_at(dry, 0.5e-4, memory), 0);                            // never pulls
    EXPECT_NEAR(force_at(dry, 0.6e-4, memory), 500 * 0.1e-4, 1e-16);        // the dent heals on the way out
    auto touch = equal_grains();
    touch.overlap = 2e-4, touch.closing_speed = 0.5;
    const AdhesivePlastic viscous{.k1 = 100, .k2 = 500, .kc = 300, .plasticity_depth = 0.08, .viscosity = 2};
    const auto force = viscous.force(touch, memory);
    EXPECT_DOUBLE_EQ(force.viscous, 1);
    EXPECT_DOUBLE_EQ(force.adhesion, 300 * 2e-4);
    EXPECT_DOUBLE_EQ(force.load(), 0.02 + 1 + 0.06);
}

TEST(SoftAdhesivePlastic, RestitutionByEnergy) {
    const auto pair = equal_grains();
    const double m = pair.reduced_mass, a = pair.mean_radius, omega = std::sqrt(law.k1 / m);
    const AdhesivePlastic weak{.k1 = 100, .k2 = 500, .kc = 20, .plasticity_depth = 0.08};
    const AdhesivePlastic dry{.k1 = 100, .k2 = 500, .kc = 0, .plasticity_depth = 0.08};
    for (const AdhesivePlastic& one : {weak, dry, law})
        for (const double largest : {0.02e-3, 0.05e-3, 0.15e-3, 0.3e-3}) {
            const double v = largest * omega, k = unloading_slope(largest), kc = one.kc;
            // e^2 = k1/k2' - kc/k1 (k2' - k1)^2/(k2' (k2' + kc))
            const double square = 100 / k - kc / 100 * (k - 100) * (k - 100) / (k * (k + kc));
            const double expected = square > 0 ? std::sqrt(square) : 0.0,
                         time = soft::contact_time(one, a, m, v);
            EXPECT_NEAR(soft::restitution(one, a, m, v), expected, 1e-12);
            const auto end = collide(one, pair, v, 1e-5 / omega, 1500000);
            EXPECT_NEAR(end.restitution, expected, 1e-4) << kc << " " << largest;
            if (square > 0)
                EXPECT_NEAR(end.duration, time, 1e-3 * time) << kc << " " << largest;
            else
                EXPECT_EQ(time, soft::forever);
        }
    EXPECT_EQ(soft::restitution(law, a, m, 0.3e-3 * omega), 0);  // some stick,
    EXPECT_GT(soft::restitution(law, a, m, 0.02e-3 * omega), 0); // some part
}

TEST(SoftAdhesivePlastic, OrderOfTheScheme) {
    const double time = 0.7 * soft::contact_time(100, 0, equal_grains().reduced_mass);
    EXPECT_GT(order(law, equal_grains(), 0.1, time, 500), 0.9);
}

TEST(SoftAdhesivePlastic, Promises) {
    for (const double depth : {0.0, 0.04, 0.08, 1.0})
        for (const double kc : {0.0, 50.0, 1000.0}) {
            const AdhesivePlastic one{100, 500, kc, depth, 2};
            expect_energy_of_cycles(one, equal_grains(), 0.4e-3);
            expect_lanes_of_law(one, equal_grains(), 0.4e-3);
        }
    expect_lanes_of_law(AdhesivePlastic{100, 100, 300, 0.1, 2}, equal_grains(), 0.4e-3);
    expect_stiffness_bound(law, equal_grains(), 0.4e-3);
}

} // namespace
