#include "tamp/laws/rigid/rolling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using rigid::SlidingAndRolling;

/// Sliding and rolling at one contact; x, y, u and s are across the normal, in two dimensions along one line.
struct Plane {
    Vec3 x, y, u, s; ///< u and s with x and y in them
    double a, b, c, slip_limit, roll_limit;

    SlidingAndRolling<double> relaxed() const {
        return rigid::slide_and_roll({x, y}, u, s, a, b, c, slip_limit, roll_limit);
    }
    Plane with(const SlidingAndRolling<double>& to) const {
        Plane result = *this;
        const Vec3 dx = to.sliding - x, dy = to.rolling - y;
        result.x = to.sliding, result.y = to.rolling;
        result.u = u + a * dx + c * dy;
        result.s = s + c * dx + b * dy;
        return result;
    }
    /// How strongly sliding and rolling are coupled: at most kappa/(1 + kappa), at a wall.
    double coupling() const { return c * c / (a * b); }
};

Plane random_plane(Random& random, int dimension) {
    const double kappa = dimension == 3 ? 2.5 : 2.0, wall = kappa / (1 + kappa);
    const Vec3 n = random_direction(random), line = tangential(random_direction(random), n);
    const auto across = [&](double size) {
        return dimension == 3 ? size * tangential(random_vector(random), n) : size * random.normal() * line;
    };
    Plane plane;
    plane.x = across(1), plane.y = across(1), plane.u = across(2), plane.s = across(2);
    plane.a = std::exp(random.uniform(-1, 1)), plane.b = std::exp(random.uniform(-1, 1));
    const double coupling = random.below(3) == 0 ? wall : random.uniform(0, wall);
    plane.c = (random.below(2) ? 1 : -1) * std::sqrt(coupling * plane.a * plane.b);
    plane.slip_limit = random.uniform(0, 3), plane.roll_limit = random.uniform(0, 3);
    return plane;
}

enum Friction { stick, slip };

/// The conditions of the minimum: within the limit at rest, or at the limit and against the motion. Returns
/// by how much they are missed.
double missed(const Vec3& force, const Vec3& motion, double limit, Friction& state) {
    state = norm(force) < limit * (1 - 1e-9) ? stick : slip;
    if (state == stick)
        return norm(motion);
    return std::max(norm(norm(force) * motion + norm(motion) * force), std::abs(norm(force) - limit));
}

class Rolling : public testing::TestWithParam<int> {};

TEST_P(Rolling, SlidesAndRollsAgainstForceAndTorque) {
    Random random = random_numbers(31);
    std::array<std::array<int, 2>, 2> seen{};
    const int trials = 6000;
    for (int trial = 0; trial < trials; ++trial) {
        const Plane before = random_plane(random, GetParam()), after = before.with(before.relaxed());
        ASSERT_LE(norm(after.x), after.slip_limit * (1 + 1e-14));
        ASSERT_LE(norm(after.y), after.roll_limit * (1 + 1e-14));
        Friction slides, rolls;
        const double error = std::max(missed(after.x, after.u, after.slip_limit, slides),
                                      missed(after.y, after.s, after.roll_limit, rolls));
        ++seen[slides][rolls];
        // Where both slip, alternating cuts leave what their contraction leaves; in two dimensions nothing.
        const double left = slides == slip && rolls == slip && GetParam() == 3
                                ? 10 * std::pow(before.coupling(), rigid::most_cuts)
                                : 0.0;
        ASSERT_LT(error, 3e-13 + left)
            << "trial " << trial << ", sliding " << slides << ", rolling " << rolls;
    }
    for (const auto& row : seen)
        for (const int count : row)
            EXPECT_GT(count, trials / 50);
}

TEST_P(Rolling, DoesNotDependOnWhereItStarts) {
    // The minimum is unique: other forces to start from, with velocities to match, end in the same.
    Random random = random_numbers(32);
    for (int trial = 0; trial < 1000; ++trial) {
        const Plane plane = random_plane(random, GetParam());
        const Plane other = plane.with({0.5 * plane.u, -2.0 * plane.s});
        const auto one = plane.relaxed(), two = other.relaxed();
        ASSERT_LT(norm(one.sliding - two.sliding), 1e-12);
        ASSERT_LT(norm(one.rolling - two.rolling), 1e-12);
        const auto again = plane.with(one).relaxed();
        ASSERT_LT(norm(again.sliding - one.sliding), 1e-12);
        ASSERT_LT(norm(again.rolling - one.rolling), 1e-12);
    }
}

