#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "tamp/solver/kernel.hpp"

// Contacts with walls, and what the residual sums count.
namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double kappa = 2.5;

/// Bodies 0, 1, … against wall 0; the last lanes are null.
WallBatch wall_batch(int contacts, double friction, std::int32_t null_body) {
    WallBatch batch{};
    batch.wall = 0;
    for (int lane = 0; lane < lanes; ++lane) {
        const bool used = lane < contacts;
        batch.body[lane] = used ? lane : null_body;
        set_lane(batch.normal, lane, {0, 0, 1});
        batch.closing_speed[lane] = used ? 0.0 : never_closes;
        batch.friction[lane] = used ? friction : 0.0;
    }
    return batch;
}

Vec3 impulse(const WallBatch& batch, int lane) {
    return {batch.impulse[0][lane], batch.impulse[1][lane], batch.impulse[2][lane]};
}

TEST(WallKernel, StopsAndSpinsAFallingSphere) {
    // m = 2, u = (7, 0, -3): p_n = 6; without slip p_t = -2/7 m u_t = -4, within mu p_n = 4.2.
    std::vector<Body> bodies(2);
    bodies[0] = {{7, 0, -3}, 0.5, {0, 0, 0}, 4.0};
    WallBatch batch = wall_batch(1, 0.7, 1);
    const std::array<WallState, 1> floor{WallState{}};
    relax_walls(bodies, {&batch, 1}, floor, kappa);
    EXPECT_LT(norm(impulse(batch, 0) - Vec3{-4, 0, 6}), 1e-14);
    EXPECT_LT(norm(bodies[0].velocity - Vec3{5, 0, 0}), 1e-14); // 5/7 of 7
    EXPECT_LT(norm(bodies[0].surface - Vec3{0, 5, 0}), 1e-14);  // rolls: r omega_y = v_x
    for (int lane = 1; lane < lanes; ++lane)
        EXPECT_EQ(impulse(batch, lane), (Vec3{0, 0, 0}));
    EXPECT_EQ(bodies[1].velocity, (Vec3{0, 0, 0}));

    const ResidualSums sums = residual_walls(bodies, {&batch, 1}, floor, kappa);
    EXPECT_LT(sums.residual, 1e-13);
    EXPECT_NEAR(sums.normal, 6, 1e-13);
    EXPECT_EQ(sums.loaded, 1);
    EXPECT_LT(norm(sums.stress - Vec3{0, 0, 6}), 1e-13);
}

TEST(WallKernel, SlipsBeyondTheCone) {
    std::vector<Body> bodies(2);
    bodies[0] = {{7, 0, -3}, 0.5, {0, 0, 0}, 4.0};
    WallBatch batch = wall_batch(1, 0.2, 1);
    const std::array<WallState, 1> floor{WallState{}};
    relax_walls(bodies, {&batch, 1}, floor, kappa);
    EXPECT_LT(norm(impulse(batch, 0) - Vec3{-1.2, 0, 6}), 1e-14);
    EXPECT_LT(norm(bodies[0].velocity - Vec3{6.4, 0, 0}), 1e-14);
    EXPECT_LT(norm(bodies[0].surface - Vec3{0, 1.5, 0}), 1e-14); // kappa |p_t|/m
}

TEST(WallKernel, MovingWallCarriesAlong) {
    std::vector<Body> bodies(2);
    bodies[0] = {{0, 0, 0}, 1.0, {0, 0, 0}, 1.0};
    WallBatch batch = wall_batch(1, 10.0, 1);
    const std::array<WallState, 1> walls{WallState{{0, 0, 1}, {3.5, 0, 2}, 0.0}};
    relax_walls(bodies, {&batch, 1}, walls, kappa);
    EXPECT_LT(norm(bodies[0].velocity - Vec3{1, 0, 2}), 1e-14); // 2/7 of the belt's speed, all of the lift's
    EXPECT_LT(norm(bodies[0].surface - Vec3{0, -2.5, 0}), 1e-14);
}

TEST(WallKernel, PistonsContactsSeeAShareOfItsMass) {
    // Mass 6 over 3 contacts: each relaxes against 2, m_n = 1/(1 + 1/2).
    std::vector<Body> bodies(4);
    WallBatch batch = wall_batch(3, 0.0, 3);
    const std::array<WallState, 1> piston{WallState{{0, 0, 1}, {0, 0, 1}, 3.0 / 6.0}};
    relax_walls(bodies, {&batch, 1}, piston, kappa);
    for (int lane = 0; lane < 3; ++lane)
        EXPECT_NEAR(impulse(batch, lane).z, 2.0 / 3.0, 1e-15);
    // The piston's own velocity after the exact sum is that of the spheres: all is done at once.
    EXPECT_NEAR(1 - 3 * (2.0 / 3.0) / 6, bodies[0].velocity.z, 1e-15);
}

TEST(WallKernel, ApplyGivesTheStartingImpulses) {
    std::vector<Body> bodies(2);
    bodies[0] = {{0, 0, 0}, 0.5, {0, 0, 0}, 1.0};
    WallBatch batch = wall_batch(1, 0.5, 1);
    batch.impulse[0][0] = 1, batch.impulse[2][0] = 4;
    apply_walls(bodies, {&batch, 1}, kappa);
    EXPECT_EQ(bodies[0].velocity, (Vec3{0.5, 0, 2}));
    EXPECT_EQ(bodies[0].surface, (Vec3{0, -1.25, 0})); // l = -r n: torque l x p, w = kappa/m (-n x p)
}

TEST(Residual, SumsOverContacts) {
    // Lane 0 carries 2 along x and is at rest, lane 1 carries 4 along z while it opens with speed 0.5.
    std::vector<Body> bodies(5);
    bodies[3].velocity = {0, 0, 0.5};
    ContactBatch batch{};
    for (int lane = 0; lane < lanes; ++lane) {
        batch.first[lane] = lane < 2 ? 2 * lane : 4;
        batch.second[lane] = lane < 2 ? 2 * lane + 1 : 4;
        batch.closing_speed[lane] = lane < 2 ? 0.0 : never_closes;
        batch.friction[lane] = 0;
    }
    batch.normal[0][0] = 1, batch.impulse[0][0] = 2;
    batch.normal[2][1] = 1, batch.impulse[2][1] = 4;
    const ResidualSums sums = residual(bodies, {&batch, 1}, kappa);
    EXPECT_NEAR(sums.residual, 0.5 * 0.5, 1e-15); // m_n u_n
    EXPECT_NEAR(sums.largest, 0.25, 1e-15);
    EXPECT_EQ(sums.normal, 6);
    EXPECT_EQ(sums.loaded, 2);
    EXPECT_EQ(sums.stress, (Vec3{2, 0, 4}));
}

} // namespace
