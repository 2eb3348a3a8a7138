#include "tamp/solver/step_rule.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

/// Of grains of 1 cm and 1 g, so many layers deep.
LoadedPacking deep(double layers, int dimension = 3) {
    LoadedPacking packing{.dimension = dimension, .mass = 1e-3, .diameter = 0.01, .acceleration = 10};
    packing.load_mass = layers * (dimension == 3 ? 1.15 * 1e-3 / 1e-4 : 1.05 * 1e-3 / 0.01);
    return packing;
}

TEST(StepRule, CountsLayers) {
    for (const int dimension : {2, 3})
        for (const double layers : {0.0, 1.0, 14.0, 136.0})
            EXPECT_NEAR(StepRule(deep(layers, dimension)).layers(), layers, 1e-12 * layers);
    EXPECT_FALSE(StepRule(deep(29)).is_deep());
    EXPECT_TRUE(StepRule(deep(31)).is_deep());
}

/// In the inertial time t the force P d^(D-1) moves a grain by P d^(D-1)/m t^2 = d, up to the factor 1/2.
TEST(StepRule, InertialTimeMovesAGrainByItsDiameter) {
    for (const int dimension : {2, 3}) {
        const LoadedPacking packing = deep(50, dimension);
        for (const double pressure : {1.0, 1e3, 1e6}) {
            const double force = pressure * std::pow(packing.diameter, dimension - 1);
            const double time = StepRule(packing).inertial_time(pressure);
            EXPECT_NEAR(force / packing.mass * time * time, packing.diameter, 1e-12);
        }
    }
    EXPECT_NEAR(StepRule(deep(50)).longest_step(0), 0.03 * std::sqrt(0.01 / 10), 1e-15)
        << "no pressure: a share of the time of a fall";
}

/// The depth at which the pressure is that of the weight: steps shrink with its root, sweeps grow with it.
TEST(StepRule, StepsAndSweepsAgainstDepth) {
    const auto step = [](double layers) {
        const LoadedPacking packing = deep(layers);
        return StepRule(packing).longest_step(packing.load_mass * packing.acceleration);
    };
    EXPECT_NEAR(step(100), 0.16 * std::sqrt(1e-3 / (100 * 1.15 * 1e-3 * 10 / 1e-4 * 0.01)), 1e-15);
    EXPECT_NEAR(step(40) / step(160), 2, 1e-12);
    EXPECT_EQ(StepRule(deep(50)).sweeps(), 24);
    EXPECT_EQ(StepRule(deep(100)).sweeps(), 42);
    EXPECT_EQ(StepRule(deep(150)).sweeps(), 60);
}

TEST(StepRule, FewerSweepsInShorterSteps) {
    EXPECT_EQ(StepRule(deep(100)).sweeps(0.5), 21);
    EXPECT_EQ(StepRule(deep(100)).sweeps(0.01), 6) << "never fewer than the least";
}

TEST(StepRule, StepsFollowFromGrainsUnlessTheCaseGivesThem) {
    const StepRule rule(deep(10));
    const double fall = std::sqrt(0.01 / 10);
    EXPECT_NEAR(rule.longest_step({}, SweepMethod::ratio), 0.009 * fall, 1e-15);
    EXPECT_EQ(rule.longest_step({.max_step = 0.7}, SweepMethod::ratio), 0.7);
    EXPECT_EQ(rule.longest_step({.step = 0.2}, SweepMethod::ratio), 0.2);
    EXPECT_EQ(rule.longest_step({}, SweepMethod::plain), 1e-3) << "plain sweeps keep their bits";
    LoadedPacking free = deep(10);
    free.acceleration = 0;
    EXPECT_EQ(StepRule(free).longest_step({}, SweepMethod::ratio), 1e-3);
}

TEST(StepRule, OverlapsGrowByAShareOfADiameterInAFall) {
    const LoadedPacking packing = deep(10);
    const double fall = std::sqrt(packing.diameter / packing.acceleration);
    for (const int steps : {1, 30, 1000})
        EXPECT_NEAR(steps * StepRule(packing).overlap_growth(fall / steps), 0.005 * packing.diameter, 1e-15);
    LoadedPacking free = packing;
    free.acceleration = 0;
    EXPECT_TRUE(std::isinf(StepRule(free).overlap_growth(1e-3)));
}

} // namespace
