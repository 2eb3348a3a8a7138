// The laws of growth [000 eq. 1.34-1.37] in closed form.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tamp/app/engine_cost.hpp"

namespace tamp {
namespace {

constexpr RigidBounds free_steps{.displacement = 0, .min_sweeps = 4, .max_sweeps = 1000000};

/// Ten steps of 1 ms with 20 sweeps each.
const std::vector<TrialStep> even(10, {.time_step = 1e-3, .speed = 0.1, .sweeps = 20});

TEST(EngineCost, OfTheTrialItselfIsWhatWasMeasured) {
    const std::vector<TrialStep> steps{{1e-3, 0.1, 30}, {5e-4, 0.2, 4}, {2e-3, 0.05, 11}};
    const RigidBounds bounds{.displacement = 1e-4, .min_sweeps = 4, .max_sweeps = 30};
    const ExpectedCost cost = expected_rigid(steps, {0.3, 0.1}, bounds, {}, 2.0 / 3);
    EXPECT_DOUBLE_EQ(cost.seconds, 0.4 / 3.5e-3);
    EXPECT_DOUBLE_EQ(cost.time_step, 3.5e-3 / 3);
    EXPECT_DOUBLE_EQ(cost.sweeps, 15);
}

TEST(EngineCost, RigidGrowsAsParticlesTimesSweeps) {
    for (const int dimension : {2, 3}) {
        const double growth = growth_from_scratch(dimension);
        EXPECT_DOUBLE_EQ(growth, 2.0 / dimension);
        const ExpectedCost once = expected_rigid(even, {1, 0}, free_steps, {}, growth);
        const ExpectedCost more = expected_rigid(even, {1, 0}, free_steps, {.particles = 64}, growth);
        EXPECT_NEAR(more.seconds / once.seconds, std::pow(64, 1 + growth), 1e-9 * std::pow(64, 1 + growth));
        EXPECT_NEAR(more.sweeps, 20 * std::pow(64, growth), 1e-9 * more.sweeps);
        EXPECT_DOUBLE_EQ(more.time_step, once.time_step);
    }
    // What is no sweep grows with the number of particles only, and so do sweeps that stay as they were.
    EXPECT_DOUBLE_EQ(expected_rigid(even, {0, 1}, free_steps, {.particles = 64}, 1).seconds, 64 / 1e-2);
    EXPECT_DOUBLE_EQ(expected_rigid(even, {1, 0}, free_steps, {.particles = 64}, 0).seconds, 64 / 1e-2);
}

TEST(EngineCost, SweepsEndAtTheCapAndStepsThatNeedNoneStaySo) {
    const std::vector<TrialStep> steps{{1e-3, 0, 4}, {1e-3, 0, 10}, {1e-3, 0, 50}};
    const RigidBounds bounds{.displacement = 0, .min_sweeps = 4, .max_sweeps = 100};
    const ExpectedCost cost = expected_rigid(steps, {0.64, 0}, bounds, {.particles = 8}, 2.0 / 3);
    EXPECT_NEAR(cost.sweeps, (4 + 40 + 100) / 3.0, 1e-12);
    EXPECT_NEAR(cost.seconds, 8 * 0.01 * 144 / 3e-3, 1e-9);
}

/// [000 eq. 1.35]: the step is a fraction of r/v.
TEST(EngineCost, FasterGrainsMakeShorterSteps) {
    RigidBounds bounds = free_steps;
    bounds.displacement = 1e-4; // just the way of a step of the piece
    const Enlargement twice_as_fast{.particles = 1, .speed = 2};
    const ExpectedCost cost = expected_rigid(even, {1, 1}, bounds, twice_as_fast, 0);
    EXPECT_DOUBLE_EQ(cost.time_step, 0.5e-3);
    EXPECT_DOUBLE_EQ(cost.seconds, 2 * 2 / 1e-2);
    bounds.displacement = 2e-4; // the longest step was what bounded it
    EXPECT_DOUBLE_EQ(expected_rigid(even, {1, 1}, bounds, twice_as_fast, 0).time_step, 1e-3);
    bounds.displacement = 0; // fixed
    EXPECT_DOUBLE_EQ(expected_rigid(even, {1, 1}, bounds, twice_as_fast, 0).time_step, 1e-3);
}

/// [000 eq. 1.36]
TEST(EngineCost, SoftGrowsAsParticlesOverTheStep) {
    const ExpectedCost cost = expected_soft(2e-6, 1e-6, {.particles = 100});
    EXPECT_DOUBLE_EQ(cost.seconds, 200);
    EXPECT_DOUBLE_EQ(cost.time_step, 1e-6);
    EXPECT_EQ(cost.sweeps, 0);
}

/// At the stiffness and at the number of particles that are named, both engines cost the same.
TEST(EngineCost, BothCostTheSameWhereTheComparisonSays) {
    for (const int dimension : {2, 3})
        for (const double particles : {10.0, 5000.0}) {
            const Enlargement enlargement{.particles = particles / 10};
            const double growth = growth_from_scratch(dimension), step = 1e-6, seconds = 4e-6;
            const auto rigid = [&](const Enlargement& e) {
                return expected_rigid(even, {1, 0}, free_steps, e, growth);
            };
            const Comparison both = compare({expected_rigid(even, {1, 0}, free_steps, enlargement, 0),
                                             rigid(enlargement), expected_soft(seconds, step, enlargement)},
                                            particles, dimension);
            // A contact of K times the stiffness is sqrt(K) times as short.
            const ExpectedCost stiffer =
                expected_soft(seconds, step / std::sqrt(both.stiffness_factor), enlargement);
            EXPECT_NEAR(rigid(enlargement).seconds / stiffer.seconds, 1, 1e-12);
            const Enlargement there{.particles = both.particles / 10};
            EXPECT_NEAR(rigid(there).seconds / expected_soft(seconds, step, there).seconds, 1, 1e-9);
            EXPECT_NEAR(both.ratio_from_scratch / both.ratio, std::pow(enlargement.particles, growth), 1e-9);
        }
}

TEST(EngineCost, TheAdviceIsTheCheaperEngineIfOneIsClearlyCheaper) {
    const auto says = [](double rigid, double from_scratch, double soft) {
        return advice({{1e-3, 50, rigid}, {1e-3, 100, from_scratch}, {1e-6, 0, soft}});
    };
    EXPECT_TRUE(says(10, 20, 100).starts_with("take engine = \"rigid\": it costs 10 times less"));
    EXPECT_TRUE(says(200, 1000, 100).starts_with("take engine = \"soft\": it costs 2 times less"));
    for (const auto& [low, high] :
         {std::pair{90.0, 110.0}, {10.0, 1000.0}, {60.0, 90.0}, {110.0, 190.0}, {150.0, 150.0}})
        EXPECT_NE(says(low, high, 100).find("which does not decide"), std::string::npos)
            << low << " " << high;
}

} // namespace
} // namespace tamp
