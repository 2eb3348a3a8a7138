#include "tamp/solver/pistons.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "bed.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double time_step = 0.01;

Wall piston(double mass, double force, const Vec3& velocity) {
    Wall wall{.name = "piston", .normal = {0, 0.6, 0.8}, .motion = WallMotion::piston, .velocity = velocity};
    wall.mass = mass, wall.force = force;
    return wall;
}

/// Contacts of bodies 0, 1, … with a wall.
WallBatch batch_of(int wall, int contacts, std::int32_t null_body) {
    WallBatch batch{};
    batch.wall = wall;
    for (int lane = 0; lane < lanes; ++lane) {
        batch.body[lane] = lane < contacts ? lane : null_body;
        set_lane(batch.normal, lane, {0, 0.6, 0.8});
        batch.closing_speed[lane] = lane < contacts ? 0.0 : never_closes;
    }
    return batch;
}

struct Pistons {
    Profile profile;
    PistonCoupling coupling{self(), profile};
};

TEST(PistonCoupling, OnlyPistonsAreFree) {
    Pistons pistons;
    const std::array walls{Wall{.name = "fixed"},
                           Wall{.name = "driven", .motion = WallMotion::driven, .velocity = {1, 2, 3}},
                           piston(4, 8, {0, 0, 5})};
    const std::array<std::int64_t, 3> counts{7, 8, 6};
    pistons.coupling.begin(walls, counts, time_step);
    const auto states = pistons.coupling.states();
    ASSERT_EQ(states.size(), 3u);
    EXPECT_EQ(states[0].velocity, (Vec3{0, 0, 0}));
    EXPECT_EQ(states[1].velocity, (Vec3{1, 2, 3}));
    EXPECT_EQ(states[0].inverse_share, 0);
    EXPECT_EQ(states[1].inverse_share, 0);
    // Its own speed along the normal, 4, and that of the force, dt F/M.
    EXPECT_LT(norm(states[2].velocity - (4 + time_step * 8 / 4) * walls[2].normal), 1e-15);
    EXPECT_EQ(states[2].inverse_share, 6.0 / 4.0);
}

TEST(PistonCoupling, VelocityFollowsFromTheSumOfImpulses) {
    Pistons pistons;
    const std::array walls{piston(4, 0, {0, 0, 0}), piston(2, 100, {0, 0, 0})};
    const std::array<std::int64_t, 2> counts{8, 16};
    pistons.coupling.begin(walls, counts, time_step);
    Random random = random_numbers(1);
    std::vector<WallBatch> batches;
    std::array<double, 2> sum{0, 0};
    for (int b = 0; b < 9; ++b) {
        WallBatch& batch = batches.emplace_back(batch_of(b % 2, 0, 0));
        for (int lane = 0; lane < lanes; ++lane) {
            const Vec3 impulse = random_vector(random);
            set_lane(batch.impulse, lane, impulse);
            sum[static_cast<std::size_t>(b % 2)] += dot(impulse, walls[0].normal);
        }
    }
    pistons.coupling.update(batches);
    std::array<WallState, 2> states;
    std::ranges::copy(pistons.coupling.states(), states.begin());
    EXPECT_LT(norm(states[0].velocity - (-sum[0] / 4) * walls[0].normal), 1e-13);
    EXPECT_LT(norm(states[1].velocity - (time_step * 50 - sum[1] / 2) * walls[1].normal), 1e-13);

    // From the free speed each time, and in any order of the batches: the same bits.
    std::ranges::reverse(batches);
    pistons.coupling.update(batches);
    for (std::size_t w = 0; w < 2; ++w)
        EXPECT_EQ(pistons.coupling.states()[w].velocity, states[w].velocity);
}

