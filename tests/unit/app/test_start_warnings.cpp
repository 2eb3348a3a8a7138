#include "tamp/app/start_warnings.hpp"

#include <gtest/gtest.h>

namespace tamp {
namespace {

/// Grains of two materials, "grain" and "rock", of 1 cm radius and 1 kg each; "plate" is the floor's.
struct Example {
    Case settings;
    std::vector<Grain> grains;

    Example() {
        const double density = 1 / grain_volume(0.01, 3);
        settings.gravity = {0, 0, -10};
        settings.materials =
            MaterialTable({{"grain", density, 0.5}, {"rock", density, 0.5}, {"plate", density, 0.5}});
        settings.walls.push_back({.name = "floor", .material = 2});
        settings.time.step = 1e-3;
        grains = {{.id = 0, .radius = 0.01, .material = 0}, {.id = 1, .radius = 0.01, .material = 1}};
    }
    void set(int a, int b, const Cohesion& cohesion) { settings.materials.set(a, b, {.cohesion = cohesion}); }
    std::vector<std::string> warnings() const { return start_warnings(settings, grains); }
    std::string only_warning() const {
        const std::vector<std::string> all = warnings();
        EXPECT_EQ(all.size(), 1u);
        return all.empty() ? "" : all[0];
    }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(StartWarnings, NoneWithoutCohesion) { EXPECT_TRUE(Example().warnings().empty()); }

TEST(StartWarnings, CohesionWithoutRange) {
    Example example;
    example.set(0, 0, {.value = 2});
    const std::string text = example.only_warning(); // 2 N for 1 ms on the reduced mass 0.5 kg
    EXPECT_TRUE(holds(text, "cohesion of 'grain' has no range")) << text;
    EXPECT_TRUE(holds(text, "slower than 0.004 m/s")) << text;
    EXPECT_TRUE(holds(text, "a step of 0.001 s (force 2 N, reduced mass 0.5 kg)")) << text;
    EXPECT_TRUE(holds(text, "give cohesion_energy or cohesion_range")) << text;
}

TEST(StartWarnings, AdaptiveStepCountsByItsLargest) {
    Example example;
    example.settings.time = {.step = 0, .max_step = 1e-2};
    example.set(0, 0, {.value = 2});
    EXPECT_TRUE(
        holds(example.only_warning(), "slower than 0.04 m/s close again at the largest step of 0.01 s"));
    EXPECT_TRUE(holds(example.only_warning(), "fix the step with time.step"));
}

TEST(StartWarnings, ScalesOfTheForce) {
    Example example;
    example.set(0, 1, {.scale = CohesionScale::bond, .value = 3});
    EXPECT_TRUE(holds(example.only_warning(), "cohesion between 'grain' and 'rock' has no range"));
    EXPECT_TRUE(holds(example.only_warning(), "force 30 N, reduced mass 0.5 kg")) << example.only_warning();
    example.set(0, 1, {.scale = CohesionScale::radius, .value = 100});
    EXPECT_TRUE(holds(example.only_warning(), "force 0.5 N, reduced mass 0.5 kg")) << example.only_warning();
}

TEST(StartWarnings, WallsAreFlatAndDoNotMove) {
    Example example;
    example.set(0, 2, {.scale = CohesionScale::radius, .value = 100});
    EXPECT_TRUE(holds(example.only_warning(), "force 1 N, reduced mass 1 kg")) << example.only_warning();
}

TEST(StartWarnings, WhatNeverMeetsOrNeverMovesIsSilent) {
    Example example;
    example.set(2, 2, {.value = 1});
    EXPECT_TRUE(example.warnings().empty()) << "two walls";
    example.settings.materials = MaterialTable({{"grain", 1, 0.5, true}, {"rock", 1, 0.5}, {"dust", 1, 0.5}});
    example.settings.walls.clear();
    example.set(0, 0, {.value = 1});
    example.set(0, 2, {.value = 1});
    EXPECT_TRUE(example.warnings().empty()) << "fixed ones, and a material that nothing is made of";
    example.set(0, 1, {.value = 1});
    EXPECT_EQ(example.warnings().size(), 1u) << "one moves";
}

TEST(StartWarnings, AFixedPartnerHasItsMassInTheBondNumberOnly) {
    Example example;
    const double density = example.settings.materials[0].density;
    example.settings.materials = MaterialTable({{"grain", density, 0.5, true}, {"rock", density, 0.5}});
    example.settings.walls.clear();
    example.set(0, 1, {.scale = CohesionScale::bond, .value = 3});
    EXPECT_TRUE(holds(example.only_warning(), "force 30 N, reduced mass 1 kg")) << example.only_warning();
}

TEST(StartWarnings, RangeThatIsCrossedInAStep) {
    Example example;
    example.set(0, 0, {.value = 2, .range = 2e-6}); // sqrt(2 * 0.5 kg * 2e-6 m / 2 N) = 1 ms
    example.settings.time.step = 0.99e-3;
    EXPECT_TRUE(example.warnings().empty());
    example.settings.time.step = 1.01e-3;
    const std::string text = example.only_warning();
    EXPECT_TRUE(holds(text, "a range of 2e-06 m, which its force of 2 N crosses in 0.001 s")) << text;
    EXPECT_TRUE(holds(text, "less than a step of 0.00101 s")) << text;
    EXPECT_TRUE(holds(text, "make time.step smaller")) << text;
    example.set(0, 0, {.value = 2, .energy = 4e-6}); // the same range
    EXPECT_EQ(example.only_warning(), text);
    example.set(0, 0, {.value = 2, .energy = 5e-6});
    EXPECT_TRUE(example.warnings().empty());
}

TEST(StartWarnings, ImpulseThresholdDoesNotDependOnTheStep) {
    Example example;
    example.set(0, 0, {.value = 2, .impulse_time = 1e-4});
    EXPECT_TRUE(example.warnings().empty());
}

TEST(StartWarnings, WallThatIsPulledAway) {
    Example example;
    example.settings.stages = {
        {.name = "press", .walls = {{.wall = "lid", .motion = WallMotion::piston, .mass = 1, .force = -5}}}};
    EXPECT_TRUE(holds(example.only_warning(), "'lid' is pulled away from the particles (-5 N)"));
    example.settings.stages[0].walls[0].force = 5;
    EXPECT_TRUE(example.warnings().empty());
}

TEST(StartWarnings, WallThatIsTooHeavy) {
    Example example;
    example.settings.stages = {
        {.name = "press", .walls = {{.wall = "lid", .motion = WallMotion::piston, .mass = 50, .force = 5}}}};
    EXPECT_TRUE(
        holds(example.only_warning(), "'lid' has 25 times the mass of all particles together (2 kg)"));
}

TEST(StartWarnings, NothingThatMoves) {
    Example example;
    example.settings.gravity = {0, 0, 0};
    EXPECT_TRUE(holds(example.only_warning(), "nothing moves"));
    example.grains[1].spin = {1, 0, 0};
    EXPECT_TRUE(example.warnings().empty());
    example.grains[1].spin = {0, 0, 0};
    example.settings.stages = {
        {.name = "press", .walls = {{.wall = "lid", .motion = WallMotion::driven, .velocity = {0, 0, -1}}}}};
    EXPECT_TRUE(example.warnings().empty());
}

} // namespace
} // namespace tamp
