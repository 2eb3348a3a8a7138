#include "tamp/laws/soft/mindlin.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "soft_collision.hpp"
#include "tamp/laws/soft/hertz.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::MindlinSpring;
using soft::WaltonFriction;

TEST(SoftMindlin, StiffnessOfIdenticalSpheres) {
    // Mindlin: k_t/k_n = 2 (1 - nu)/(2 - nu), between 2/3 and 1 [002 sec. 3].
    for (const double poisson : {0.0, 0.3, 0.5}) {
        const double young = 7e7, shear = young / (2 * (1 + poisson));
        const MindlinSpring law{.shear_modulus = shear / (2 * (2 - poisson))};
        const soft::Hertz hertz{.modulus = young / (2 * (1 - poisson * poisson))};
        const double ratio = law.stiffness(1e-3, 2e-5) / hertz.stiffness(1e-3, 2e-5);
        EXPECT_NEAR(ratio, soft::mindlin_ratio(poisson), 1e-14);
        const auto constants = law.constants(soft::Touch<double>{2e-5, 0, 1, 1e-3, 1});
        EXPECT_DOUBLE_EQ(constants.stiffness, law.stiffness(1e-3, 2e-5));
        EXPECT_DOUBLE_EQ(constants.stiffness * constants.compliance, 1);
    }
    EXPECT_DOUBLE_EQ(soft::mindlin_ratio(0), 1);
    EXPECT_DOUBLE_EQ(soft::mindlin_ratio(0.5), 2.0 / 3);
}

TEST(SoftMindlin, StoredDisplacementWithThePresentStiffness) {
    const MindlinSpring law{
        .shear_modulus = 1e6, .viscosity = 0.1, .damping_ratio = 0.3, .limits = {.friction = 1e3}};
    auto touch = equal_grains();
    touch.overlap = 4e-5;
    const Vec3 v{0.01, 0, 0}, none{0, 0, 0};
    const double k = 8e6 * std::sqrt(1e-3 * 4e-5), gamma = 0.1 + 0.6 * std::sqrt(0.5e-3 * k);
    const auto moved = law.step(touch, none, v, 1.0, 0.0, 1e-3);
    EXPECT_NEAR(moved.spring.x, 1e-5, 1e-19);
    EXPECT_NEAR(moved.force.x, -k * 1e-5 - gamma * 0.01, 1e-13);
    touch.overlap = 1e-5; // unloads: half the stiffness, the same displacement
    const auto held = law.step(touch, moved.spring, none, 1.0, 0.0, 1e-3);
    EXPECT_NEAR(held.force.x, -k / 2 * 1e-5, 1e-14);
    EXPECT_EQ(held.spring, moved.spring);
    touch.overlap = 0;
    const auto gone = law.step(touch, moved.spring, v, 0.0, 0.0, 1e-3);
    EXPECT_EQ(gone.force, none);
    EXPECT_EQ(gone.spring, none);
}

/// Along one direction, in many small steps.
struct Line {
    WaltonFriction law{.friction = 0.4};
    Vec3 direction{0.6, 0, 0.8};
    double k = 200;
    Vec3 force{0, 0, 0};
    double turning = 0;

    double move(double way, double load, int steps = 20000) {
        for (int i = 0; i < steps; ++i) {
            const auto next = law.step(force, turning, k, way / steps * direction, load);
            force = next.force, turning = next.turning;
        }
        return -dot(force, direction);
    }
};

/// T gone from a turning point, with `whole` left to the limit then: dT/ds = K_0 (1 - T/whole)^(1/3).
double softened(double way, double k, double whole) {
    return whole * (1 - std::pow(1 - 2 * k * way / (3 * whole), 1.5));
}

TEST(SoftMindlin, WaltonsHistoryInClosedForm) {
    Line line;
    const double load = 1, limit = 0.4;
    double pull = line.move(1e-3, load); // a new contact
    const double first = softened(1e-3, 200, limit);
    EXPECT_NEAR(pull, first, 2e-5);
    EXPECT_EQ(line.turning, 0);
    pull = line.move(-5e-4, load); // turns round: stiff again
    EXPECT_NEAR(pull, first - softened(5e-4, 200, limit + first), 2e-5);
    EXPECT_NEAR(line.turning * limit, first, 2e-5);
    EXPECT_GT(pull, 0);
    pull = line.move(-1.5e-3, load); // on through zero
    EXPECT_NEAR(pull, first - softened(2e-3, 200, limit + first), 4e-5);
    EXPECT_NEAR(line.turning * limit, -first, 2e-5); // seen along the new direction
    const double low = pull;
    EXPECT_LT(low, 0);
    pull = line.move(1e-3, load); // turns again
    EXPECT_NEAR(pull, low + softened(1e-3, 200, limit - low), 4e-5);
    pull = line.move(0.01, load); // slides
    EXPECT_NEAR(pull, limit, 1e-12);
    pull = line.move(-1e-3, load);
    EXPECT_NEAR(pull, limit - softened(1e-3, 200, 2 * limit), 3e-5);
}

