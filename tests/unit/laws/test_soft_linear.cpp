#include "tamp/laws/soft/linear.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "soft_collision.hpp"
#include "soft_law_checks.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::Linear;

TEST(SoftLinear, SeedsContactTime) {
    // Table 2 of [004]: t_c = 2.27e-4 s.
    const double a = 0.5e-6, m = 2000 * 4 * std::numbers::pi / 3 * a * a * a;
    EXPECT_NEAR(soft::contact_time(1e-7, 0, m / 2), 2.27e-4, 0.01e-4);
    EXPECT_EQ(soft::restitution(1e-7, 0, m / 2), 1);
    EXPECT_EQ(soft::contact_time(1e-7, 1, m / 2), soft::forever);
    EXPECT_EQ(soft::restitution(1e-7, 1, m / 2), 0);
}

TEST(SoftLinear, ForceOfSpringAndDashpot) {
    const Linear law{.k = 1000, .viscosity = 2, .damping_ratio = 0.1};
    soft::Touch<double> touch{1e-3, 0.5, 0.4, 1, 1};
    double memory = 7;
    const auto force = law.force(touch, memory);
    EXPECT_DOUBLE_EQ(force.elastic, 1);
    EXPECT_DOUBLE_EQ(force.viscous, (2 + 0.2 * 20) * 0.5);
    EXPECT_EQ(force.adhesion, 0);
    EXPECT_EQ(memory, 0);
    touch.closing_speed = -0.5; // the seed lets a dashpot pull
    EXPECT_LT(law.force(touch, memory).total(), 0);
    EXPECT_EQ(law.force(touch, memory).load(), 0);
}

TEST(SoftLinear, LeapfrogInClosedForm) {
    // x_(n+1) = (2 - g - h) x_n - (1 - g) x_(n-1) with g = gamma dt/m, h = k dt^2/m, x_0 = 0 and x_1 = v dt
    // has x_n = v dt rho^(n-1) sin(n theta)/sin(theta), rho^2 = 1 - g, 2 rho cos(theta) = 2 - g - h.
    const auto pair = equal_grains();
    for (const double gamma : {0.0, 0.05, 0.3}) {
        const Linear law{.k = 500, .viscosity = gamma};
        const double m = pair.reduced_mass, v = 0.7, dt = 2e-5;
        const double rho = std::sqrt(1 - gamma * dt / m), h = law.k * dt * dt / m;
        const double theta = std::acos((1 + rho * rho - h) / (2 * rho));
        const auto exact = [&](int n) {
            return v * dt * std::pow(rho, n - 1) * std::sin(n * theta) / std::sin(theta);
        };
        Collision<Linear> collision{law, pair, 0, v};
        int n = 0;
        while (n == 0 || collision.x > 0) {
            collision.step(dt);
            ++n;
            ASSERT_NEAR(collision.x, exact(n), 1e-12 * v * 1e-3) << "step " << n << " with gamma " << gamma;
            ASSERT_NEAR(collision.v, (exact(n) - exact(n - 1)) / dt, 1e-12 * v);
        }
        EXPECT_EQ(n, static_cast<int>(std::ceil(std::numbers::pi / theta)));
    }
}

TEST(SoftLinear, ContactTimeAndRestitution) {
    const auto pair = equal_grains();
    for (const double wanted : {0.3, 0.6, 0.9, 1.0}) {
        const Linear law{.k = 500, .damping_ratio = soft::damping_ratio_of(wanted)};
        const double time = soft::contact_time(law, pair.reduced_mass);
        EXPECT_NEAR(soft::restitution(law, pair.reduced_mass), wanted, 1e-14);
        EXPECT_NEAR(soft::restitution(law, 10 * pair.reduced_mass), wanted, 1e-14);
        for (const double speed : {0.01, 1.0}) {
            const auto end = collide(law, pair, speed, time / 20000, 40000);
            EXPECT_NEAR(end.duration, time, 2e-4 * time);
            EXPECT_NEAR(end.restitution, wanted, 3e-4);
        }
    }
    EXPECT_EQ(soft::damping_ratio_of(0), 1);
}

TEST(SoftLinear, OrderOfTheScheme) {
    const auto pair = equal_grains();
    const Linear elastic{.k = 500}, damped{.k = 500, .damping_ratio = 0.2};
    const double time = 0.8 * soft::contact_time(elastic, pair.reduced_mass);
    EXPECT_NEAR(order(elastic, pair, 1, time, 200), 2, 0.05);
    EXPECT_NEAR(order(damped, pair, 1, time, 200), 1, 0.05);
}

TEST(SoftLinear, Promises) {
    const Linear law{.k = 500, .viscosity = 0.1, .damping_ratio = 0.2};
    expect_energy_of_cycles(law, equal_grains(), 1e-4);
    expect_lanes_of_law(law, equal_grains(), 1e-4);
    expect_stiffness_bound(law, equal_grains(), 1e-4);
}

} // namespace
