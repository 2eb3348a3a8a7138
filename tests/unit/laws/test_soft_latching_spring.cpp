#include "tamp/laws/soft/latching_spring.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "soft_collision.hpp"
#include "soft_law_checks.hpp"
#include "tamp/laws/soft/hysteretic_scales.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::LatchingSpring;

double force_at(const LatchingSpring& law, double delta, double& memory) {
    auto touch = equal_grains();
    touch.overlap = delta;
    return law.force(touch, memory).elastic;
}

TEST(SoftLatchingSpring, EveryBranch) {
    const LatchingSpring law{.k1 = 100, .k2 = 400};
    double memory = 0;
    EXPECT_DOUBLE_EQ(force_at(law, 0.5e-3, memory), 0.05);
    EXPECT_DOUBLE_EQ(force_at(law, 1e-3, memory), 0.1);
    EXPECT_DOUBLE_EQ(force_at(law, 0.8e-3, memory), 0.1 - 400 * 0.2e-3); // unloads with k2
    EXPECT_NEAR(force_at(law, 0.75e-3, memory), 0, 1e-16);               // delta_0 = (1 - k1/k2) delta_m
    EXPECT_EQ(force_at(law, 0.5e-3, memory), 0);                         // never pulls
    EXPECT_EQ(memory, 1e-3);
    EXPECT_DOUBLE_EQ(force_at(law, 0.9e-3, memory), 0.06); // reloads along the same line
    EXPECT_DOUBLE_EQ(force_at(law, 2e-3, memory), 0.2);
    EXPECT_EQ(force_at(law, -1e-9, memory), 0);
    EXPECT_EQ(memory, 0);
    EXPECT_DOUBLE_EQ(force_at(law, 0.5e-3, memory), 0.05); // the dent is forgotten
}

TEST(SoftLatchingSpring, DashpotNeedsTouchingSurfaces) {
    const LatchingSpring law{.k1 = 100, .k2 = 400, .viscosity = 3};
    auto touch = equal_grains();
    double memory = 1e-3;
    touch.closing_speed = -0.2, touch.overlap = 0.9e-3;
    EXPECT_DOUBLE_EQ(law.force(touch, memory).viscous, -0.6);
    touch.overlap = 0.7e-3;
    EXPECT_EQ(law.force(touch, memory).viscous, 0);
}

TEST(SoftLatchingSpring, ConstantRestitution) {
    const auto pair = equal_grains();
    const LatchingSpring law{.k1 = 100, .k2 = 400};
    for (const double speed : {0.01, 1.0}) {
        EXPECT_DOUBLE_EQ(soft::restitution(law, pair.reduced_mass, speed), 0.5); // sqrt(k1/k2)
        const double time = soft::contact_time(law, pair.reduced_mass, speed);
        const auto end = collide(law, pair, speed, time / 20000, 1000000);
        EXPECT_NEAR(end.restitution, 0.5, 1e-6);
        EXPECT_NEAR(end.loaded_time, time, 2e-4 * time);
        EXPECT_NEAR(end.largest_overlap, soft::largest_overlap(law, pair.reduced_mass, speed),
                    1e-6 * end.largest_overlap);
    }
}

TEST(SoftLatchingSpring, RestitutionFallsWithGrowingStiffness) {
    // K_2 = k_1 + S F_m with F_m = v sqrt(m k_1): e^2 = omega/(omega + S v), omega = sqrt(k_1/m).
    const auto pair = equal_grains();
    const LatchingSpring law{.k1 = 100, .k2 = 100, .growth = 400};
    const double omega = std::sqrt(law.k1 / pair.reduced_mass);
    for (const double speed : {0.01, 0.1, 1.0}) {
        const double expected = std::sqrt(omega / (omega + law.growth * speed));
        EXPECT_NEAR(soft::restitution(law, pair.reduced_mass, speed), expected, 1e-14);
        const double time = soft::contact_time(law, pair.reduced_mass, speed);
        EXPECT_NEAR(collide(law, pair, speed, time / 20000, 1000000).restitution, expected, 1e-6);
    }
}

TEST(SoftLatchingSpring, OrderOfTheScheme) {
    const LatchingSpring law{.k1 = 100, .k2 = 400}, elastic{.k1 = 100, .k2 = 100};
    const double time = 0.8 * soft::contact_time(law, equal_grains().reduced_mass, 1);
    EXPECT_GT(order(law, equal_grains(), 1, time, 500), 0.9);
    EXPECT_NEAR(order(elastic, equal_grains(), 1, time, 500), 2, 0.05);
}

TEST(SoftLatchingSpring, Promises) {
    const LatchingSpring law{.k1 = 100, .k2 = 150, .growth = 3000};
    expect_energy_of_cycles(law, equal_grains(), 1e-3);
    expect_lanes_of_law(LatchingSpring{100, 150, 3000, 2}, equal_grains(), 1e-3);
    expect_stiffness_bound(law, equal_grains(), 1e-3);
}

} // namespace
