// What particles do to walls besides pushing them: the torque about the wall's point, with both engines.

#include <gtest/gtest.h>

#include "engine_run.hpp"
#include "floor.hpp"
#include "soft_setups.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.01, g = 10;

/// So stiff and damped that a grain comes to rest within some 0.1 s.
SoftLaws soft_laws() {
    SoftLaws laws = linear_laws(1e4, 5);
    laws.sliding = {3e3, 1, 0.5}, laws.rolling = {3e3, 1, 0.2}, laws.torsion = {3e3, 1, 0.1};
    return laws;
}

/// Rigid or soft grains with friction, rolling and torsion friction in open space.
RigidSetup grains_of_kind(EngineKind kind, double time_step) {
    if (kind == EngineKind::soft)
        return soft_space(soft_laws(), time_step);
    return with_laws(open_space(1, 0.5, time_step), {.friction = 0.5,
                                                     .rolling = {TorqueScale::length, 0.2 * radius, 0},
                                                     .torsion = {TorqueScale::length, 0.1 * radius, 0}});
}

double step_of(EngineKind kind) { return kind == EngineKind::soft ? 1e-5 : 1e-3; }

class WallTorque : public testing::TestWithParam<EngineKind> {};

TEST_P(WallTorque, IsLeverTimesWeight) {
    RigidSetup setup = grains_of_kind(GetParam(), step_of(GetParam()));
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0.02, -0.07, -0.1}, {0, 0, 1})};
    const Grain one = grain(0, {0.05, 0.01, -0.1 + radius}, radius);
    EngineRun run(world(), setup, std::vector{one});
    while (run.time() < 0.2)
        run.step(for_ever);
    const double weight = mass_of(one) * g;
    EXPECT_NEAR(run.walls()[0].torque.x, -0.08 * weight, 1e-7 * weight);
    EXPECT_NEAR(run.walls()[0].torque.y, 0.03 * weight, 1e-7 * weight);
    EXPECT_NEAR(run.walls()[0].torque.z, 0, 1e-7 * weight);
}

/// On a slope that rolling friction holds: the force on the wall points straight down below the grain's
/// contact, but weight acts at its centre, so that the wall also gets what would turn the grain, weight times
/// radius times sin.
TEST_P(WallTorque, HasTheTorqueOfRollingFriction) {
    const double angle = 0.1;
    RigidSetup setup = grains_of_kind(GetParam(), step_of(GetParam()));
    setup.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
    setup.walls = {wall({0, 0, -0.1}, {0, 0, 1})};
    const Grain one = grain(0, {0, 0, -0.1 + radius}, radius);
    EngineRun run(world(), setup, std::vector{one});
    while (run.time() < 0.3)
        run.step(for_ever);
    const Sphere& sphere = run.store().sphere[0];
    const double weight = mass_of(one) * g, height = sphere.centre.z + 0.1;
    const double expected = weight * (sphere.centre.x * std::cos(angle) + height * std::sin(angle));
    EXPECT_GT(height * std::sin(angle), 5 * std::abs(sphere.centre.x)) << "it is held";
    EXPECT_NEAR(run.walls()[0].torque.y, expected, 1e-6 * weight * radius);
}

/// A grain that crosses a periodic boundary presses on the other side of the wall from then on.
TEST_P(WallTorque, TakesParticlesWhereTheBoxHasThem) {
    RigidSetup setup = grains_of_kind(GetParam(), step_of(GetParam()));
    setup.gravity = {0, 0, -g};
    setup.box.boundary[0] = Boundary::periodic;
    setup.walls = {wall({0, 0, -0.1}, {0, 0, 1})};
    const Grain one = grain(0, {0.498, 0, -0.1 + radius}, radius, {0.2, 0, 0}, {0, 0.2 / radius, 0});
    EngineRun run(world(), setup, std::vector{one});
    bool crossed = false;
    while (run.time() < 0.03) {
        const Vec3 at = setup.box.wrapped(run.store().sphere[0].centre);
        run.step(for_ever);
        const Wall& floor = run.walls()[0];
        crossed |= at.x < 0;
        ASSERT_NEAR(floor.torque.y, -at.x * floor.reaction.z, 0.2 * radius * norm(floor.reaction));
    }
    EXPECT_TRUE(crossed);
}

/// Angular momentum that grains lose, but for that of gravity, is what walls get: with sliding, rolling,
/// torsion, and walls that stand at an angle and move. The grains do not meet each other: rigid ones that do
/// so over a gap lose a little of it.
TEST_P(WallTorque, IsTheAngularMomentumThatGrainsLose) {
    const bool soft = GetParam() == EngineKind::soft;
    RigidSetup setup = grains_of_kind(GetParam(), soft ? 1e-5 : 2e-4);
    setup.gravity = {1, 2, -g};
    setup.walls = {wall({0.1, 0, -0.3}, {0, 0.2, 1}), wall({0, -0.2, 0.3}, {0, 1, 0}),
                   wall({0.35, 0, 0}, {-1, 0, 0.1})};
    setup.walls[2].motion = WallMotion::driven;
    setup.walls[2].velocity = {-0.5, 0, 0.2};
    std::vector<Grain> grains;
    Random random = checks::random_numbers(7);
    for (const Wall& near : setup.walls)
        for (int k = 0; k < 9; ++k) {
            const Vec3 at{0.05 * (k % 3), 0.05 * (k / 3), 0.02 * k};
            const double gap = near.gap(at, radius);
            grains.push_back(grain(grains.size(), at - (gap - 1e-4 * k) * near.normal, radius,
                                   0.2 * checks::random_vector(random) - 0.2 * near.normal,
                                   20.0 * checks::random_vector(random)));
        }
    EngineRun run(world(), setup, grains);
    double last_step = 0;
    std::vector<double> most(setup.walls.size(), 0);
    Vec3 before = conserved(run).angular;
    while (run.time() < 6e-3) {
        Vec3 moment{0, 0, 0};
        for (const auto& [id, one] : grains_of(run))
            moment += cross(one.position, mass_of(one) * setup.gravity);
        std::vector<Vec3> points;
        for (const Wall& w : run.walls())
            points.push_back(w.point);
        const double dt = run.step(for_ever).time_step, kick = soft ? 0.5 * (last_step + dt) : dt;
        last_step = dt;
        for (std::size_t w = 0; w < points.size(); ++w) {
            const Wall& pushed = run.walls()[w];
            moment -= pushed.torque + cross(points[w], pushed.reaction);
            most[w] = std::max(most[w], norm(pushed.torque));
        }
        const Vec3 now = conserved(run).angular;
        // Velocities are rounded once more in each sweep with momentum: 4e-13 of the angular momentum was
        // seen.
        ASSERT_LT(norm(now - before - kick * moment), 1e-14)
            << "of " << norm(now) << " at " << run.time() << " s";
        before = now;
    }
    for (const double torque : most)
        EXPECT_GT(torque, 0.01) << "all walls were pushed";
}

INSTANTIATE_TEST_SUITE_P(Engines, WallTorque, testing::Values(EngineKind::rigid, EngineKind::soft),
                         [](const auto& kind) {
                             return kind.param == EngineKind::soft ? std::string("soft")
                                                                   : std::string("rigid");
                         });

} // namespace
} // namespace tamp
