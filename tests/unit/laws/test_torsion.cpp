#include "tamp/laws/rigid/torsion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "tamp/laws/rigid/coupled_torsion.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

TEST(Torsion, StopsTheSpinUpToItsLimit) {
    Random random = random_numbers(41);
    int stuck = 0, slipped = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const double tau = random.normal(), omega = random.normal(), b = random.uniform(0.3, 3),
                     limit = random.uniform(0, 2);
        const double result = rigid::twist(tau, omega, b, limit), left = omega + b * (result - tau);
        ASSERT_LE(std::abs(result), limit);
        if (std::abs(result) < limit) {
            ASSERT_LT(std::abs(left), 1e-13);
            ++stuck;
        } else {
            ASSERT_LE(left * result, 1e-13);
            ++slipped;
        }
        ASSERT_EQ(rigid::twist(tau, omega, b, 0.0), 0.0);
    }
    EXPECT_GT(stuck, 200);
    EXPECT_GT(slipped, 200);
}

/// Sliding and torsion with the limit (x/X)^2 + (z/Z)^2 <= 1.
struct Ellipsoid {
    Vec3 free_u;
    double free_omega, a, b, X, Z;

    rigid::SlidingAndTorsion<double> solved() const {
        return rigid::slide_and_twist(free_u, free_omega, a, b, X, Z);
    }
};

enum State { stick, slip };

/// By how much the conditions of the minimum are missed, in shares of the velocities and of the limits.
double missed(const Ellipsoid& problem, const rigid::SlidingAndTorsion<double>& force, State& state) {
    const Vec3 x = (1 / problem.X) * force.sliding;
    const double z = force.torsion / problem.Z, size = std::sqrt(dot(x, x) + z * z);
    const Vec3 u = problem.X * (problem.free_u + problem.a * force.sliding);
    const double omega = problem.Z * (problem.free_omega + problem.b * force.torsion);
    const double power = std::sqrt(dot(u, u) + omega * omega);
    const double scale = problem.X * norm(problem.free_u) + problem.Z * std::abs(problem.free_omega);
    state = size < 1 - 1e-9 ? stick : slip;
    if (state == stick)
        return power / scale;
    // (u, omega) points against the normal of the surface.
    return std::max({norm(u + power * x) / scale, std::abs(omega + power * z) / scale, size - 1});
}

TEST(CoupledTorsion, SlipsAgainstTheNormalOfTheLimit) {
    Random random = random_numbers(42);
    std::array<int, 2> seen{};
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 n = random_direction(random);
        const Ellipsoid problem{tangential(random_vector(random), n),
                                random.normal(),
                                random.uniform(0.3, 3),
                                random.uniform(0.3, 3),
                                random.uniform(0.01, 2),
                                random.uniform(0.01, 2)};
        State state;
        ASSERT_LT(missed(problem, problem.solved(), state), 1e-12) << "trial " << trial;
        ++seen[state];
    }
    for (const int count : seen)
        EXPECT_GT(count, 500);
}

TEST(CoupledTorsion, WorksOnAllScales) {
    // Impulses from 1e-12 to 1e3, levers of 1e-5 to 1 m, anything from a touch above the limit to a thousand
    // times, sliding and torsion alike or one of them next to nothing.
    Random random = random_numbers(43);
    std::array<int, 2> seen{};
    const auto decades = [&](double from, double to) { return std::pow(10.0, random.uniform(from, to)); };
    for (int trial = 0; trial < 20000; ++trial) {
        const Vec3 n = random_direction(random);
        Ellipsoid problem;
        problem.X = decades(-12, 3), problem.Z = problem.X * decades(-5, 0);
        problem.a = decades(-3, 12), problem.b = problem.a * decades(0, 10);
        problem.free_u = (problem.a * problem.X * decades(-3, 3)) * tangential(random_direction(random), n);
        problem.free_omega = problem.b * problem.Z * decades(-3, 3) * (random.below(2) ? 1 : -1);
        State state;
        const double error = missed(problem, problem.solved(), state);
        ASSERT_LT(error, 1e-11) << "trial " << trial << ": X " << problem.X << ", Z " << problem.Z << ", a "
                                << problem.a << ", b " << problem.b << ", u " << norm(problem.free_u)
                                << ", omega " << problem.free_omega;
        ++seen[state];
    }
    for (const int count : seen)
        EXPECT_GT(count, 500);
}