TEST(SoftMindlin, WaltonsTurningPointScalesWithTheLoad) {
    Line line;
    const double first = line.move(1e-3, 1);
    line.move(-1e-4, 1);
    const double before = line.move(-1e-4, 1), small = 1e-8;
    // T* is 1.5 times larger with 1.5 times the load, and so is the limit; T is the same.
    const double slope = (before - line.move(-small, 1.5, 1)) / small;
    EXPECT_NEAR(slope, 200 * std::cbrt(1 - (1.5 * first - before) / (0.6 + 1.5 * first)), 0.1);
    // A load that falls takes the force with it.
    EXPECT_NEAR(norm(line.law.step(line.force, line.turning, 200.0, Vec3{0, 0, 0}, 0.01).force), 0.004,
                1e-15);
    const auto gone = line.law.step(line.force, line.turning, 200.0, 1e-3 * line.direction, 0.0);
    EXPECT_EQ(gone.force, (Vec3{0, 0, 0}));
    EXPECT_EQ(gone.turning, 0);
}

TEST(SoftMindlin, WaltonAcrossTheForce) {
    Line line;
    const double pull = line.move(1e-3, 1), small = 1e-7;
    const Vec3 across{0, 1, 0};
    const auto next = line.law.step(line.force, line.turning, 200.0, small * across, 1.0);
    EXPECT_NEAR(-dot(next.force, across), 200 * small, 1e-15); // the full K_0
    EXPECT_NEAR(-dot(next.force, line.direction), pull, 1e-15);
}

TEST(SoftMindlin, WaltonNeverExceedsTheLimitAndRestsInPlace) {
    Random random = random_numbers(111);
    const WaltonFriction law{0.4};
    Vec3 force{0, 0, 0};
    double turning = 0;
    for (int n = 0; n < 20000; ++n) {
        const double load = random.uniform(0.5, 1.5);
        const Vec3 shift = 1e-3 * random_vector(random);
        const auto next = law.step(force, turning, 200.0, shift, load);
        ASSERT_LE(norm(next.force), 0.4 * load * (1 + 1e-14));
        ASSERT_LE(std::abs(next.turning), 1 + 1e-14);
        const auto rest = law.step(next.force, next.turning, 200.0, Vec3{0, 0, 0}, load);
        ASSERT_LT(norm(rest.force - next.force), 1e-15);
        ASSERT_NEAR(rest.turning, next.turning, 1e-14);
        force = next.force, turning = next.turning;
    }
}

TEST(SoftMindlin, LanesEqualScalars) {
    Random random = random_numbers(112);
    const WaltonFriction walton{0.4};
    const MindlinSpring mindlin{1e6, 0.1, 0.3, {0.5, 0.6}};
    for (int trial = 0; trial < 1000; ++trial) {
        PackVec3 force, shift;
        Pack turning, k, load, overlap;
        for (int lane = 0; lane < lanes; ++lane) {
            for (int axis = 0; axis < 3; ++axis) {
                force[axis].raw[lane] = lane == 4 ? 0.0 : 0.2 * random.normal();
                shift[axis].raw[lane] = lane == 6 ? 0.0 : 1e-3 * random.normal();
            }
            turning.raw[lane] = random.uniform(-1, 1), k.raw[lane] = random.uniform(100, 300);
            load.raw[lane] = lane == 2 ? 0.0 : random.uniform(0, 2);
            overlap.raw[lane] = lane == 2 ? -1.0 : lane == 3 ? 0.0 : random.uniform(0, 1e-4);
        }
        const auto result = walton.step(force, turning, k, shift, load);
        soft::Touch<Pack> touch{overlap, Pack(0.0), Pack(0.5e-3), Pack(1e-3), Pack(2e-3)};
        const auto spring = mindlin.step(touch, shift, force, load, Pack(0.0), Pack(1e-3));
        for (int lane = 0; lane < lanes; ++lane) {
            const auto at = [&](const PackVec3& p) { return Vec3{p.x[lane], p.y[lane], p.z[lane]}; };
            const auto one = walton.step(at(force), turning[lane], k[lane], at(shift), load[lane]);
            ASSERT_EQ(at(result.force), one.force) << lane;
            ASSERT_EQ(result.turning[lane], one.turning) << lane;
            ASSERT_TRUE(std::isfinite(norm(one.force) + one.turning)) << lane;
            ASSERT_TRUE(lane != 2 || (norm(one.force) == 0 && one.turning == 0));
            const soft::Touch<double> single{overlap[lane], 0, 0.5e-3, 1e-3, 2e-3};
            const auto own = mindlin.step(single, at(shift), at(force), load[lane], 0.0, 1e-3);
            ASSERT_EQ(at(spring.force), own.force) << lane;
            ASSERT_EQ(at(spring.spring), own.spring) << lane;
            ASSERT_TRUE(std::isfinite(norm(own.force) + norm(own.spring) + own.slip_heat)) << lane;
        }
    }
}

} // namespace
