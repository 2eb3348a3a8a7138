#include "tamp/laws/soft/friction_spring.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::FrictionSpring;

/// mu_s = 0.5 and mu_d = 0.3.
constexpr FrictionSpring dry{
    .stiffness = 100, .viscosity = 0, .limits = {.friction = 0.5, .dynamic_ratio = 0.6}};

TEST(SoftFrictionSpring, SticksSlipsAndSticksAgain) {
    const double dt = 1e-4, v = 1, load = 1;
    double xi = 0, slips = 0;
    const auto step = [&](double speed, double now) {
        const auto result = dry.step(xi, speed, now, slips, dt);
        xi = result.spring, slips = result.slips;
        return result.force;
    };
    int n = 0;
    for (; slips == 0 && n < 100; ++n) { // sticks up to mu_s N
        const double force = step(v, load);
        ASSERT_NEAR(force, slips == 0 ? -100 * v * dt * (n + 1) : -0.3, 1e-13);
    }
    EXPECT_EQ(n, 51);               // 100 xi > 0.5
    for (int i = 0; i < 100; ++i) { // slides at mu_d N, whether the load rises or falls
        const double now = load * (1 + 0.01 * std::sin(i)), force = step(v, now);
        ASSERT_NEAR(force, -0.3 * now, 1e-14);
        ASSERT_EQ(slips, 1);
        ASSERT_NEAR(xi, 0.003 * now, 1e-15); // eq. 24
    }
    step(v, load);
    for (int i = 1; i <= 80; ++i) { // turns round: sticks at once, and now up to mu_s N again
        ASSERT_NEAR(step(-v, load), -0.3 + 0.01 * i, 1e-13);
        ASSERT_EQ(slips, i > 80 ? 1 : 0);
    }
    step(-v, load);
    EXPECT_EQ(slips, 1);
    EXPECT_NEAR(xi, -0.003, 1e-15);
    EXPECT_EQ(step(-v, 0), 0); // without load everything is forgotten
    EXPECT_EQ(slips, 0);
    EXPECT_EQ(xi, 0);
}

TEST(SoftFrictionSpring, NeverExceedsCoulombsLimit) {
    Random random = random_numbers(101);
    int sliding = 0;
    for (const double gamma : {0.0, 0.05})
        for (const double kept : {0.0, 1.0}) {
            const FrictionSpring law{100, gamma, {0.5, 0.6, kept}};
            Vec3 xi{0, 0, 0};
            double slips = 0;
            const Vec3 drift = random_direction(random);
            for (int n = 0; n < 5000; ++n) {
                const Vec3 v = 0.06 * (n / 50 % 2 ? drift : -drift) + 0.01 * random_vector(random);
                const double load = random.uniform(0.5, 1), dt = 0.01, before = slips;
                const Vec3 test = -100 * (xi + dt * v) - gamma * v;
                const auto result = law.step(xi, v, load, slips, dt);
                ASSERT_LE(norm(result.force), 0.5 * load * (1 + 1e-14));
                ASSERT_EQ(result.slips, norm(test) > (before > 0 ? 0.3 : 0.5) * load ? 1 : 0);
                const Vec3 expected = result.slips > 0 ? test * (0.3 * load / norm(test)) : test;
                ASSERT_LT(norm(result.force - expected), 1e-14);
                const Vec3 after = result.slips > 0 ? -0.01 * (expected + kept * gamma * v) : xi + dt * v;
                ASSERT_LT(norm(result.spring - after), 1e-15);
                ASSERT_GE(result.slip_heat + (gamma > 0 ? 1e9 : 1e-15), 0); // dry friction never gives energy
                xi = result.spring, slips = result.slips;
                sliding += slips > 0;
            }
        }
    EXPECT_GT(sliding, 4000);
    EXPECT_LT(sliding, 16000);
}

TEST(SoftFrictionSpring, TorsionIsTheSameInOneDimension) {
    Random random = random_numbers(102);
    const FrictionSpring law{100, 0.05, {0.5, 0.6}};
    const Vec3 n = random_direction(random);
    double xi = 0, slips = 0;
    for (int step = 0; step < 1000; ++step) {
        const double v = 0.5 * random.normal(), load = random.uniform(0.5, 1);
        const auto line = law.step(xi, v, load, slips, 0.01);
        const auto space = law.step(xi * n, v * n, load, slips, 0.01);
        ASSERT_LT(norm(space.force - line.force * n), 1e-14);
        ASSERT_LT(norm(space.spring - line.spring * n), 1e-16);
        ASSERT_EQ(space.slips, line.slips);
        ASSERT_NEAR(law.energy(xi), 50 * xi * xi, 1e-16);
        ASSERT_NEAR(law.energy(xi * n), 50 * xi * xi, 1e-16);
        xi = line.spring, slips = line.slips;
    }
}

TEST(SoftFrictionSpring, WithoutASpringTheDashpotAloneActs) {
    const FrictionSpring law{0, 2, {0.5, 1}};
    EXPECT_DOUBLE_EQ(law.step(0.0, 0.1, 1.0, 0.0, 0.01).force, -0.2);
    const auto slip = law.step(0.001, -3.0, 1.0, 0.0, 0.01);
    EXPECT_DOUBLE_EQ(slip.force, 0.5);
    EXPECT_EQ(slip.spring, 0);
}

