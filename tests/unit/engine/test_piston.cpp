#include <cmath>

#include <gtest/gtest.h>

#include "setups.hpp"

// Walls that move: driven ones, and pistons that take part in the solve.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double radius = 0.01, dt = 1e-3;
const Vec3 down{0, 0, -1};

std::vector<Grain> column(int count) {
    std::vector<Grain> grains;
    for (int i = 0; i < count; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i), {0, 0, (2 * i + 1) * radius}, radius));
    return grains;
}

TEST(Piston, FliesFreely) {
    const double mass = 0.5, force = 2.0;
    RigidSetup setup = open_space(1.0, 0.0, dt);
    setup.walls = {piston({0, 0, 0.4}, down, mass, force)};
    RigidRun engine(world(), setup, column(1));
    for (int n = 1; n <= 40; ++n) {
        engine.step(for_ever);
        const Wall& wall = engine.walls()[0];
        ASSERT_LT(norm(wall.velocity - (n * dt * force / mass) * down), 1e-14);           // V = F t/M
        ASSERT_NEAR(wall.point.z, 0.4 - dt * dt * force / mass * n * (n + 1) / 2, 1e-14); // implicit Euler
        ASSERT_EQ(wall.reaction, (Vec3{0, 0, 0}));
    }
}

TEST(Piston, PressesAColumnWithItsForce) {
    const double force = 0.3;
    for (const int count : {1, 4, 10})
        for (const double mass : {0.0005, 0.004, 0.1}) { // a sphere weighs 0.0042
            SCOPED_TRACE(testing::Message() << count << " spheres, piston of " << mass << " kg");
            RigidSetup setup = open_space(1.0, 0.3, dt);
            setup.walls = {wall({0, 0, 0}, {0, 0, 1}), piston({0, 0, 2 * radius * count}, down, mass, force)};
            RigidRun engine(world(), setup, column(count));
            for (int step = 0; step < 3; ++step) {
                EXPECT_FALSE(engine.step(for_ever).solve.capped);
                EXPECT_NEAR(engine.walls()[0].reaction.z, -force, 1e-9 * force);
                EXPECT_NEAR(engine.walls()[1].reaction.z, force, 1e-9 * force);
                EXPECT_LT(norm(engine.walls()[1].velocity), 1e-9);
            }
            for (const auto& [id, g] : grains_of(engine))
                EXPECT_NEAR(g.position.z, (2 * static_cast<double>(id) + 1) * radius, 1e-12);
        }
}

TEST(Piston, MomentumIsWhatTheForceGave) {
    // A piston runs into loose spheres; no floor. M V + sum m v = F t, whoever has it.
    const double mass = 0.02, force = 0.5;
    RigidSetup setup = open_space(1.0, 0.4, dt);
    setup.walls = {piston({0, 0, 0.0105}, down, mass, force)};
    std::vector<Grain> grains;
    for (int i = 0; i < 9; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i),
                               {0.019 * (i % 3), 0.0212 * (i / 3), -0.0081 * (i % 2)}, 0.008 + 0.0002 * i,
                               {0, 0, 0.1}));
    double start = 0;
    for (const Grain& g : grains)
        start += mass_of(g) * g.velocity.z;
    RigidRun engine(world(), setup, grains);
    for (int n = 1; n <= 40; ++n) {
        engine.step(for_ever);
        const double total = conserved(engine).momentum.z + mass * engine.walls()[0].velocity.z;
        ASSERT_NEAR(total, start - n * dt * force, 1e-12 * n * dt * force) << "step " << n;
    }
    EXPECT_GT(engine.totals().contact_updates, 0);
    EXPECT_NE(engine.walls()[0].reaction.z, 0.0);
}

TEST(Piston, DrivenWallMovesAsToldAndPushes) {
    const Vec3 velocity{0.3, 0, -0.2};
    RigidSetup setup = open_space(1.0, 0.0, dt);
    Wall press = wall({0, 0, 2.5 * radius}, down);
    press.motion = WallMotion::driven;
    press.velocity = velocity;
    setup.walls = {press};
    RigidRun engine(world(), setup, column(1));
    for (int n = 1; n <= 60; ++n) {
        engine.step(for_ever);
        const Wall& now = engine.walls()[0];
        ASSERT_EQ(now.velocity, velocity);
        ASSERT_LT(norm(now.point - (press.point + (n * dt) * velocity)), 1e-14);
        // 5 mm at 0.2 m/s: the gap is closed after 25 steps, and the sphere has the wall's normal velocity.
        if (n > 26) {
            const Grain pushed = grains_of(engine).at(0);
            ASSERT_LT(norm(pushed.velocity - Vec3{0, 0, -0.2}), 1e-12) << "step " << n;
            ASSERT_NEAR(pushed.position.z, now.point.z - radius, 1e-14);
        }
    }
}

TEST(Piston, BeltDragsASphereIntoRolling) {
    // A rough floor moves under a sphere: friction mu g until v = 2/7 of the belt's speed, then it rolls
    // along.
    const double mu = 0.2, g = 9.81, belt = 0.35;
    RigidSetup setup = open_space(1.0, mu, dt);
    setup.gravity = {0, 0, -g};
    Wall floor = wall({0, 0, 0}, {0, 0, 1});
    floor.motion = WallMotion::driven;
    floor.velocity = {belt, 0, 0};
    setup.walls = {floor};
    RigidRun engine(world(), setup, column(1));
    for (int n = 1; n <= 80; ++n) {
        engine.step(for_ever);
        const Grain now = grains_of(engine).at(0);
        const double expected = std::min(n * dt * mu * g, belt * 2 / 7);
        ASSERT_NEAR(now.velocity.x, expected, 1e-13) << "step " << n;
        ASSERT_NEAR(now.spin.y * radius, -2.5 * expected, 1e-12) << "step " << n;
    }
}

} // namespace
