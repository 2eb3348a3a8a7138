#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "floor.hpp"

// Rolling and torsion friction of one particle on a plane. Both laws are linear in time, so that the discrete
// motion is the continuous one with t = n dt in velocities.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = Floor::g, radius = Floor::radius, dt = 1e-3;

/// A limit with the lever `lever` under the normal force of a particle on a plane tilted by `angle`.
struct GivenLever {
    TorqueScale scale;
    double lever;

    TorqueLimit limit(const Floor& floor, double angle) const {
        if (scale == TorqueScale::length)
            return {scale, lever, 0};
        if (scale == TorqueScale::ratio)
            return {scale, lever / radius, 0}; // the reduced radius of a plane and a sphere is the sphere's
        const double force = floor.mass() * g * std::cos(angle), modulus = 1e6;
        const double a = floor.dimension == 3 ? std::cbrt(3 * radius * force / (4 * modulus))
                                              : std::sqrt(4 * radius * force / (std::numbers::pi * modulus));
        return {scale, lever / a, modulus};
    }
};

struct RollingCase {
    int dimension;
    TorqueScale scale;
};

void PrintTo(const RollingCase& c, std::ostream* out) {
    *out << c.dimension << "-D, "
         << (c.scale == TorqueScale::length  ? "length"
             : c.scale == TorqueScale::ratio ? "ratio"
                                             : "hertz");
}

class RollingOnPlane : public testing::TestWithParam<RollingCase> {
protected:
    ContactLaws laws(double lever, double angle) const {
        return {.friction = 2, .rolling = GivenLever{GetParam().scale, lever}.limit(floor_, angle)};
    }
    Floor floor_{GetParam().dimension};
};

TEST_P(RollingOnPlane, RestsBelowTheCriticalAngle) {
    // The weight turns it about the contact with r sin(angle), rolling friction bears l cos(angle).
    for (const double angle : {0.1, 0.4, 1.0}) {
        const double critical = radius * std::tan(angle);
        RigidRun engine = floor_.engine(laws(1.001 * critical, angle), angle, dt);
        const Vec3 start = grains_of(engine).at(0).position;
        for (int n = 1; n <= 500; ++n)
            engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        EXPECT_LT(norm(now.position - start), 1e-14);
        EXPECT_LT(norm(now.velocity), 1e-14);
        EXPECT_LT(norm(now.spin) * radius, 1e-14);
        EXPECT_LT(norm(engine.walls()[0].reaction - floor_.mass() * engine.setup().gravity),
                  1e-9 * floor_.mass() * g);
    }
}

TEST_P(RollingOnPlane, RollsDownAboveIt) {
    for (const double angle : {0.1, 0.4, 1.0})
        for (const double share : {0.999, 0.5, 0.1}) {
            const double lever = share * radius * std::tan(angle);
            RigidRun engine = floor_.engine(laws(lever, angle), angle, dt);
            const double a =
                g * (std::sin(angle) - lever / radius * std::cos(angle)) * floor_.kappa / (1 + floor_.kappa);
            for (int n = 1; n <= 100; ++n) {
                engine.step(for_ever);
                const Grain now = grains_of(engine).at(0);
                ASSERT_NEAR(now.velocity.x, n * dt * a, 1e-13 * n) << "angle " << angle << ", step " << n;
                ASSERT_NEAR(dot(now.spin, floor_.axle) * radius, n * dt * a, 1e-13 * n);
                ASSERT_NEAR(now.position.x, 0.5 * a * dt * dt * n * (n + 1), 1e-13);
            }
        }
}

