#include "tamp/solver/kernel.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"

// Contacts that make only a share of each change of their impulse, as those of bodies that several ranks
// push.
namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double kappa = 2.5;

/// Eight contacts of sixteen bodies, and eight of the first bodies with a wall.
struct Contacts {
    std::vector<Body> bodies{17};
    std::vector<ContactBatch> pairs{1};
    std::vector<WallBatch> walls{1};
    std::vector<WallState> wall_states{1};
    DampingBatch damping{};

    explicit Contacts(Random& random) {
        for (std::size_t i = 0; i < 16; ++i)
            bodies[i] = {random_vector(random), random.uniform(0.2, 2.0), random_vector(random),
                         random.uniform(0.5, 3.0)};
        for (int lane = 0; lane < lanes; ++lane) {
            pairs[0].first[lane] = lane;
            pairs[0].second[lane] = 8 + lane;
            walls[0].body[lane] = lane;
            set_lane(walls[0].normal, lane, wall_states[0].normal);
            const Vec3 n = random_direction(random);
            set_lane(pairs[0].normal, lane, n);
            pairs[0].friction[lane] = walls[0].friction[lane] = random.uniform();
            set_lane(pairs[0].impulse, lane, random.uniform() * n);
            set_lane(walls[0].impulse, lane, random.uniform() * wall_states[0].normal);
            damping.share[lane] = random.uniform(0.1, 1.0);
        }
    }

    void sweep(bool damped) {
        LawBatches rows;
        rows.damping = damped ? &damping : nullptr;
        relax(bodies, pairs, kappa, rows);
        relax_walls(bodies, walls, wall_states, kappa, rows);
    }
    Vec3 momentum() const {
        Vec3 sum{0, 0, 0};
        for (std::size_t i = 0; i < 16; ++i)
            sum += (1 / bodies[i].inverse_mass) * bodies[i].velocity;
        return sum;
    }
};

TEST(DampedKernel, GoesTheShareOfTheWayAndPushesBothSidesAlike) {
    Random random = random_numbers(1);
    int opened = 0;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const Contacts start(random);
        Contacts plain = start, damped = start;
        LawBatches rows;
        relax(plain.bodies, plain.pairs, kappa);
        rows.damping = &damped.damping;
        relax(damped.bodies, damped.pairs, kappa, rows);
        for (int lane = 0; lane < lanes; ++lane) {
            const Vec3 from = lane_of(start.pairs[0].impulse, lane),
                       goal = lane_of(plain.pairs[0].impulse, lane);
            const Vec3 got = lane_of(damped.pairs[0].impulse, lane);
            if (got == Vec3{0, 0, 0}) {
                ++opened; // it lets go only where the law says so
                EXPECT_EQ(goal, got);
                continue;
            }
            const double share = start.damping.share[lane];
            EXPECT_LT(norm(got - (share * goal + (1 - share) * from)), 1e-14);
            const Body& one = damped.bodies[static_cast<std::size_t>(lane)];
            const Vec3 old = start.bodies[static_cast<std::size_t>(lane)].velocity;
            EXPECT_LT(norm(one.velocity - (old - one.inverse_mass * (got - from))), 1e-13);
        }
        EXPECT_LT(norm(damped.momentum() - start.momentum()), 1e-12);
    }
    EXPECT_GT(opened, 50);
    EXPECT_LT(opened, 800);
}

/// But for the last digit: the compiler fuses other multiplications and additions.
TEST(DampedKernel, IsThePlainOneWhereTheShareIsOne) {
    Random random = random_numbers(2);
    for (int repeat = 0; repeat < 50; ++repeat) {
        Contacts plain(random), damped = plain;
        std::fill_n(damped.damping.share, lanes, 1.0);
        plain.sweep(false);
        damped.sweep(true);
        for (int lane = 0; lane < lanes; ++lane) {
            EXPECT_LT(norm(lane_of(damped.pairs[0].impulse, lane) - lane_of(plain.pairs[0].impulse, lane)),
                      1e-14);
            EXPECT_LT(norm(lane_of(damped.walls[0].impulse, lane) - lane_of(plain.walls[0].impulse, lane)),
                      1e-14);
        }
        for (std::size_t i = 0; i < 16; ++i)
            EXPECT_LT(norm(damped.bodies[i].velocity - plain.bodies[i].velocity), 1e-14);
    }
}

TEST(DampedKernel, ConvergesToWhatThePlainOneDoes) {
    Random random = random_numbers(3);
    for (int repeat = 0; repeat < 20; ++repeat) {
        Contacts plain(random), damped = plain;
        for (int sweep = 0; sweep < 20000; ++sweep) {
            plain.sweep(false);
            damped.sweep(true);
        }
        const auto distance = [](Contacts& contacts) {
            return residual(contacts.bodies, contacts.pairs, kappa).residual +
                   residual_walls(contacts.bodies, contacts.walls, contacts.wall_states, kappa).residual;
        };
        EXPECT_LT(distance(plain), 1e-12);
        EXPECT_LT(distance(damped), 1e-12);
    }
}

} // namespace
