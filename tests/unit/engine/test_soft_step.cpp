// The automatic time step of soft grains: how long it is, and how well collisions come out with it.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "soft_setups.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.01, stiffness = 1e4, speed = 0.2;

double mass() { return mass_of({.radius = radius}); }
double contact_time() { return std::numbers::pi * std::sqrt(0.5 * mass() / stiffness); }

/// A step of 0 is the automatic one.
RigidSetup with_restitution(double restitution, double step = 0) {
    SoftLaws laws = linear_laws(stiffness);
    laws.damping_ratio = soft::damping_ratio_of(restitution);
    return soft_space(laws, step);
}

/// What two grains have left of their relative speed long after they met; `phase`: of a step, until they
/// touch.
double rebound(double restitution, double phase) {
    const RigidSetup setup = with_restitution(restitution);
    const auto pair = [](double place) {
        return std::vector{grain(0, {-place, 0, 0}, radius, {0.5 * speed, 0, 0}),
                           grain(1, {place, 0, 0}, radius, {-0.5 * speed, 0, 0})};
    };
    const double step = EngineRun(world(), setup, pair(2 * radius)).engine->largest_time_step();
    EngineRun run(world(), setup, pair(radius + 0.5 * phase * speed * step));
    while (run.time() < 10 * contact_time())
        run.step(for_ever);
    return (grain_of(run, 1).velocity.x - grain_of(run, 0).velocity.x) / speed;
}

/// As time_scales.hpp says: restitution to 0.02 and energy to 1.5 % for all dashpots, elastic collisions far
/// better.
TEST(SoftStep, IsGoodForCollisions) {
    for (const double restitution : {0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0})
        for (double phase = 0.025; phase < 1; phase += 0.05) {
            const double left = rebound(restitution, phase), square = restitution * restitution;
            EXPECT_NEAR(left, restitution, restitution < 1 ? 0.02 : 1e-4) << "phase " << phase;
            EXPECT_NEAR(left * left, square, restitution < 1 ? 0.015 : 1e-4)
                << "restitution " << restitution << ", phase " << phase;
        }
}

double automatic_step(double restitution) {
    return EngineRun(world(), with_restitution(restitution), std::vector{grain(0, {0, 0, 0}, radius)})
        .engine->largest_time_step();
}

/// A contact with restitution 0 has m/gamma = t_c/(2 pi): if that had to be resolved as finely as t_c, its
/// step would be six times shorter than that of an elastic one.
TEST(SoftStep, OfADashpotIsATenthOfItsTime) {
    EXPECT_NEAR(automatic_step(1) / contact_time(), 1.0 / 50, 1e-12);
    EXPECT_NEAR(automatic_step(0.1) / contact_time(), 1.0 / 50, 1e-12);
    EXPECT_NEAR(automatic_step(0) / contact_time(), 1 / (20 * std::numbers::pi), 1e-12);
    EXPECT_GT(automatic_step(0), 0.79 * automatic_step(1));
}

/// Grains of a face-centred cubic crystal, which have twelve contacts each, in motion. Kinetic energy at the
/// end over that at the start.
double energy_left(double step, int steps) {
    constexpr int cells = 4;
    const double edge = 2 * std::numbers::sqrt2 * radius * (1 - 1e-3); // touching, under a little pressure
    RigidSetup setup = with_restitution(0, step);
    setup.box = {.lower = {0, 0, 0},
                 .upper = {cells * edge, cells * edge, cells * edge},
                 .boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic}};
    std::vector<Grain> grains;
    for (int k = 0; k < 4 * cells * cells * cells; ++k) {
        const int cell = k / 4, corner = k % 4;
        const Vec3 at{cell % cells + 0.25 + (corner == 1 || corner == 2 ? 0.5 : 0.0),
                      cell / cells % cells + 0.25 + (corner == 1 || corner == 3 ? 0.5 : 0.0),
                      cell / (cells * cells) + 0.25 + (corner == 2 || corner == 3 ? 0.5 : 0.0)};
        Random random(5, static_cast<std::uint64_t>(k), Purpose::test);
        grains.push_back(
            grain(static_cast<std::uint64_t>(k), edge * at, radius, 1e-3 * checks::random_vector(random)));
    }
    EngineRun run(world(), setup, grains);
    const double start = conserved(run).energy;
    make_steps(run, steps);
    EXPECT_EQ(measure(run).coordination, 12);
    return conserved(run).energy / start;
}

TEST(SoftStep, IsStableWithTwelveContacts) {
    const double dashpot = contact_time() / (2 * std::numbers::pi);
    EXPECT_LT(energy_left(0, 200), 1e-2);
    EXPECT_LT(energy_left(dashpot / 6, 200), 1e-2) << "the longest that is not refused";
}

} // namespace
} // namespace tamp
