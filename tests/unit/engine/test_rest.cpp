#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "setups.hpp"

// Bodies that must stay where they are, and the forces that keep them there.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = 9.81, radius = 0.01, dt = 1e-3;

/// A sphere between two walls whose normals lean by `angle` from the vertical.
RigidSetup groove(double angle, double mu) {
    RigidSetup setup = open_space(1.0, mu, dt);
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0, 0, 0}, {std::sin(angle), 0, std::cos(angle)}),
                   wall({0, 0, 0}, {-std::sin(angle), 0, std::cos(angle)})};
    return setup;
}

TEST(Rest, SphereInAGroove) {
    for (const double angle : {0.2, std::numbers::pi / 4, 1.2}) {
        const RigidSetup setup = groove(angle, 0.0);
        const Vec3 place{0, 0, radius / std::cos(angle)};
        RigidRun engine(world(), setup, std::vector<Grain>{grain(0, place, radius)});
        for (int step = 0; step < 20; ++step)
            engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        EXPECT_LT(norm(now.position - place), 1e-13);
        EXPECT_LT(norm(now.velocity), 1e-12);
        // Each wall bears N = m g/(2 cos angle), along its normal.
        const double force = mass_of(now) * g / (2 * std::cos(angle));
        for (const Wall& side : engine.walls())
            EXPECT_LT(norm(side.reaction + force * side.normal), 1e-10 * force);
    }
}

TEST(Rest, SphereInARoughGroove) {
    // With friction the walls may share the load in many ways; but it must add up, inside the cones, without
    // motion.
    const double angle = 0.6, mu = 0.5;
    const RigidSetup setup = groove(angle, mu);
    const Vec3 place{0, 0, radius / std::cos(angle)};
    RigidRun engine(world(), setup, std::vector<Grain>{grain(0, place, radius)});
    for (int step = 0; step < 20; ++step)
        engine.step(for_ever);
    const Grain now = grains_of(engine).at(0);
    EXPECT_LT(norm(now.position - place), 1e-13);
    EXPECT_LT(norm(now.spin), 1e-10);
    const double weight = mass_of(now) * g;
    EXPECT_LT(norm(engine.walls()[0].reaction + engine.walls()[1].reaction - Vec3{0, 0, -weight}),
              1e-10 * weight);
    for (const Wall& side : engine.walls()) {
        const double normal = -dot(side.reaction, side.normal);
        EXPECT_GT(normal, 0);
        EXPECT_LE(norm(side.reaction + normal * side.normal), mu * normal * (1 + 1e-12));
    }
}

TEST(Rest, SphereRunsAlongATiltedGroove) {
    // Gravity leans along the groove by beta. Smooth walls: a = g sin(beta). Rough ones: it rolls on two
    // points that are r cos(angle) below its axle, v = omega r cos(angle), so that a = g sin(beta)/(1 +
    // 2/5/cos^2(angle)).
    const double angle = 0.7, beta = 0.2, lever = std::cos(angle);
    for (const double mu : {0.0, 1.0}) {
        RigidSetup setup = groove(angle, mu);
        setup.gravity = {0, g * std::sin(beta), -g * std::cos(beta)};
        const double a = g * std::sin(beta) / (mu == 0 ? 1.0 : 1 + 0.4 / (lever * lever));
        RigidRun engine(world(), setup, std::vector<Grain>{grain(0, {0, 0, radius / lever}, radius)});
        for (int n = 1; n <= 30; ++n) {
            engine.step(for_ever);
            const Grain now = grains_of(engine).at(0);
            // Two walls relax against each other, to the solver's tolerance.
            ASSERT_LT(norm(now.velocity - Vec3{0, n * dt * a, 0}), 1e-11 * n * dt * a) << "step " << n;
            const double spin = mu == 0 ? 0 : -n * dt * a / (radius * lever);
            ASSERT_LT(norm(now.spin - Vec3{spin, 0, 0}) * radius, 1e-11 * n * dt * a) << "step " << n;
        }
    }
}

/// Three discs, one on two: the upper contacts need mu >= tan(15 degrees) = 0.268 [moments about the lower
/// discs].
RigidRun pyramid(double mu) {
    RigidSetup setup = open_space(1.0, mu, dt, 2);
    setup.gravity = {0, -g, 0};
    setup.walls = {wall({0, 0, 0}, {0, 1, 0})};
    const double top = radius * (1 + std::numbers::sqrt3);
    return RigidRun(world(), setup,
                    std::vector<Grain>{grain(0, {-radius, radius, 0}, radius),
                                       grain(1, {radius, radius, 0}, radius), grain(2, {0, top, 0}, radius)});
}

TEST(Rest, PyramidOfDiscsNeedsFriction) {
    RigidRun stands = pyramid(0.28), falls = pyramid(0.25);
    const double top = grains_of(stands).at(2).position.y;
    for (int step = 0; step < 30; ++step) {
        stands.step(for_ever);
        falls.step(for_ever);
    }
    EXPECT_NEAR(grains_of(stands).at(2).position.y, top, 1e-9 * radius);
    EXPECT_LT(grains_of(falls).at(2).position.y, top - 1e-3 * radius);
    const double weight = 3 * mass_of(grains_of(stands).at(2), 2) * g;
    EXPECT_LT(norm(stands.walls()[0].reaction - Vec3{0, -weight, 0}), 1e-8 * weight);
}

TEST(Rest, OverlapIsKeptNotPushedOut) {
    // g+ = max(g, 0): an overlap stays, and pumps no energy [000 after eq. 1.29].
    RigidSetup setup = open_space(1.0, 0.3, dt);
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    const double overlap = 1e-3 * radius;
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {0, 0, radius - overlap}, radius),
                                       grain(1, {0, 0, 3 * radius - 3 * overlap}, radius)});
    for (int step = 0; step < 20; ++step) {
        const StepReport report = engine.step(for_ever);
        EXPECT_NEAR(report.overlap, 2 * overlap, 1e-14);
    }
    EXPECT_NEAR(grains_of(engine).at(0).position.z, radius - overlap, 1e-14);
    EXPECT_NEAR(grains_of(engine).at(1).position.z, 3 * radius - 3 * overlap, 1e-14);
    EXPECT_NEAR(engine.totals().largest_overlap, 2 * overlap, 1e-14);
    EXPECT_NEAR(engine.walls()[0].reaction.z, -2 * mass_of(grains_of(engine).at(0)) * g, 1e-12);
}

} // namespace
