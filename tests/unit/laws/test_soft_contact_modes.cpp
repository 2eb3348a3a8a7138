#include "tamp/laws/soft/contact_modes.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "tamp/laws/soft/kinematics.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::PairInertia;

constexpr double turn = 2 * std::numbers::pi;

/// Sliding and rolling acceleration, both along x, by a sliding force and a rolling quasi-force along x.
std::array<double, 2> accelerations(const PairInertia& pair, double sliding, double rolling) {
    const Vec3 n{0, 0, 1}, x{1, 0, 0};
    const auto arms = soft::arms_of(0.0, pair.inverse_radius1, pair.inverse_radius2);
    const auto loads = soft::pair_loads(n, 0.0, sliding * x, rolling * x, 0.0, arms);
    const Vec3 v = (pair.inverse_mass1 + pair.inverse_mass2) * loads.force;
    const Vec3 w1 = pair.kappa * pair.inverse_mass1 * loads.turn1,
               w2 = pair.kappa * pair.inverse_mass2 * loads.turn2;
    return {soft::sliding_velocity(n, v, w1, w2, arms).x,
            soft::rolling_velocity(n, soft::relative_spin(w1, w2, arms), arms).x};
}

TEST(SoftContactModes, InverseMassesAreThoseOfTheForces) {
    Random random = random_numbers(121);
    for (int trial = 0; trial < 200; ++trial) {
        PairInertia pair{random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(0.1, 3),
                         random.uniform(0.1, 3), trial % 2 ? 2.5 : 2.0};
        if (trial % 3 == 0)
            pair.inverse_mass1 = pair.inverse_radius1 = 0; // a wall
        const auto slid = accelerations(pair, 1, 0), rolled = accelerations(pair, 0, 1);
        ASSERT_NEAR(slid[0], pair.sliding(), 1e-12);
        ASSERT_NEAR(rolled[1], pair.rolling(), 1e-12);
        ASSERT_NEAR(std::abs(slid[1]), std::abs(pair.coupling()), 1e-12);
        ASSERT_NEAR(slid[1], rolled[0], 1e-12); // symmetric
    }
}

TEST(SoftContactModes, CoupledModesVibrateWithThePeriod) {
    Random random = random_numbers(122);
    for (int trial = 0; trial < 200; ++trial) {
        const PairInertia pair{random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(0.1, 3),
                               random.uniform(0.1, 3)};
        const soft::ModeConstants k{0, random.uniform(1, 9), random.uniform(1, 9), 0};
        const double square = std::pow(turn / soft::contact_periods(pair, k).sliding_and_rolling, 2);
        const auto slid = accelerations(pair, k.sliding, 0), rolled = accelerations(pair, 0, k.rolling);
        // The larger root of det(M^-1 K - omega^2) = 0.
        const double trace = slid[0] + rolled[1], product = slid[0] * rolled[1] - slid[1] * rolled[0];
        ASSERT_NEAR(square * square - trace * square + product, 0, 1e-11 * square * square);
        ASSERT_GT(square, 0.5 * trace * (1 - 1e-12));
        const double rate = 1 / soft::shortest_viscous_time(pair, k);
        ASSERT_NEAR(rate, square, 1e-12 * square); // the same matrix
    }
}

TEST(SoftContactModes, PeriodsOfEqualSpheres) {
    const PairInertia pair{1 / 0.2, 1 / 0.2, 1 / 0.1, 1 / 0.1};
    const soft::ModeConstants k{100, 100 * 2 / 7.0, 30, 20};
    const auto periods = soft::contact_periods(pair, k);
    EXPECT_NEAR(periods.normal, turn * std::sqrt(0.1 / 100), 1e-15);
    EXPECT_NEAR(soft::contact_periods(pair, {100, 100 * 2 / 7.0, 0, 0}).sliding_and_rolling, periods.normal,
                1e-15);
    // Torque a f with a = a1/2 turns both spheres against each other: a^2 2/I = 5/(4 m).
    EXPECT_NEAR(periods.torsion, turn / std::sqrt(20 * 1.25 / 0.2), 1e-15);
    EXPECT_NEAR(soft::contact_periods(pair, {0, 0, 30, 0}).sliding_and_rolling,
                turn / std::sqrt(30 * 1.25 / 0.2), 1e-15);
    EXPECT_EQ(periods.shortest(), periods.normal);
    EXPECT_NEAR(soft::contact_periods(pair, {1, 1, 1, 100}).shortest(), turn / std::sqrt(100 * 1.25 / 0.2),
                1e-15);
    EXPECT_NEAR(soft::shortest_viscous_time(pair, {2, 0, 0, 0}), 0.05, 1e-15); // m12/gamma
    EXPECT_NEAR(soft::shortest_viscous_time(pair, {0, 0, 0, 2}), 1 / (2 * 1.25 / 0.2), 1e-15);
    EXPECT_TRUE(std::isinf(soft::contact_periods(pair, {}).shortest()));
    EXPECT_TRUE(std::isinf(soft::shortest_viscous_time(pair, {})));
}

} // namespace
