// Grains that touch nothing [004 eq. 1, 26-27].

#include <gtest/gtest.h>

#include <cmath>

#include "soft_setups.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.005, dt = 1e-4;

EngineRun fly(int dimension, const Vec3& gravity, const SoftSettings& background) {
    RigidSetup setup = soft_space(linear_laws(1e3), dt, dimension, 0.2);
    setup.gravity = gravity;
    setup.soft = background;
    const Vec3 velocity = dimension == 3 ? Vec3{0.3, -0.2, 0.1} : Vec3{0.3, -0.2, 0};
    const Vec3 spin = dimension == 3 ? Vec3{5, -7, 3} : Vec3{0, 0, 3};
    return EngineRun(world(), setup, std::vector{grain(0, {0, 0, 0}, radius, velocity, spin)});
}

TEST(SoftMotion, FallsOnAParabola) {
    EngineRun run = fly(3, {0, 0, -9.81}, {});
    make_steps(run, 500);
    const double t = run.time();
    const Vec3 expected = t * Vec3{0.3, -0.2, 0.1} + (0.5 * t * t) * Vec3{0, 0, -9.81};
    // The leapfrog has the parabola itself.
    EXPECT_LT(norm(grain_of(run, 0).position - expected), 1e-14);
    EXPECT_LT(norm(grain_of(run, 0).spin - Vec3{5, -7, 3}), 1e-14);
}

/// m dv/dt = -gamma_b v and I d omega/dt = -gamma_br a^2 omega: both decay by the same share in every step.
TEST(SoftMotion, BackgroundSlowsDownByAShareAStep) {
    for (const int dimension : {3, 2}) {
        const double mass = mass_of({.radius = radius}, dimension), kappa = inertia_ratio(dimension);
        const double slow = 2 * mass, turn = 3 * mass; // decay times of 1/2 s and 1/(3 kappa) s
        EngineRun run =
            fly(dimension, {0, 0, 0}, {.background_viscosity = slow, .background_rotation_viscosity = turn});
        const Grain start = grain_of(run, 0);
        constexpr int steps = 2000;
        make_steps(run, steps);
        const Grain end = grain_of(run, 0);
        // The first step kicks for half its length.
        const double velocity = (1 - dt) * std::pow(1 - 2 * dt, steps - 1);
        const double spin = (1 - 1.5 * kappa * dt) * std::pow(1 - 3 * kappa * dt, steps - 1);
        EXPECT_LT(norm(end.velocity - velocity * start.velocity), 1e-12);
        EXPECT_LT(norm(end.spin - spin * start.spin), 1e-11);
        EXPECT_NEAR(velocity, std::exp(-2 * steps * dt), 2e-4) << "up to the first order of the step";
        EXPECT_NEAR(spin, std::exp(-3 * kappa * steps * dt), 1e-3);
    }
}

TEST(SoftMotion, BackgroundBearsTheWeightAtTheEnd) {
    const double mass = mass_of({.radius = radius});
    EngineRun run =
        fly(3, {0, 0, -10}, {.background_viscosity = 100 * mass, .background_rotation_viscosity = 0});
    make_steps(run, 4000);
    EXPECT_LT(norm(grain_of(run, 0).velocity - Vec3{0, 0, -0.1}), 1e-15);
    EXPECT_LT(norm(grain_of(run, 0).spin - Vec3{5, -7, 3}), 1e-14);
}

} // namespace
} // namespace tamp