/// M v = (M + sum of m) V: an inelastic shock of a piston with spheres at rest.
TEST(PistonCoupling, SweepsFindTheCommonVelocity) {
    Pistons pistons;
    constexpr double mass = 6, speed = 2;
    constexpr int spheres = 5;
    std::vector<Body> bodies(spheres + 1);
    double total = mass;
    for (int i = 0; i < spheres; ++i) {
        bodies[static_cast<std::size_t>(i)] = {{0, 0, 0}, 1.0 / (0.5 + i), {0, 0, 0}, 1.0};
        total += 0.5 + i;
    }
    std::array walls{piston(mass, 0, {0, 0.6 * speed, 0.8 * speed})};
    const std::array<std::int64_t, 1> counts{spheres};
    std::vector<WallBatch> batches{batch_of(0, spheres, spheres)};
    pistons.coupling.begin(walls, counts, time_step);
    for (int sweep = 0; sweep < 200; ++sweep) {
        relax_walls(bodies, batches, pistons.coupling.states(), inertia_ratio(3));
        pistons.coupling.update(batches);
    }
    const Vec3 common = (mass * speed / total) * walls[0].normal;
    EXPECT_LT(norm(pistons.coupling.states()[0].velocity - common), 1e-13);
    for (int i = 0; i < spheres; ++i)
        EXPECT_LT(norm(bodies[static_cast<std::size_t>(i)].velocity - common), 1e-13);

    pistons.coupling.finish(batches, walls, time_step);
    EXPECT_EQ(walls[0].velocity, pistons.coupling.states()[0].velocity);
    EXPECT_LT(norm(walls[0].reaction - (-(total - mass) / time_step) * common), 1e-9);
}

TEST(PistonCoupling, ReactionsAreAllThatWallsGaveTheOtherWayRound) {
    Pistons pistons;
    std::array walls{Wall{.name = "a"}, Wall{.name = "b", .velocity = {1, 0, 0}}, Wall{.name = "c"}};
    const std::array<std::int64_t, 3> counts{2, 1, 0};
    walls[2].reaction = {1, 1, 1};
    pistons.coupling.begin(walls, counts, time_step);
    std::vector<WallBatch> batches{batch_of(1, 0, 0), batch_of(0, 0, 0)};
    set_lane(batches[0].impulse, 3, {0.5, 0, 2});
    set_lane(batches[1].impulse, 0, {1, 2, 3});
    set_lane(batches[1].impulse, 7, {-1, 0, 1});
    pistons.coupling.update(batches); // without pistons nothing to do
    pistons.coupling.finish(batches, walls, time_step);
    EXPECT_LT(norm(walls[0].reaction - Vec3{0, -200, -400}), 1e-12);
    EXPECT_LT(norm(walls[1].reaction - Vec3{-50, 0, -200}), 1e-12);
    EXPECT_EQ(norm(walls[2].reaction), 0);
    EXPECT_EQ(walls[1].velocity, (Vec3{1, 0, 0}));
}

/// Speeds are affine in the impulses, and go on as these do.
TEST(PistonCoupling, AdvancesAsTheImpulsesDo) {
    Pistons pistons;
    const std::array walls{Wall{.name = "driven", .motion = WallMotion::driven, .velocity = {1, 2, 3}},
                           piston(4, 8, {0, 0, 5})};
    const std::array<std::int64_t, 2> counts{0, lanes};
    pistons.coupling.begin(walls, counts, time_step);
    const Vec3 n = walls[1].normal;
    const auto speed = [&] { return dot(pistons.coupling.states()[1].velocity, n); };
    const double free_speed = speed();

    WallBatch batch = batch_of(1, lanes, lanes);
    const auto press = [&](double impulse) {
        for (int lane = 0; lane < lanes; ++lane)
            set_lane(batch.impulse, lane, impulse * n);
        pistons.coupling.update({&batch, 1});
    };
    pistons.coupling.advance(0); // the first sweep has none
    EXPECT_EQ(speed(), free_speed);
    press(0.1);
    const double first = speed();
    EXPECT_NEAR(first, free_speed - lanes * 0.1 / 4, 1e-14);
    pistons.coupling.advance(0.5); // from y = 0.1, and 0 before it, to x = 0.15
    EXPECT_NEAR(speed(), free_speed - lanes * 0.15 / 4, 1e-14);
    press(0.3);
    pistons.coupling.advance(0.25); // from the sweeps' results, 0.3 and 0.1, not from where they began
    EXPECT_NEAR(speed(), free_speed - lanes * 0.35 / 4, 1e-14);
    EXPECT_EQ(pistons.coupling.states()[0].velocity, (Vec3{1, 2, 3})) << "no piston";
}

TEST(PistonCoupling, SumsWhatItIsGivenBeside) {
    Pistons pistons;
    pistons.coupling.begin({}, {}, time_step);
    ExactSum sum;
    sum.add(1e30), sum.add(1.0), sum.add(-1e30);
    pistons.coupling.update({}, &sum); // also without a piston
    EXPECT_EQ(sum.value(), 1.0);
}

} // namespace
