#include "tamp/boundaries/wall_motion.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double pi = std::numbers::pi;

Vec3 random_unit(Random& random) {
    const Vec3 v = random_vector(random);
    return v * (1 / norm(v));
}

/// A rectangle that stands anywhere and turns about any axis.
Wall random_blade(Random& random) {
    Wall wall;
    wall.shape.kind = ShapeKind::rectangle;
    wall.point = random_vector(random), wall.normal = random_unit(random);
    const Vec3 u = cross(wall.normal, random_unit(random)), v = cross(wall.normal, u);
    wall.shape.half_edges = {u * (0.3 / norm(u)), v * (0.2 / norm(v))};
    wall.motion = WallMotion::driven;
    wall.rotation = {
        .pivot = random_vector(random), .axis = random_unit(random), .speed = random.uniform(-3, 3)};
    return wall;
}

TEST(WallMotion, ATurnMovesThePointsOfAWallAsTheirSurfaceVelocitySays) {
    Random random = random_numbers(1);
    for (int k = 0; k < 200; ++k) {
        Wall wall = random_blade(random);
        wall.velocity = random_vector(random);
        const Vec3 corner = wall.point + wall.shape.half_edges[0] + wall.shape.half_edges[1];
        const Vec3 speed = wall.surface_velocity(corner);
        constexpr double dt = 1e-6;
        advance(wall, dt);
        const Vec3 now = wall.point + wall.shape.half_edges[0] + wall.shape.half_edges[1];
        ASSERT_LT(norm(now - corner - speed * dt), 1e-10 * norm(speed));
    }
}

TEST(WallMotion, AfterAWholeTurnInManyStepsAWallIsWhereItWas) {
    Random random = random_numbers(2);
    for (int k = 0; k < 20; ++k) {
        const Wall before = random_blade(random);
        Wall wall = before;
        constexpr int steps = 1000;
        for (int step = 0; step < steps; ++step)
            advance(wall, 2 * pi / (wall.rotation.speed * steps));
        ASSERT_LT(norm(wall.point - before.point), 1e-12);
        ASSERT_LT(norm(wall.normal - before.normal), 1e-12);
        for (std::size_t edge = 0; edge < 2; ++edge)
            ASSERT_LT(norm(wall.shape.half_edges[edge] - before.shape.half_edges[edge]), 1e-12);
    }
}

TEST(WallMotion, ATurnKeepsLengthsAndRightAngles) {
    Random random = random_numbers(3);
    Wall wall = random_blade(random);
    for (int step = 0; step < 100000; ++step)
        advance(wall, 1e-2);
    EXPECT_NEAR(norm(wall.normal), 1, 1e-14);
    EXPECT_NEAR(norm(wall.shape.half_edges[0]), 0.3, 1e-12);
    EXPECT_NEAR(norm(wall.shape.half_edges[1]), 0.2, 1e-12);
    EXPECT_NEAR(dot(wall.shape.half_edges[0], wall.shape.half_edges[1]), 0, 1e-11);
    EXPECT_NEAR(dot(wall.shape.half_edges[0], wall.normal), 0, 1e-11);
}

TEST(WallMotion, BackIsTheOppositeOfForward) {
    Random random = random_numbers(4);
    for (int k = 0; k < 100; ++k) {
        const Wall before = random_blade(random);
        Wall wall = before;
        wall.velocity = random_vector(random);
        advance(wall, 0.1), advance(wall, -0.1);
        ASSERT_LT(norm(wall.point - before.point), 1e-14);
        ASSERT_LT(norm(wall.normal - before.normal), 1e-14);
        ASSERT_LT(norm(wall.rotation.pivot - before.rotation.pivot), 1e-15);
    }
}

/// To the last bit, however long it turns.
TEST(WallMotion, ADrumThatTurnsAboutItsAxisStaysWhereItIs) {
    Wall wall;
    wall.shape.kind = ShapeKind::cylinder, wall.shape.radius = 1;
    wall.normal = {0.6, 0, 0.8};
    wall.rotation = {.pivot = 3 * wall.normal, .axis = {0.6, 0, 0.8}, .speed = 2};
    EXPECT_TRUE(turns_in_itself(wall));
    const Wall before = wall;
    for (int step = 0; step < 100; ++step)
        advance(wall, 0.1);
    EXPECT_EQ(wall.point, before.point);
    EXPECT_EQ(wall.normal, before.normal);
    const Box box{.lower = {-1, -1, -1}, .upper = {1, 1, 1}, .boundary = {}, .dimension = 3};
    EXPECT_EQ(approach_speed(wall, box), 0);
    wall.rotation.axis = {0, 0, 1};
    EXPECT_FALSE(turns_in_itself(wall));
    wall.rotation.axis = wall.normal, wall.rotation.pivot = {0, 1, 0};
    EXPECT_FALSE(turns_in_itself(wall)) << "about an axis beside its own";
}

TEST(WallMotion, NoPointOfABladeInTheBoxIsFasterThanTheApproachSpeed) {
    Random random = random_numbers(5);
    const Box box{.lower = {-20, -20, -20}, .upper = {20, 20, 20}, .boundary = {}, .dimension = 3};
    for (int k = 0; k < 100; ++k) {
        Wall wall = random_blade(random);
        wall.velocity = random_vector(random);
        const double most = approach_speed(wall, box);
        for (const double u : {-1.0, 0.3, 1.0})
            for (const double v : {-1.0, -0.4, 1.0})
                ASSERT_LE(norm(wall.surface_velocity(wall.point + u * wall.shape.half_edges[0] +
                                                     v * wall.shape.half_edges[1])),
                          most * (1 + 1e-12));
    }
}

/// The position, not the velocity, is what the formula gives: steps of any length end on it.
TEST(WallMotion, AnOscillationEndsEachStepWhereItShouldBe) {
    Random random = random_numbers(6);
    Wall wall;
    wall.motion = WallMotion::driven;
    wall.point = {1, 2, 3};
    wall.given_velocity = {0.1, 0, -0.2};
    wall.oscillation = {.amplitude = {0.01, 0, 0.02}, .frequency = 30, .phase = 0.7, .begin = 0.25};
    double time = 0.25;
    for (int step = 0; step < 500; ++step) {
        const double dt = random.uniform(1e-4, 3e-3);
        set_velocity(wall, time, dt);
        advance(wall, dt);
        time += dt;
        const Vec3 expected =
            Vec3{1, 2, 3} + wall.given_velocity * (time - 0.25) +
            wall.oscillation.amplitude * (std::sin(2 * pi * 30 * (time - 0.25) + 0.7) - std::sin(0.7));
        ASSERT_LT(norm(wall.point - expected), 1e-13) << "step " << step;
    }
}

TEST(WallMotion, TheMomentOnAWallIsThatAboutItsAxis) {
    Random random = random_numbers(7);
    for (int k = 0; k < 50; ++k) {
        Wall wall = random_blade(random);
        const Vec3 at = random_vector(random), force = random_vector(random);
        wall.reaction = force;
        wall.torque = cross(at - wall.point, force); // about its point
        EXPECT_NEAR(turning_moment(wall), dot(force, wall.arm(at)), 1e-12);
    }
}

} // namespace
