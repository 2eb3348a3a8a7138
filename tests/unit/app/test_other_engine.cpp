// A case with the engine that it does not ask for.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "../config/cases.hpp"
#include "tamp/app/other_engine.hpp"
#include "tamp/app/soft_check.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

using test::minimal_case;
using test::parse_with;

/// Two grains of 10 cm, one 0.4 m above the other.
Start two_grains() {
    Start start;
    for (const double height : {0.2, 0.6})
        start.grains.push_back({.id = start.grains.size(), .position = {0.5, 0.5, height}, .radius = 0.05});
    return start;
}

const std::string pressed = minimal_case + R"([[stage.wall]]
name = 'lid'
stress = 1e6
mass = 1
[[wall]]
name = 'lid'
point = [0, 0, 1]
normal = [0, 0, -1]
)";

TEST(OtherEngine, StiffnessUnderALoad) {
    const Case own = parse_with({}, pressed);
    // 1e6 Pa on a square of a diameter, borne by a thousandth of a diameter: 1e6 * 0.01 / 1e-4.
    EXPECT_DOUBLE_EQ(choose_stiffness(own, two_grains()).value, 1e8);
    EXPECT_EQ(choose_stiffness(own, two_grains()).reason,
              "an overlap of 0.001 mean diameters under 1e+06 Pa");
}

TEST(OtherEngine, StiffnessInImpacts) {
    const Case own = parse_with({"gravity=[0,0,-10]"});
    // After a fall of 0.4 m: k (0.05 d)^2 = m/2 v^2, v^2 = 2 g h.
    const double mass = 2500 * std::numbers::pi / 6 * 1e-3, expected = 0.5 * mass * 8 / (0.005 * 0.005);
    EXPECT_NEAR(choose_stiffness(own, two_grains()).value, expected, 0.05 * expected) << "two digits of it";
    EXPECT_EQ(choose_stiffness(own, two_grains()).reason,
              "an overlap of 0.05 mean diameters in impacts at 2.83 m/s");
    EXPECT_EQ(choose_stiffness(parse_with({}), two_grains()).value, 0) << "neither load nor speed";
}

TEST(OtherEngine, SoftGrainsGetAStiffnessWhereTheyHaveNone) {
    const OtherEngine other =
        with_other_engine(pressed, "case.toml", {}, parse_with({}, pressed), two_grains());
    ASSERT_TRUE(other.settings) << other.refusal;
    EXPECT_EQ(other.settings->engine, EngineKind::soft);
    EXPECT_DOUBLE_EQ(other.settings->materials.laws(0, 0).soft.stiffness, 1e8);
    EXPECT_NE(other.note.find("soft grains have 1e+08 N/m here"), std::string::npos) << other.note;

    const std::vector<std::string> given{"material[0].stiffness=5e6", "time.step=1e-4"};
    const OtherEngine stiff =
        with_other_engine(pressed, "case.toml", given, parse_with(given, pressed), two_grains());
    ASSERT_TRUE(stiff.settings) << stiff.refusal;
    EXPECT_DOUBLE_EQ(stiff.settings->materials.laws(0, 0).soft.stiffness, 5e6);
    EXPECT_EQ(stiff.settings->time.step, 0) << "one that fits rigid grains is too long";
    EXPECT_EQ(stiff.note, "");
}

TEST(OtherEngine, RefusalsAreTold) {
    const std::vector<std::string> range{"material[0].cohesion_force=1", "material[0].cohesion_range=1e-4"};
    const OtherEngine soft =
        with_other_engine(pressed, "case.toml", range, parse_with(range, pressed), two_grains());
    EXPECT_FALSE(soft.settings);
    EXPECT_NE(soft.refusal.find("cohesion_range: has no counterpart"), std::string::npos) << soft.refusal;

    const std::vector<std::string> plastic{"engine=soft", "material[0].stiffness=1e6",
                                           "material[0].unloading_stiffness=2e6",
                                           "material[0].normal_law=latching"};
    const OtherEngine rigid =
        with_other_engine(pressed, "case.toml", plastic, parse_with(plastic, pressed), two_grains());
    EXPECT_FALSE(rigid.settings);
    EXPECT_NE(rigid.refusal.find("normal_law: has no counterpart"), std::string::npos) << rigid.refusal;

    const OtherEngine unknown =
        with_other_engine(minimal_case, "case.toml", {}, parse_with({}), two_grains());
    EXPECT_NE(unknown.refusal.find("neither load nor speed"), std::string::npos) << unknown.refusal;
}

} // namespace
} // namespace tamp