TEST(SoftFrictionSpring, HeatOfSteadySlidingAndOfLostContacts) {
    const auto steady = dry.step(0.003, 2.0, 1.0, 1.0, 0.01);
    EXPECT_NEAR(steady.slip_heat, 0.3 * 0.02, 1e-15); // force times way
    EXPECT_EQ(steady.viscous_heat, 0);
    const auto lost = dry.step(0.004, 2.0, 0.0, 0.0, 0.0); // dt = 0: all of its energy
    EXPECT_NEAR(lost.slip_heat, 0.5 * 100 * 0.004 * 0.004, 1e-18);
    const FrictionSpring damped{100, 0.5, {0.5, 0.6}};
    const auto sticks = damped.step(0.001, 0.2, 1.0, 0.0, 0.01);
    EXPECT_NEAR(sticks.viscous_heat, 0.5 * 0.04 * 0.01, 1e-17);
    EXPECT_EQ(sticks.slip_heat, 0);
}

TEST(SoftFrictionSpring, TurnsWithTheTangentPlane) {
    Random random = random_numbers(103);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 n = random_direction(random), xi = random_vector(random);
        const Vec3 flat = soft::project(xi, n), turned = soft::rotate(xi, n);
        ASSERT_NEAR(dot(flat, n), 0, 1e-15 * 5);
        ASSERT_LT(norm(flat - tangential(xi, n)), 1e-14);
        ASSERT_NEAR(norm(turned), norm(xi), 1e-14);
        ASSERT_LT(norm(cross(turned, flat)), 1e-14 * 10);
        ASSERT_GT(dot(turned, flat), 0);
    }
    EXPECT_EQ(soft::rotate(Vec3{0, 0, 0}, Vec3{0, 0, 1}), (Vec3{0, 0, 0}));
    EXPECT_EQ(soft::rotate(Vec3{0, 0, 2}, Vec3{0, 0, 1}), (Vec3{0, 0, 0}));
}

TEST(SoftFrictionSpring, LanesEqualScalars) {
    Random random = random_numbers(104);
    const FrictionSpring law{100, 0.05, {0.5, 0.6, 0.5}};
    int stuck_packs = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        PackVec3 xi, v, n;
        Pack load, slips;
        const double strength = trial % 2 ? 1 : 1e3; // every second pack sticks in all lanes
        for (int lane = 0; lane < lanes; ++lane) {
            for (int axis = 0; axis < 3; ++axis) {
                xi[axis].raw[lane] = lane == 6 ? 0.0 : 3e-3 * random.normal();
                v[axis].raw[lane] = lane == 6 ? 0.0 : 0.1 * random.normal();
            }
            const Vec3 direction = random_direction(random);
            n.x.raw[lane] = direction.x, n.y.raw[lane] = direction.y, n.z.raw[lane] = direction.z;
            load.raw[lane] = strength * (lane == 2 && trial % 4 ? 0.0 : random.uniform(0, 2) + 0.1);
            slips.raw[lane] = random.below(2) ? 1 : 0;
        }
        const PackVec3 plane = soft::rotate(xi, n);
        const auto space = law.step(plane, v, load, slips, Pack(0.01));
        const auto line = law.step(xi.x, v.x, load, slips, Pack(0.01));
        double slipping = 0;
        for (int lane = 0; lane < lanes; ++lane) {
            const auto at = [&](const PackVec3& p) { return Vec3{p.x[lane], p.y[lane], p.z[lane]}; };
            ASSERT_EQ(at(plane), soft::rotate(at(xi), at(n)));
            const auto one = law.step(at(plane), at(v), load[lane], slips[lane], 0.01);
            ASSERT_EQ(at(space.force), one.force) << lane;
            ASSERT_EQ(at(space.spring), one.spring) << lane;
            ASSERT_EQ(space.slips[lane], one.slips) << lane;
            ASSERT_EQ(space.slip_heat[lane], one.slip_heat) << lane;
            ASSERT_EQ(space.viscous_heat[lane], one.viscous_heat) << lane;
            const auto own = law.step(xi.x[lane], v.x[lane], load[lane], slips[lane], 0.01);
            ASSERT_EQ(line.force[lane], own.force);
            ASSERT_EQ(line.spring[lane], own.spring);
            ASSERT_EQ(line.slips[lane], own.slips);
            ASSERT_EQ(line.slip_heat[lane], own.slip_heat);
            if (load[lane] == 0) {
                ASSERT_EQ(one.force, (Vec3{0, 0, 0}));
                ASSERT_EQ(one.spring, (Vec3{0, 0, 0}));
                ASSERT_EQ(one.slips + one.viscous_heat, 0);
            }
            slipping += one.slips;
        }
        stuck_packs += slipping == 0;
    }
    EXPECT_GT(stuck_packs, 300);
    EXPECT_LT(stuck_packs, 1700);
}

} // namespace