TEST_P(RollingOnPlane, RollsOutOnTheLevel) {
    const double lever = 0.2 * radius, v0 = 0.3;
    const double slower = lever / radius * g * floor_.kappa / (1 + floor_.kappa);
    const int stop = static_cast<int>(std::ceil(v0 / (slower * dt)));
    RigidRun engine = floor_.engine(laws(lever, 0), 0, dt, {v0, 0, 0}, (v0 / radius) * floor_.axle);
    for (int n = 1; n <= stop + 20; ++n) {
        engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        const double v = n < stop ? v0 - n * dt * slower : 0.0;
        ASSERT_NEAR(now.velocity.x, v, 1e-13) << "step " << n << ", stops in " << stop;
        ASSERT_NEAR(dot(now.spin, floor_.axle) * radius, v, 1e-13) << "step " << n;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RollingOnPlane,
    testing::Values(RollingCase{3, TorqueScale::length}, RollingCase{3, TorqueScale::ratio},
                    RollingCase{3, TorqueScale::hertz}, RollingCase{2, TorqueScale::length},
                    RollingCase{2, TorqueScale::ratio}, RollingCase{2, TorqueScale::hertz}));

TEST(TorquesOnPlane, SlidesAndRollsWithBothLimits) {
    // Little friction and little rolling friction: the plane holds neither, a = g (sin - mu cos), and the
    // spin grows by the friction's torque less the rolling torque.
    for (const int dimension : {3, 2}) {
        const Floor floor(dimension);
        const double angle = 0.8, mu = 0.1, lever = 0.03 * radius;
        RigidRun engine =
            floor.engine({.friction = mu, .rolling = {TorqueScale::length, lever, 0}}, angle, dt);
        const double a = g * (std::sin(angle) - mu * std::cos(angle));
        const double surface = floor.kappa * (mu - lever / radius) * g * std::cos(angle);
        for (int n = 1; n <= 100; ++n) {
            engine.step(for_ever);
            const Grain now = grains_of(engine).at(0);
            ASSERT_NEAR(now.velocity.x, n * dt * a, 1e-13 * n);
            ASSERT_NEAR(dot(now.spin, floor.axle) * radius, n * dt * surface, 1e-13 * n);
        }
    }
}

class SpinOnPlane : public testing::TestWithParam<bool> {};

TEST_P(SpinOnPlane, DecaysLinearlyAndStops) {
    // I domega = mu_n m g dt with I = 2/5 m r^2. Alone, torsion has the same limit whether it is coupled or
    // not.
    const Floor floor(3);
    const double mu_n = 0.002, rate = 2.5 * mu_n * g / (radius * radius), omega = 35;
    for (const double sign : {1.0, -1.0})
        for (const TorqueScale scale : {TorqueScale::length, TorqueScale::ratio, TorqueScale::hertz}) {
            const ContactLaws laws{.friction = 0.5,
                                   .torsion = GivenLever{scale, mu_n}.limit(floor, 0),
                                   .coupled_torsion = GetParam()};
            RigidRun engine = floor.engine(laws, 0, dt, {0, 0, 0}, {0, 0, sign * omega});
            const int stop = static_cast<int>(std::ceil(omega / (rate * dt)));
            ASSERT_GT(stop, 50);
            for (int n = 1; n <= stop + 20; ++n) {
                engine.step(for_ever);
                const Grain now = grains_of(engine).at(0);
                const double left = n < stop ? omega - n * dt * rate : 0.0;
                ASSERT_LT(norm(now.spin - Vec3{0, 0, sign * left}), 1e-11) << "step " << n << " of " << stop;
                ASSERT_LT(norm(now.velocity), 1e-14);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Coupling, SpinOnPlane, testing::Bool());

TEST(TorquesOnPlane, CouplingWeakensBoth) {
    // A sphere that slides and spins: with the shared limit both are braked less than each alone, and the two
    // shares of the limit are the sides of a right-angled triangle.
    const Floor floor(3);
    const double mu = 0.3, mu_n = 0.002, v = 0.5, omega = 100;
    const ContactLaws laws{
        .friction = mu, .torsion = {TorqueScale::length, mu_n, 0}, .coupled_torsion = true};
    RigidRun engine = floor.engine(laws, 0, dt, {v, 0, 0}, {0, 0, omega});
    double last_v = v, last_spin = omega;
    for (int n = 1; n <= 20; ++n) {
        engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        const double friction = (last_v - now.velocity.x) / (mu * g * dt);
        const double torsion = (last_spin - now.spin.z) / (2.5 * mu_n * g / (radius * radius) * dt);
        last_v = now.velocity.x, last_spin = now.spin.z;
        ASSERT_NEAR(std::hypot(friction, torsion), 1, 1e-10) << "step " << n;
        ASSERT_GT(friction, 0.3);
        ASSERT_GT(torsion, 0.3);
        // The new velocities point along the normal of the limit's ellipse: u : omega = x/mu^2 : z/mu_n^2.
        const double slip = now.velocity.x - dot(now.spin, floor.axle) * radius;
        ASSERT_NEAR(slip * torsion * mu / (now.spin.z * mu_n * friction), 1, 1e-9);
    }
}

} // namespace
