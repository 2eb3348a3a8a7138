// Tables over time, and limits of stages.

#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::parse_with;

TEST(TimeTables, AreReadForGravityAndWalls) {
    const std::string text =
        test::minimal_case + "[[wall]]\nname = \"lid\"\npoint = [0, 0, 1]\nnormal = [0, 0, -1]\n";
    const Case c = parse_with(
        {R"(stage[0].gravity={ time = [0, 1.5], value = [[0, 0, -9.81], [1, 0, -9]] })",
         R"(stage[0].wall=[{ name = "z-", velocity = { time = [1, 2], value = [[0, 0, 0], [0, 0, 1]] } },
                           { name = "z+", mass = 1, stress = { time = [0, 1], value = [1e3, 1e4] } },
                           { name = "lid", mass = 1, force = { time = [0, 2], value = [4, 8] } }])"},
        text);
    const Stage& stage = c.stages[0];
    EXPECT_EQ(stage.gravity.times, (std::vector<double>{0, 1.5}));
    EXPECT_EQ(stage.gravity.values[1], (Vec3{1, 0, -9}));
    EXPECT_EQ(stage.walls[0].motion, WallMotion::driven);
    EXPECT_EQ(stage.walls[0].velocity, (Vec3{0, 0, 0}));
    EXPECT_EQ(stage.walls[0].velocity_table.at(1.5), (Vec3{0, 0, 0.5}));
    EXPECT_EQ(stage.walls[1].motion, WallMotion::piston);
    EXPECT_EQ(stage.walls[1].stress, 1e3) << "at the begin";
    EXPECT_EQ(stage.walls[1].stress_table.at(1), 1e4);
    EXPECT_EQ(stage.walls[1].largest_stress(), 1e4);
    EXPECT_EQ(stage.walls[2].force, 4);
    EXPECT_EQ(stage.walls[2].largest_force(), 8);
}

TEST(TimeTables, OneValueStaysAsItIs) {
    const Case c = parse_with(
        {"stage[0].gravity=[0, 0, -1]", R"(stage[0].wall=[{ name = "z+", mass = 1, stress = 1e3 }])"});
    EXPECT_EQ(c.stages[0].gravity.at(7), (Vec3{0, 0, -1}));
    EXPECT_TRUE(c.stages[0].walls[0].stress_table.empty());
    EXPECT_EQ(c.stages[0].walls[0].stress, 1e3);
    EXPECT_TRUE(parse_with({}).stages[0].gravity.empty());
}

TEST(TimeTables, CanBeSetPointByPoint) {
    const std::string text =
        test::minimal_case + "gravity = { time = [0, 1], value = [[0, 0, 0], [0, 0, -1]] }\n";
    EXPECT_EQ(parse_with({"stage.settle.gravity.time[1]=3"}, text).stages[0].gravity.times[1], 3);
}

/// A wall that only a table moves changes what a stress beside it acts on.
TEST(TimeTables, MoveWalls) {
    const std::string told = R"({ name = "z+", mass = 1, stress = 1 })";
    const auto beside = [&](const char* velocity) {
        return message_of(test::minimal_case, {std::string("stage[0].wall=[") + told +
                                               ", { name = \"x-\", velocity = " + velocity + " }]"});
    };
    EXPECT_NE(beside("{ time = [0, 1], value = [[0, 0, 0], [1, 0, 0]] }").find("moves in the stage"),
              std::string::npos);
    EXPECT_EQ(beside("{ time = [0, 1], value = [[0, 0, 0], [0, 1, 0]] }"), "");
}

TEST(LimitKeys, AreRead) {
    const Case c = parse_with({R"(stage[0].until_strain={ wall = "z+", value = -0.2 })",
                               R"(stage[0].until_stress={ wall = "z-", below = 10, steps = 4 })",
                               "stage[0].until_kinetic_energy=1e-6", "stage[0].until_inertial_number=1e-3",
                               "stage[0].until_count={ below = 7 }", "stage[0].until_mass={ above = 0.5 }",
                               "stage[0].until_all=true"});
    const Stage& stage = c.stages[0];
    EXPECT_EQ(stage.until_strain->wall, "z+");
    EXPECT_EQ(stage.until_strain->value, -0.2);
    EXPECT_EQ(stage.until_stress->bound.below, 10);
    EXPECT_FALSE(stage.until_stress->bound.above);
    EXPECT_EQ(stage.until_stress->steps, 4);
    EXPECT_EQ(stage.until_kinetic_energy, 1e-6);
    EXPECT_EQ(stage.until_inertial_number, 1e-3);
    EXPECT_EQ(stage.until_count->below, 7);
    EXPECT_EQ(stage.until_mass->above, 0.5);
    EXPECT_TRUE(stage.until_all);
    EXPECT_TRUE(stage.may_end_sooner());
    EXPECT_TRUE(stage.looks_at_state());
}

} // namespace
} // namespace tamp
