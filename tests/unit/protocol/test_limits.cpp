// The limits of a stage beyond time, rest, balance and fraction, alone and together.

#include "tamp/protocol/stop_conditions.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tamp/measure/agitation.hpp"

namespace tamp {
namespace {

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// Two spheres that touch in a box of height 1 below a lid; the second one is heavier by its material.
class Limits : public testing::Test {
protected:
    Limits() : world_(self(), setup(), {}, grains()) { world_.search_neighbours({.margin = 0.01}); }

    static WorldSetup setup() {
        WorldSetup setup;
        setup.materials = MaterialTable({{"light", 1000, 0.3}, {"heavy", 3000, 0.3}});
        setup.gravity = {0, 0, -10};
        setup.walls = {{.name = "floor", .point = {0, 0, 0.2}, .normal = {0, 0, 1}},
                       {.name = "lid", .point = {0, 0, 1}, .normal = {0, 0, -1}}};
        return setup;
    }
    static std::vector<Grain> grains() {
        return {
            {.id = 0, .position = {0.3, 0.5, 0.5}, .radius = 0.1, .velocity = {0, 0, speed}},
            {.id = 1, .position = {0.5, 0.5, 0.5}, .radius = 0.1, .velocity = {0, speed, 0}, .material = 1}};
    }
    StageEnd reason(const Stage& stage, std::int64_t steps, double time = 1) {
        world_.clock.time = time;
        return StopConditions{stage, 0, {}}.reason_to_end(world_, forces(), steps, memory_);
    }
    ContactForces forces() const {
        ContactForces forces;
        forces.pairs = pressed_;
        forces.sliding_limit = [](const TouchingContact&, double) { return 0.0; };
        return forces;
    }
    static double mass() { return 4000 * 4.0 / 3 * std::numbers::pi * 1e-3; }

