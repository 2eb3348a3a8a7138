#include "tamp/laws/rigid/restitution.hpp"

#include <gtest/gtest.h>

#include "random_vectors.hpp"
#include "tamp/laws/rigid/inelastic.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double dt = 0.5, e = 0.75, slow = 0.25;

TEST(Restitution, ImpactMustOpen) {
    // Reaches the partner within the step, and is fast: opens with e times the speed.
    EXPECT_EQ(rigid::closing_speed(0.0, -2.0, e, slow, dt), -1.5);
    EXPECT_EQ(rigid::closing_speed(0.9, -2.0, e, slow, dt), -1.5);
    EXPECT_EQ(rigid::closing_speed(-0.1, -2.0, e, slow, dt), -1.5);
    EXPECT_EQ(rigid::closing_speed(0.0, -2.0, 1.0, 0.0, dt), -2.0);
}

TEST(Restitution, EverythingElseIsInelastic) {
    EXPECT_EQ(rigid::closing_speed(0.9, -2.0, 0.0, slow, dt), 1.8);  // e = 0
    EXPECT_EQ(rigid::closing_speed(1.0, -2.0, e, slow, dt), 2.0);    // just closes by itself
    EXPECT_EQ(rigid::closing_speed(1.5, -2.0, e, slow, dt), 3.0);    // too far away
    EXPECT_EQ(rigid::closing_speed(0.01, -0.25, e, slow, dt), 0.02); // not faster than the threshold
    EXPECT_EQ(rigid::closing_speed(0.01, -0.26, e, slow, dt), -0.195);
    EXPECT_EQ(rigid::closing_speed(0.01, 2.0, e, slow, dt), 0.02); // opens
    EXPECT_EQ(rigid::closing_speed(0.0, 0.0, e, 0.0, dt), 0.0);    // rests
    EXPECT_EQ(rigid::closing_speed(-0.1, 2.0, e, slow, dt), 0.0);  // an overlap is kept
    EXPECT_EQ(rigid::closing_speed(-0.1, -0.1, e, slow, dt), 0.0);
}

TEST(Restitution, TangentialShareIsForImpactsOnly) {
    EXPECT_EQ(rigid::tangential_share(0.0, -2.0, 0.5, slow, dt), 0.5);
    EXPECT_EQ(rigid::tangential_share(0.9, -2.0, 0.5, slow, dt), 0.5);
    EXPECT_EQ(rigid::tangential_share(1.0, -2.0, 0.5, slow, dt), 0.0); // does not reach
    EXPECT_EQ(rigid::tangential_share(0.0, -2.0, 0.5, 2.0, dt), 0.0);  // too slow
    EXPECT_EQ(rigid::tangential_share(0.0, 2.0, 0.5, slow, dt), 0.0);  // opens
}

TEST(Restitution, SingleContactLeavesWithTheRatio) {
    // Put into the inelastic law, the closing speed gives u+ = -e u- whatever the impulse to start from.
    Random random = random_numbers(11);
    for (int trial = 0; trial < 500; ++trial) {
        const Vec3 n = random_direction(random), p = random_vector(random);
        const double m = random.uniform(0.1, 3), ratio = random.uniform(0, 1);
        const double before = -random.uniform(0.1, 3), gap = random.uniform(-0.1, -before * dt);
        const double c = rigid::closing_speed(gap, before, ratio, 0.0, dt);
        const double now = before + dot(p, n) / m; // p is in it
        const Vec3 after = rigid::relaxed_impulse(p, n, now * n, c, 0.3, m, m / 3.5);
        ASSERT_NEAR(now + (dot(after, n) - dot(p, n)) / m, -ratio * before, 1e-13);
        ASSERT_NEAR(dot(after, n), m * (1 + ratio) * -before, 1e-13);
    }
}

} // namespace
