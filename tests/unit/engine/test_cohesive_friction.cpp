#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "floor.hpp"

// Friction of a cohesive contact along the lines of the DMT model: R_n + F_C in place of R_n [000 sec. 1.8].
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = Floor::g, radius = Floor::radius, dt = 1e-3;

class CohesiveFriction : public testing::TestWithParam<int> {
protected:
    Floor floor_{GetParam()};
    double weight() const { return floor_.mass() * g; }
};

TEST_P(CohesiveFriction, BlockSlipsOnlyAboveTheLimit) {
    // Rolling friction holds the spin, so that it slides like a block: m g sin against mu (m g cos + F_C).
    // Beyond a right angle the plane is a ceiling.
    const double mu = 0.4;
    for (const double angle : {0.3, 1.0, std::numbers::pi / 2, 2.5}) {
        const double critical = weight() * (std::sin(angle) / mu - std::cos(angle));
        for (const double share : {0.97, 1.03}) {
            const double force = share * critical;
            if (force <= 0 || force + weight() * std::cos(angle) <= 0)
                continue; // falls, or needs no cohesion
            const ContactLaws laws{.friction = mu,
                                   .rolling = {TorqueScale::length, 10 * radius, 0},
                                   .cohesion = {.value = force}};
            RigidRun engine = floor_.engine(laws, angle, dt);
            const double a =
                std::max(0.0, g * std::sin(angle) - mu * (g * std::cos(angle) + force / floor_.mass()));
            ASSERT_EQ(a > 0, share < 1);
            for (int n = 1; n <= 50; ++n) {
                engine.step(for_ever);
                const Grain now = grains_of(engine).at(0);
                ASSERT_LT(norm(now.velocity - Vec3{n * dt * a, 0, 0}), 1e-13 * n)
                    << "angle " << angle << ", share " << share << ", step " << n;
                ASSERT_LT(norm(now.spin) * radius, 1e-13 * n);
            }
        }
    }
}

TEST_P(CohesiveFriction, WheelRollsUpToALargerLimit) {
    // Free to roll, it needs only a share 1/(1 + kappa) of the friction.
    const double mu = 0.1, angle = 1.0;
    const double critical = weight() * (std::sin(angle) / ((1 + floor_.kappa) * mu) - std::cos(angle));
    ASSERT_GT(critical, 0);
    for (const double share : {0.95, 1.05}) {
        const double force = share * critical;
        RigidRun engine = floor_.engine({.friction = mu, .cohesion = {.value = force}}, angle, dt);
        const double push = std::min(g * std::sin(angle) / (1 + floor_.kappa),
                                     mu * (g * std::cos(angle) + force / floor_.mass()));
        for (int n = 1; n <= 50; ++n) {
            engine.step(for_ever);
            const Grain now = grains_of(engine).at(0);
            ASSERT_NEAR(now.velocity.x, n * dt * (g * std::sin(angle) - push), 1e-13 * n);
            ASSERT_NEAR(dot(now.spin, floor_.axle) * radius, n * dt * floor_.kappa * push, 1e-13 * n);
        }
    }
}

TEST_P(CohesiveFriction, RollingLimitGrowsToo) {
    // r m g sin against l (m g cos + F_C).
    const double angle = 0.5, lever = 0.1 * radius;
    const double critical = weight() * (radius / lever * std::sin(angle) - std::cos(angle));
    for (const double share : {0.97, 1.03}) {
        const double force = share * critical;
        const ContactLaws laws{
            .friction = 2, .rolling = {TorqueScale::length, lever, 0}, .cohesion = {.value = force}};
        RigidRun engine = floor_.engine(laws, angle, dt);
        const double rest =
            g * std::sin(angle) - lever / radius * (g * std::cos(angle) + force / floor_.mass());
        const double a = std::max(0.0, rest) * floor_.kappa / (1 + floor_.kappa);
        for (int n = 1; n <= 50; ++n) {
            engine.step(for_ever);
            ASSERT_NEAR(grains_of(engine).at(0).velocity.x, n * dt * a, 1e-13 * n) << share;
        }
    }
}

TEST_P(CohesiveFriction, LimitOfAnImpulseThresholdIsTheSameImpulse) {
    // F_C t_0 adds to the normal impulse whatever the step: a sliding block loses mu (g dt + F_C t_0/m) a
    // step.
    const double mu = 0.3, force = 0.5 * weight(), time = 1e-3, v0 = 0.4;
    for (const double step : {1e-3, 5e-4}) {
        const ContactLaws laws{.friction = mu,
                               .rolling = {TorqueScale::length, 10 * radius, 0},
                               .cohesion = {.value = force, .impulse_time = time}};
        RigidRun engine = floor_.engine(laws, 0, step, {v0, 0, 0});
        const double loss = mu * (g * step + force * time / floor_.mass());
        for (int n = 1; n <= 50; ++n) {
            engine.step(for_ever);
            ASSERT_NEAR(grains_of(engine).at(0).velocity.x, v0 - n * loss, 1e-12) << "dt " << step;
        }
    }
}

