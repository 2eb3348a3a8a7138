#include "tamp/laws/soft/constant_cohesion.hpp"

#include <gtest/gtest.h>

#include "tamp/laws/soft/linear.hpp"

namespace tamp::soft {
namespace {

constexpr Linear spring{.k = 1000};

NormalForce<double> force_at(const ConstantCohesion& cohesion, double overlap) {
    const Touch<double> touch{overlap, 0, 0.5e-3, 1e-3, 2e-3};
    double memory = 0;
    return cohesion.added_to(spring.force(touch, memory), touch);
}

TEST(ConstantCohesion, GrainsRestWhereTheSpringBearsIt) {
    const ConstantCohesion cohesion{.force = 0.2};
    EXPECT_DOUBLE_EQ(force_at(cohesion, 2e-4).total(), 0);
    EXPECT_DOUBLE_EQ(force_at(cohesion, 2e-4).load(), 0.2) << "friction holds without a load";
    EXPECT_DOUBLE_EQ(force_at(cohesion, 5e-4).total(), 0.3);
    EXPECT_NEAR(force_at(cohesion, 1e-12).total(), -0.2, 1e-8) << "the largest pull";
    EXPECT_GE(force_at(cohesion, 1e-12).load(), 0);
}

TEST(ConstantCohesion, EndsWithTheContact) {
    const ConstantCohesion cohesion{.force = 0.2};
    for (const double gap : {0.0, -1e-6}) {
        EXPECT_EQ(force_at(cohesion, gap).total(), 0);
        EXPECT_EQ(force_at(cohesion, gap).load(), 0);
    }
}

TEST(ConstantCohesion, ScalesAddUp) {
    const ConstantCohesion cohesion{.force = 1, .per_radius = 200, .per_mass = 1000};
    EXPECT_DOUBLE_EQ(cohesion.strength(Touch<double>{1e-6, 0, 0.5e-3, 1e-3, 2e-3}), 1 + 0.2 + 0.5);
}

/// Energy is minus the integral of the force from zero overlap on.
TEST(ConstantCohesion, EnergyIsTheWork) {
    const ConstantCohesion cohesion{.force = 0.2};
    double work = 0;
    const int steps = 1000;
    const double overlap = 3e-4, step = overlap / steps;
    for (int i = 0; i < steps; ++i)
        work += force_at(cohesion, (i + 0.5) * step).total() * step;
    const Touch<double> touch{overlap, 0, 0.5e-3, 1e-3, 2e-3};
    EXPECT_NEAR(spring.energy(touch, 0.0) + cohesion.energy(touch), work, 1e-12);
}

} // namespace
} // namespace tamp::soft
