#include "tamp/laws/soft/yielding.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "soft_collision.hpp"
#include "soft_law_checks.hpp"
#include "tamp/laws/soft/hysteretic_scales.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::Yielding;

constexpr Yielding law{.modulus = 1e7, .yield_pressure = 1e6};

double force_at(const Yielding& with, double delta, double& memory) {
    auto touch = equal_grains();
    touch.overlap = delta;
    return with.force(touch, memory).elastic;
}

TEST(SoftYielding, YieldForce) {
    // [002 eq. 9]: 21 R^2 Y^3/E*^2 with p_y = 1.6 Y.
    const double r = 1e-3, strength = 1e6 / 1.6;
    EXPECT_NEAR(law.yield_force(r), 21.17 * r * r * std::pow(strength, 3) / 1e14, 1e-3 * law.yield_force(r));
    double memory = 0;
    EXPECT_NEAR(force_at(law, law.yield_overlap(r), memory), law.yield_force(r), 1e-14 * law.yield_force(r));
    // The contact pressure 3 F/(2 pi a^2) of Hertz is p_y.
    const double area = std::numbers::pi * r * law.yield_overlap(r);
    EXPECT_NEAR(1.5 * law.yield_force(r) / area, law.yield_pressure, 1e-14 * law.yield_pressure);
}

TEST(SoftYielding, LoadingIsSmoothAtYield) {
    const double yield = law.yield_overlap(1e-3), slope = law.plastic_slope(1e-3), h = 1e-6 * yield;
    for (const double delta : {yield - 2 * h, yield - h, yield, yield + h, 3 * yield}) {
        double memory = 0;
        const double one = force_at(law, delta, memory), two = force_at(law, delta + h, memory);
        EXPECT_NEAR((two - one) / h, slope, 1e-5 * slope) << delta / yield;
    }
    double memory = 0; // Hertz before
    EXPECT_NEAR(force_at(law, yield / 4, memory), law.yield_force(1e-3) / 8, 1e-14 * law.yield_force(1e-3));
}

TEST(SoftYielding, UnloadsAlongAFlatterSphere) {
    const double r = 1e-3, yield = law.yield_overlap(r), largest = 5 * yield;
    double memory = 0;
    const double top = force_at(law, largest, memory), contact_radius = std::sqrt(r * largest);
    // Thornton's eq.: a_m^2 = (2 F_m + F_y)/(2 pi p_y), R_p = 4 E* a_m^3/(3 F_m)
    EXPECT_NEAR((2 * top + law.yield_force(r)) / (2 * std::numbers::pi * law.yield_pressure), r * largest,
                1e-13 * r * largest);
    const double flat = 4 * law.modulus * std::pow(contact_radius, 3) / (3 * top);
    const double dent = largest - r * largest / flat;
    EXPECT_GT(flat, 1.5 * r);
    for (const double share : {0.9, 0.5, 0.1, 0.7, 1.0}) { // also reloading
        const double delta = dent + share * (largest - dent);
        const double hertz = 4.0 / 3 * law.modulus * std::sqrt(flat) * std::pow(delta - dent, 1.5);
        EXPECT_NEAR(force_at(law, delta, memory), hertz, 1e-12 * top);
        EXPECT_EQ(memory, largest);
    }
    EXPECT_EQ(force_at(law, 0.99 * dent, memory), 0);
    EXPECT_EQ(memory, largest);
    EXPECT_NEAR(force_at(law, 1.2 * largest, memory), top + law.plastic_slope(r) * 0.2 * largest,
                1e-13 * top);
    EXPECT_EQ(memory, 1.2 * largest);
    EXPECT_EQ(force_at(law, 0, memory), 0);
    EXPECT_EQ(memory, 0);
}

TEST(SoftYielding, DashpotNeedsTouchingSurfaces) {
    const Yielding viscous{.modulus = 1e7, .yield_pressure = 1e6, .viscosity = 3};
    auto touch = equal_grains();
    const double largest = 5 * viscous.yield_overlap(touch.reduced_radius);
    double memory = largest;
    touch.closing_speed = -0.2, touch.overlap = 0.95 * largest;
    EXPECT_DOUBLE_EQ(viscous.force(touch, memory).viscous, -0.6);
    touch.overlap = 0.1 * largest; // in the dent
    EXPECT_EQ(viscous.force(touch, memory).viscous, 0);
}

TEST(SoftYielding, ThorntonsRestitution) {
    const auto pair = equal_grains();
    const double r = pair.reduced_radius, m = pair.reduced_mass, v_y = soft::yield_speed(law, r, m);
    EXPECT_EQ(soft::contact_time(law, r, m, 0.5 * v_y),
              soft::contact_time(soft::Hertz{.modulus = 1e7}, r, m, 0.5 * v_y));
    double last = 1;
    for (const double factor : {0.5, 1.1, 2.0, 5.0, 20.0}) {
        const double v = factor * v_y, x = 1 / factor, e = soft::restitution(law, r, m, v);
        const double thornton = factor < 1 ? 1
                                           : std::sqrt(1.2 * std::sqrt(3)) * std::sqrt(1 - x * x / 6) *
                                                 std::pow(x / (x + 2 * std::sqrt(1.2 - 0.2 * x * x)), 0.25);
        EXPECT_NEAR(e, thornton, 1e-12) << factor;
        const double time = soft::contact_time(law, r, m, v);
        const auto end = collide(law, pair, v, time / 40000, 1000000);
        EXPECT_NEAR(end.restitution, e, 1e-5) << factor;
        EXPECT_NEAR(end.loaded_time, time, 1e-4 * time) << factor;
        EXPECT_NEAR(end.largest_overlap, soft::largest_overlap(law, r, m, v), 1e-6 * end.largest_overlap);
        EXPECT_TRUE(e < last || factor < 1);
        last = e;
    }
    EXPECT_NEAR(soft::restitution(law, r, m, 16e4 * v_y) / soft::restitution(law, r, m, 1e4 * v_y), 0.5,
                1e-4); // v^(-1/4)
}

TEST(SoftYielding, OrderOfTheScheme) {
    const auto pair = equal_grains();
    const double v = 5 * soft::yield_speed(law, pair.reduced_radius, pair.reduced_mass);
    const double time = 0.8 * soft::contact_time(law, pair.reduced_radius, pair.reduced_mass, v);
    EXPECT_GT(order(law, pair, v, time, 2000), 0.9);
}

TEST(SoftYielding, Promises) {
    const double scale = 4 * law.yield_overlap(1e-3);
    expect_energy_of_cycles(law, equal_grains(), scale);
    expect_lanes_of_law(Yielding{1e7, 1e6, 3}, equal_grains(), scale);
    expect_stiffness_bound(law, equal_grains(), scale);
}

} // namespace