    static constexpr double speed = 0.01;
    World world_;
    std::vector<Vec3> pressed_{{30, 0, 0}}; ///< N, on the second one
    StageMemory memory_;
};

TEST_F(Limits, StrainIsThatOfTheHeightSinceTheStageBegan) {
    const Stage stage{.name = "a", .until_strain = StrainLimit{"lid", 0.25}};
    memory_ = StopConditions{stage}.memory_at_begin(world_);
    EXPECT_DOUBLE_EQ(memory_.height, 0.8) << "from the lid to the floor";
    world_.walls[1].point.z = 0.81;
    EXPECT_EQ(reason(stage, 1), StageEnd::none);
    world_.walls[0].point.z = 0.211; // both walls count
    EXPECT_EQ(reason(stage, 1), StageEnd::strain);
    world_.walls[0].point.z = 0.2;
    const Stage stretch{.name = "b", .until_strain = StrainLimit{"floor", -0.1}};
    memory_ = StopConditions{stretch}.memory_at_begin(world_);
    world_.walls[1].point.z = 0.87;
    EXPECT_EQ(reason(stretch, 1), StageEnd::none);
    world_.walls[1].point.z = 0.872;
    EXPECT_EQ(reason(stretch, 1), StageEnd::strain);
}

TEST_F(Limits, StressIsThatOfAWallForSomeSteps) {
    const Stage press{.name = "a", .until_stress = StressLimit{"lid", {.above = 50}, 3}};
    world_.walls[1].reaction = {0, 0, 60}; // on 1 m^2
    EXPECT_EQ(reason(press, 7), StageEnd::none);
    EXPECT_EQ(reason(press, 7), StageEnd::none) << "a run that goes on looks once more";
    EXPECT_EQ(reason(press, 8), StageEnd::none);
    EXPECT_EQ(reason(press, 9), StageEnd::stress);
    world_.walls[1].reaction = {0, 0, 40};
    EXPECT_EQ(reason(press, 10), StageEnd::none) << "begins anew";
    EXPECT_EQ(memory_.pressed_since, 0);
    const Stage release{.name = "b", .until_stress = StressLimit{"lid", {.below = 39}}};
    EXPECT_EQ(reason(release, 1), StageEnd::none);
    world_.walls[1].reaction = {0, 0, 38};
    EXPECT_EQ(reason(release, 1), StageEnd::stress);
}

TEST_F(Limits, KineticEnergyIsLowAtThreeLooks) {
    const double energy = 0.5 * mass() * speed * speed;
    const Stage stage{.name = "a", .until_kinetic_energy = 1.1 * energy},
        strict{.name = "b", .until_kinetic_energy = 0.9 * energy};
    EXPECT_EQ(reason(stage, 10, 1e-3), StageEnd::none);
    EXPECT_EQ(memory_.calm_since, 0) << "gravity needs 2 ms to make them faster";
    for (const std::int64_t steps : {10, 20, 25, 30}) {
        EXPECT_EQ(reason(strict, steps), StageEnd::none);
        EXPECT_EQ(memory_.calm_since, 0);
    }
    for (const std::int64_t steps : {10, 15, 20, 25})
        EXPECT_EQ(reason(stage, steps), StageEnd::none) << steps;
    EXPECT_EQ(reason(stage, 30), StageEnd::kinetic_energy);
}

/// Two spheres of 0.2 m bear 30 N over a branch of 0.2 m in 0.8 m^3.
TEST_F(Limits, InertialNumberComparesSpeedWithPressure) {
    const Agitation found = agitation(world_, view(world_, forces()));
    EXPECT_NEAR(found.pressure, 30 * 0.2 / (3 * 0.8), 1e-12);
    EXPECT_NEAR(found.mass, mass(), 1e-12);
    EXPECT_NEAR(found.speed(), speed, 1e-15);
    const double time = std::sqrt(0.5 * mass() / (found.pressure * 0.2)), number = speed * time / 0.2;
    EXPECT_NEAR(found.inertial_number().value(), number, 1e-12);
    const Stage stage{.name = "a", .until_inertial_number = 1.01 * number};
    EXPECT_EQ(reason(stage, 10), StageEnd::none);
    EXPECT_EQ(reason(stage, 20), StageEnd::none);
    EXPECT_EQ(reason(stage, 30), StageEnd::inertial_number);
    memory_ = {};
    pressed_[0] = {0, 0, 0};
    for (const std::int64_t steps : {10, 20, 30, 40})
        EXPECT_EQ(reason(stage, steps), StageEnd::none) << "nobody touches";
    EXPECT_FALSE(agitation(world_, view(world_, forces())).inertial_number());
}

TEST_F(Limits, CountAndMassAreThoseOfTheWorld) {
    const Stage few{.name = "a", .until_count = Bound{.below = 1}},
        many{.name = "b", .until_count = Bound{.above = 2}};
    EXPECT_EQ(reason(few, 10), StageEnd::none);
    EXPECT_EQ(reason(many, 9), StageEnd::none) << "no look";
    EXPECT_EQ(reason(many, 10), StageEnd::count);
    const Stage light{.name = "c", .until_mass = Bound{.below = 1.001 * mass()}},
        heavy{.name = "d", .until_mass = Bound{.above = 1.001 * mass()}};
    EXPECT_EQ(reason(light, 10), StageEnd::mass);
    EXPECT_EQ(reason(heavy, 10), StageEnd::none);
}

TEST_F(Limits, AllHoldTogetherOrTheFirstOne) {
    Stage stage{.name = "a",
                .steps = 100,
                .until_coordination = 1,
                .until_stress = StressLimit{"lid", {.above = 50}},
                .until_all = true};
    EXPECT_EQ(reason(stage, 10), StageEnd::none) << "no stress";
    world_.walls[1].reaction = {0, 0, 60};
    EXPECT_EQ(reason(stage, 15), StageEnd::none) << "contacts are only counted at looks";
    EXPECT_EQ(reason(stage, 20), StageEnd::all);
    EXPECT_EQ(reason(stage, 100), StageEnd::steps) << "time and steps end it alone";
    pressed_[0] = {0, 0, 0};
    EXPECT_EQ(reason(stage, 30), StageEnd::none) << "stress alone does not";
    stage.until_all = false;
    EXPECT_EQ(reason(stage, 31), StageEnd::stress);
    pressed_[0] = {30, 0, 0};
    EXPECT_EQ(reason(stage, 40), StageEnd::coordination) << "in the order of the keys";
    EXPECT_EQ(reason({.name = "none", .until_all = true}, 10), StageEnd::none);
}

TEST(LimitTexts, SayWhatWasMissed) {
    EXPECT_EQ(end_text({.name = "a", .until_all = true}, StageEnd::all), "all of its conditions");
    EXPECT_EQ(
        end_text({.name = "a", .duration = 1.0, .until_balance = 1, .until_all = true}, StageEnd::duration),
        "its duration, before all of its conditions held together (until_all)");
    EXPECT_EQ(end_text({.name = "a", .steps = 3, .until_strain = StrainLimit{"lid", 0.1}}, StageEnd::steps),
              "its steps, before its strain was reached (until_strain)");
}

} // namespace
} // namespace tamp