TEST(CoupledTorsion, EndPointsAreTheUncoupledLimits) {
    Random random = random_numbers(44);
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 u = random_vector(random);
        const double a = random.uniform(0.3, 3), b = random.uniform(0.3, 3), X = random.uniform(0.01, 1),
                     Z = random.uniform(0.01, 1), omega = random.normal();
        const auto sliding = rigid::slide_and_twist(u, 0.0, a, b, X, Z); // no spin
        const double share = std::min(1.0, a * X / norm(u));
        ASSERT_LT(norm(sliding.sliding + (share / a) * u), 1e-13);
        ASSERT_EQ(sliding.torsion, 0);
        const auto turning = rigid::slide_and_twist(Vec3{0, 0, 0}, omega, a, b, X, Z); // no sliding
        ASSERT_NEAR(turning.torsion, rigid::twist(0.0, omega, b, Z), 1e-13);
        ASSERT_EQ(turning.sliding, (Vec3{0, 0, 0}));
        // Both at once: less of each than alone.
        const auto both = rigid::slide_and_twist(u, omega, a, b, X, Z);
        ASSERT_LE(norm(both.sliding), norm(sliding.sliding) * (1 + 1e-12));
        ASSERT_LE(std::abs(both.torsion), std::abs(turning.torsion) * (1 + 1e-12));
    }
}

TEST(CoupledTorsion, LimitsOfZeroLeaveNoForce) {
    const Vec3 u{0.3, -2, 0}, none{0, 0, 0};
    const double omega = 1.5, a = 2, b = 5;
    for (const double limit : {0.0, 1e-3, 10.0}) {
        const auto smooth = rigid::slide_and_twist(u, omega, a, b, 0.0, limit);
        EXPECT_EQ(smooth.sliding, none);
        EXPECT_NEAR(smooth.torsion, rigid::twist(0.0, omega, b, limit), 1e-12 * (limit + 1));
        const auto untwisted = rigid::slide_and_twist(u, omega, a, b, limit, 0.0);
        EXPECT_EQ(untwisted.torsion, 0);
        const double share = std::min(1.0, a * limit / norm(u));
        EXPECT_LT(norm(untwisted.sliding + (share / a) * u), 1e-12);
    }
    const auto resting = rigid::slide_and_twist(none, 0.0, a, b, 0.0, 0.0);
    EXPECT_EQ(resting.sliding, none);
    EXPECT_EQ(resting.torsion, 0);
}

TEST(CoupledTorsion, LanesEqualScalars) {
    Random random = random_numbers(45);
    for (int trial = 0; trial < 300; ++trial) {
        std::array<Ellipsoid, lanes> problems;
        PackVec3 u;
        Pack omega, a, b, slip_limit, twist_limit;
        for (int lane = 0; lane < lanes; ++lane) {
            Ellipsoid& problem = problems[static_cast<std::size_t>(lane)];
            problem = {random_vector(random),  random.normal(),      random.uniform(0.3, 3),
                       random.uniform(0.3, 3), random.uniform(0, 2), random.uniform(0, 2)};
            if (lane == 2)
                problem = {{0, 0, 0}, 0, 7, 5, 0, 0};
            for (int axis = 0; axis < 3; ++axis)
                u[axis].raw[lane] = problem.free_u[axis];
            omega.raw[lane] = problem.free_omega, a.raw[lane] = problem.a, b.raw[lane] = problem.b;
            slip_limit.raw[lane] = problem.X, twist_limit.raw[lane] = problem.Z;
        }
        const auto pack = rigid::slide_and_twist(u, omega, a, b, slip_limit, twist_limit);
        for (int lane = 0; lane < lanes; ++lane) {
            const auto scalar = problems[static_cast<std::size_t>(lane)].solved();
            for (int axis = 0; axis < 3; ++axis)
                ASSERT_NEAR(pack.sliding[axis][lane], scalar.sliding[axis], 1e-14); // lanes stop together
            ASSERT_NEAR(pack.torsion[lane], scalar.torsion, 1e-14);
        }
    }
}

} // namespace