TEST_P(Rolling, WithoutCouplingEachIsCoulombs) {
    Random random = random_numbers(33);
    for (int trial = 0; trial < 500; ++trial) {
        Plane plane = random_plane(random, GetParam());
        plane.c = 0;
        const auto result = plane.relaxed();
        const auto coulomb = [](const Vec3& trial_force, double limit) {
            return norm(trial_force) > limit ? trial_force * (limit / norm(trial_force)) : trial_force;
        };
        ASSERT_LT(norm(result.sliding - coulomb(plane.x - (1 / plane.a) * plane.u, plane.slip_limit)), 1e-13);
        ASSERT_LT(norm(result.rolling - coulomb(plane.y - (1 / plane.b) * plane.s, plane.roll_limit)), 1e-13);
    }
}

TEST_P(Rolling, LimitsOfZeroLeaveNoForce) {
    Random random = random_numbers(34);
    for (int trial = 0; trial < 500; ++trial) {
        Plane plane = random_plane(random, GetParam());
        const double slip_limit = plane.slip_limit;
        plane.roll_limit = 0; // plain friction
        const auto sliding = plane.relaxed();
        ASSERT_EQ(sliding.rolling, (Vec3{0, 0, 0}));
        const Vec3 free = plane.with({{0, 0, 0}, {0, 0, 0}}).u, sticking = (-1 / plane.a) * free;
        const Vec3 expected =
            norm(sticking) > slip_limit ? sticking * (slip_limit / norm(sticking)) : sticking;
        ASSERT_LT(norm(sliding.sliding - expected), 1e-12);
        plane.slip_limit = 0;
        ASSERT_EQ(plane.relaxed().sliding, (Vec3{0, 0, 0}));
        ASSERT_EQ(plane.relaxed().rolling, (Vec3{0, 0, 0}));
        plane.roll_limit = 1; // smooth, but it bears torques
        const auto rolling = plane.relaxed();
        ASSERT_EQ(rolling.sliding, (Vec3{0, 0, 0}));
        Friction state;
        ASSERT_LT(missed(rolling.rolling, plane.with(rolling).s, 1, state), 1e-12);
    }
}

TEST_P(Rolling, LanesEqualScalars) {
    Random random = random_numbers(35);
    for (int trial = 0; trial < 400; ++trial) {
        std::array<Plane, lanes> planes;
        PackVec3 x, y, u, s;
        Pack a, b, c, slip_limit, roll_limit;
        for (int lane = 0; lane < lanes; ++lane) {
            Plane& plane = planes[static_cast<std::size_t>(lane)];
            plane = random_plane(random, GetParam());
            if (lane == 5) // nobody's lane
                plane = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 7, 5, 0, 0, 0};
            for (int axis = 0; axis < 3; ++axis) {
                x[axis].raw[lane] = plane.x[axis], y[axis].raw[lane] = plane.y[axis];
                u[axis].raw[lane] = plane.u[axis], s[axis].raw[lane] = plane.s[axis];
            }
            a.raw[lane] = plane.a, b.raw[lane] = plane.b, c.raw[lane] = plane.c;
            slip_limit.raw[lane] = plane.slip_limit, roll_limit.raw[lane] = plane.roll_limit;
        }
        const auto pack =
            rigid::slide_and_roll(SlidingAndRolling<Pack>{x, y}, u, s, a, b, c, slip_limit, roll_limit);
        for (int lane = 0; lane < lanes; ++lane) {
            const auto scalar = planes[static_cast<std::size_t>(lane)].relaxed();
            // The alternating cuts stop for all lanes together.
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_NEAR(pack.sliding[axis][lane], scalar.sliding[axis], 1e-13) << "lane " << lane;
                ASSERT_NEAR(pack.rolling[axis][lane], scalar.rolling[axis], 1e-13) << "lane " << lane;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Rolling, testing::Values(3, 2));

} // namespace