TEST_P(CohesiveFriction, BondNumbersAndRadiiSetTheForce) {
    // Under a ceiling: a wall has no mass of its own, 2/(1/m + 0) = 2 m, and the reduced radius is the
    // particle's.
    const auto holds = [&](const Cohesion& cohesion) {
        RigidRun engine = floor_.engine({.friction = 0.3, .cohesion = cohesion}, std::numbers::pi, dt);
        for (int n = 1; n <= 20; ++n)
            engine.step(for_ever);
        return std::abs(dot(grains_of(engine).at(0).position, floor_.up) - radius) < 1e-6 * radius;
    };
    for (const double share : {0.99, 1.01}) {
        EXPECT_EQ(holds({.value = share * weight()}), share > 1);
        EXPECT_EQ(holds({.scale = CohesionScale::bond, .value = 0.5 * share}), share > 1);
        EXPECT_EQ(holds({.scale = CohesionScale::radius, .value = share * weight() / radius}), share > 1);
    }
}

TEST_P(CohesiveFriction, SolverNeedsNoNormalForce) {
    // At an upright wall cohesion alone allows the friction, R_n = 0: no scale for the solver's residual.
    const ContactLaws laws{.friction = 0.4,
                           .rolling = {TorqueScale::length, 10 * radius, 0},
                           .cohesion = {.value = 3 * weight()}};
    RigidSetup setup = floor_.setup(laws, std::numbers::pi / 2, dt);
    setup.solver = {};
    RigidRun engine(world(), setup, std::vector<Grain>{grain(0, radius * floor_.up, radius)});
    for (int n = 1; n <= 100; ++n)
        engine.step(for_ever);
    EXPECT_LT(norm(grains_of(engine).at(0).velocity), 1e-12);
    EXPECT_EQ(engine.totals().capped_steps, 0);
    EXPECT_LT(engine.totals().sweeps, 2000);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, CohesiveFriction, testing::Values(3, 2));

TEST(CohesivePair, SpinsAsOneBody) {
    // A bonded pair that turns in open space: cohesion is the centripetal force, F_C >= m omega^2 r, friction
    // and rolling friction hold the contact.
    const double omega = 5, m = 1000.0 * grain_volume(radius, 3), needed = m * omega * omega * radius;
    for (const double share : {1.2, 0.8}) {
        RigidSetup setup = open_space(0.4, 0, 1e-4);
        setup.solver.tolerance = setup.solver.force_tolerance =
            1e-9; // round-off of omega r is 1e-13 of the impulses
        setup.materials.set(0, 0,
                            {.friction = 0.5,
                             .rolling = {TorqueScale::ratio, 0.1, 0},
                             .cohesion = {.value = share * needed}});
        RigidRun engine(
            world(), setup,
            std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {0, -omega * radius, 0}, {0, 0, omega}),
                               grain(1, {radius, 0, 0}, radius, {0, omega * radius, 0}, {0, 0, omega})});
        for (int n = 1; n <= 3000; ++n)
            engine.step(for_ever);
        const auto now = grains_of(engine);
        const double gap = norm(now.at(1).position - now.at(0).position) - 2 * radius;
        if (share > 1) {
            // The way in a step is a tangent, not an arc: a gap of r (omega dt)^2, which must not add up.
            EXPECT_LT(std::abs(gap), 1e-3 * radius);
            EXPECT_NEAR(now.at(0).spin.z, omega, 0.01 * omega);
            EXPECT_EQ(engine.bond(0), rigid::Bond::held);
        } else {
            EXPECT_GT(gap, 0.5 * radius);
        }
        EXPECT_EQ(engine.totals().capped_steps, 0);
    }
}

TEST(CohesivePair, RowThatBouncesNeverCapsTheSolver) {
    // In the air a bonded row bears no load: the impulses of its contacts are round-off, and no scale either.
    RigidSetup setup = open_space(0.4, 0, 1e-3);
    setup.solver = {};
    setup.gravity = {0, 0, -9.81};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    setup.materials.set(0, 0,
                        {.friction = 0.3, .restitution = 0.8, .cohesion = {.value = 0.3, .range = 1e-4}});
    std::vector<Grain> row;
    for (int i = 0; i < 6; ++i)
        row.push_back(
            grain(static_cast<std::uint64_t>(i), {0, 0, radius * (1 + 2 * i) + 5e-4}, radius, {0, 0, -0.5}));
    RigidRun engine(world(), setup, row);
    for (int n = 1; n <= 300; ++n)
        engine.step(for_ever);
    EXPECT_EQ(engine.totals().capped_steps, 0);
}

TEST(CohesivePair, SlowReboundIsCaught) {
    // A pair that rebounds with less than the energy of the bond cannot part [000 sec. 1.8].
    const double m = 1000.0 * grain_volume(radius, 3), force = 0.02, energy = 2e-6, e = 0.5;
    const double escape = std::sqrt(2 * energy / (0.5 * m));
    for (const double share : {0.5, 2.0}) { // of the rebound's speed
        RigidSetup setup = open_space(0.4, 0, 1e-5);
        setup.materials.set(0, 0, {.restitution = e, .cohesion = {.value = force, .energy = energy}});
        const double v = share * escape / e;
        RigidRun engine(world(), setup,
                        std::vector<Grain>{grain(0, {-radius, 0, 0}, radius, {0.5 * v, 0, 0}),
                                           grain(1, {radius + 3.3e-5 * v, 0, 0}, radius, {-0.5 * v, 0, 0})});
        for (int n = 1; n <= 3000; ++n)
            engine.step(for_ever);
        const auto now = grains_of(engine);
        const double speed = now.at(1).velocity.x - now.at(0).velocity.x;
        const double left = share > 1 ? escape * std::sqrt(share * share - 1) : 0.0;
        EXPECT_NEAR(speed, left, 0.02 * escape) << "rebound with " << share << " of the escape speed";
    }
}

} // namespace
