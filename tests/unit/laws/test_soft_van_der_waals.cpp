#include "tamp/laws/soft/van_der_waals.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using soft::VanDerWaals;

/// The ratios of table 2 of [004].
constexpr VanDerWaals law{.energy_scale = 3, .range_ratio = 0.5, .cutoff_ratio = 1.5};
constexpr double sum = 2; // a1 + a2, so that r_0 = 1 and r_c = 3

TEST(SoftVanDerWaals, ForceOfTheSeed) {
    const auto seed = [](double r) {
        return -(4 * 3 / 1.0) * (6 * std::pow(1 / r, 7) - 12 * std::pow(1 / r, 13));
    };
    for (const double r : {0.8, 1.1, 1.9, 2.0, 2.5, 2.999})
        EXPECT_NEAR(law.force(r, sum), seed(r) - seed(3), 1e-12 * std::abs(seed(r))) << r;
    EXPECT_LT(law.force(2.0, sum), 0); // attracts at contact
    EXPECT_EQ(law.force(3.0, sum), 0);
    EXPECT_EQ(law.force(4.0, sum), 0);
    EXPECT_NEAR(law.force(3 - 1e-9, sum), 0, 1e-9); // continuous at the cut-off
    EXPECT_LT(law.force(3 - 1e-3, sum), 0);
    // In units of a1 + a2.
    EXPECT_NEAR(law.force(0.8, 0.8), law.force(2.0, sum) * sum / 0.8, 1e-12);
}

TEST(SoftVanDerWaals, EnergyIsTheWorkFromTheCutOff) {
    const int steps = 200000;
    for (const double to : {0.3, 0.7, 1.0, 1.8, 2.4}) {
        double work = 0;
        const double h = (3 - to) / steps;
        for (int i = 0; i < steps; ++i)
            work += law.force(to + (i + 0.5) * h, sum) * h;
        EXPECT_NEAR(law.energy(to, sum), work, 1e-6 * std::abs(work) + 1e-9) << to;
    }
    EXPECT_EQ(law.energy(3.0, sum), 0);
    EXPECT_LT(law.energy(2.0, sum), 0);
}

TEST(SoftVanDerWaals, StiffnessBound) {
    for (const double overlap : {0.0, 0.1, 0.5, 0.9}) {
        double steepest = 0;
        for (double r = 2 - overlap; r < 3; r += 1e-4)
            steepest = std::max(steepest, std::abs(law.force(r + 1e-6, sum) - law.force(r, sum)) / 1e-6);
        EXPECT_LT(steepest, law.stiffness(sum, overlap) * 1.00001) << overlap;
        EXPECT_GT(steepest, law.stiffness(sum, overlap) * 0.99) << overlap;
    }
}

TEST(SoftVanDerWaals, LanesEqualScalars) {
    Random random = random_numbers(82);
    for (int trial = 0; trial < 1000; ++trial) {
        Pack distance, radii;
        for (int lane = 0; lane < lanes; ++lane) {
            radii.raw[lane] = lane == 5 ? 0.0 : random.uniform(0.5, 2);
            distance.raw[lane] =
                lane == 4 || (lane == 5 && trial % 2) ? 0.0 : random.uniform(0, 2) * radii[lane];
        }
        const Pack force = law.force(distance, radii), energy = law.energy(distance, radii);
        for (int lane = 0; lane < lanes; ++lane) {
            ASSERT_TRUE(std::isfinite(force[lane]) && std::isfinite(energy[lane])) << lane;
            ASSERT_EQ(force[lane], law.force(distance[lane], radii[lane])) << lane;
            ASSERT_EQ(energy[lane], law.energy(distance[lane], radii[lane])) << lane;
        }
        ASSERT_EQ(force[5], 0); // nobody's lane
    }
}

} // namespace
