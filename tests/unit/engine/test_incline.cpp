#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "setups.hpp"

// One sphere or disc on a plane: sticking, the discrete motion is the continuous one with t = n dt in
// velocities.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = 9.81, radius = 0.01, dt = 1e-3;

/// The plane's normal is the last axis (z for spheres, y for discs); gravity is tilted by `angle` towards x.
struct Plane {
    int dimension;
    Vec3 up, axle; ///< axle: spin about it rolls towards +x
    double kappa;

    explicit Plane(int d)
        : dimension(d), up(d == 3 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}), axle(cross(up, Vec3{1, 0, 0})),
          kappa(d == 3 ? 2.5 : 2.0) {}

    RigidRun engine(double mu, double angle, const Vec3& velocity = {0, 0, 0}) const {
        RigidSetup setup = open_space(1.0, mu, dt, dimension);
        setup.gravity = g * std::sin(angle) * Vec3{1, 0, 0} - g * std::cos(angle) * up;
        setup.walls.push_back(wall({0, 0, 0}, up));
        return RigidRun(world(), setup, std::vector<Grain>{grain(0, radius * up, radius, velocity)});
    }
};

class OnPlane : public testing::TestWithParam<int> {};

TEST_P(OnPlane, RollsDownWithoutSlip) {
    const Plane plane(GetParam());
    for (const double angle : {0.1, 0.4, 1.0}) {
        // The limit is mu = tan(angle)/(1 + kappa): 2/7 for a sphere, 1/3 for a disc.
        const double mu = 1.001 * std::tan(angle) / (1 + plane.kappa);
        const double a = g * std::sin(angle) * plane.kappa / (1 + plane.kappa); // 5/7, 2/3
        RigidRun engine = plane.engine(mu, angle);
        for (int n = 1; n <= 200; ++n) {
            engine.step(for_ever);
            const Grain now = grains_of(engine).at(0);
            const double v = n * dt * a;
            ASSERT_LT(norm(now.velocity - Vec3{v, 0, 0}), 1e-12 * v) << "step " << n;
            ASSERT_LT(norm(now.spin - (v / radius) * plane.axle), 1e-12 * v / radius) << "step " << n;
            // Implicit Euler: the sum of the new velocities.
            ASSERT_NEAR(now.position.x, 0.5 * a * dt * dt * n * (n + 1), 1e-13) << "step " << n;
        }
        // The plane feels the weight's normal part and the friction that spins.
        const double m = mass_of(grains_of(engine).at(0), plane.dimension);
        const Vec3 expected =
            -m * g * std::cos(angle) * plane.up + m * g * std::sin(angle) / (1 + plane.kappa) * Vec3{1, 0, 0};
        EXPECT_LT(norm(engine.walls()[0].reaction - expected), 1e-11 * m * g);
    }
}

TEST_P(OnPlane, SlipsDownBelowTheLimit) {
    const Plane plane(GetParam());
    for (const double angle : {0.4, 1.0}) {
        const double mu = 0.8 * std::tan(angle) / (1 + plane.kappa);
        const double a = g * (std::sin(angle) - mu * std::cos(angle));
        const double spin_rate = plane.kappa * mu * g * std::cos(angle) / radius; // 5/2, 2
        RigidRun engine = plane.engine(mu, angle);
        for (int n = 1; n <= 200; ++n) {
            engine.step(for_ever);
            const Grain now = grains_of(engine).at(0);
            ASSERT_LT(norm(now.velocity - Vec3{n * dt * a, 0, 0}), 1e-12 * n * dt * a) << "step " << n;
            ASSERT_LT(norm(now.spin - n * dt * spin_rate * plane.axle), 1e-12 * n * dt * spin_rate)
                << "step " << n;
        }
    }
}

TEST_P(OnPlane, LaunchedSlidingItEndsRolling) {
    const Plane plane(GetParam());
    const double mu = 0.3, v0 = 0.5, slip_rate = (1 + plane.kappa) * mu * g; // of the contact's velocity
    // The contact sticks in the first step in which less than a full step of slip is left.
    const int stick_step = static_cast<int>(std::ceil(v0 / (slip_rate * dt)));
    ASSERT_GT(stick_step, 10);
    RigidRun engine = plane.engine(mu, 0.0, {v0, 0, 0});
    for (int n = 1; n <= stick_step + 20; ++n) {
        engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        const bool slips = n < stick_step;
        // Rolling: m v + I omega/r, the angular momentum about the contact, is what it was: 5/7 v0, 2/3 v0.
        const double v = slips ? v0 - n * dt * mu * g : v0 * plane.kappa / (1 + plane.kappa);
        const double surface = slips ? n * dt * plane.kappa * mu * g : v;
        ASSERT_NEAR(now.velocity.x, v, 1e-13) << "step " << n;
        ASSERT_NEAR(dot(now.spin, plane.axle) * radius, surface, 1e-13) << "step " << n;
    }
    EXPECT_LT(std::abs(engine.walls()[0].reaction.x), 1e-9 * g); // rolling freely, nothing rubs
}

TEST_P(OnPlane, WithoutFrictionItSlidesUnturned) {
    const Plane plane(GetParam());
    RigidRun engine = plane.engine(0.0, 0.3, {0.2, 0, 0});
    for (int n = 1; n <= 50; ++n)
        engine.step(for_ever);
    const Grain now = grains_of(engine).at(0);
    EXPECT_NEAR(now.velocity.x, 0.2 + 50 * dt * g * std::sin(0.3), 1e-14);
    EXPECT_EQ(now.spin, (Vec3{0, 0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, OnPlane, testing::Values(3, 2));

} // namespace
