// One case for both engines: what has no counterpart is refused, what only the other engine needs is said
// once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::minimal_case;
using test::parse_with;

/// Laws that both engines have, and the numerics of both.
const std::string for_both = minimal_case + R"([[stage.wall]]
name = 'lid'
stress = 100
[[wall]]
name = 'lid'
point = [0, 0, 1]
normal = [0, 0, -1]
mass = 1
damping = 2
[solver]
tolerance = 1e-3
[time]
max_step = 1e-4
displacement = 0.1
[soft]
steps_per_contact = 30
[[picture]]
name = 'grains'
pipeline = 'particles'
stress_change = 0.1
)";
const std::vector<std::string> laws_of_both{
    "material[0].restitution=0.5",   "material[0].rolling_ratio=0.1",    "material[0].torsion_ratio=0.1",
    "material[0].cohesion_force=1",  "material[0].stiffness=1e5",        "material[0].sliding_viscosity=1",
    "material[0].normal_law=linear", "material[0].restitution_speed=0.1"};

std::vector<std::string> with(const char* engine, std::vector<std::string> more = {}) {
    more.insert(more.begin(), laws_of_both.begin(), laws_of_both.end());
    more.push_back(fmt::format("engine={}", engine));
    return more;
}

std::vector<std::string> warnings(const std::vector<std::string>& overrides) {
    return parse_with(overrides, for_both).warnings;
}

/// How many warnings hold this text.
std::ptrdiff_t count(const std::vector<std::string>& texts, const std::string& part) {
    return std::ranges::count_if(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(CheckEngine, ACaseForBothIsAcceptedByBoth) {
    EXPECT_EQ(message_of(for_both, with("soft")), "");
    EXPECT_EQ(message_of(for_both, with("rigid")), "");
}

TEST(CheckEngine, LawsOfBothAreTheSame) {
    const Case soft = parse_with(with("soft"), for_both), rigid = parse_with(with("rigid"), for_both);
    const SoftLaws& laws = soft.materials.laws(0, 0).soft;
    const ContactLaws& same = rigid.materials.laws(0, 0);
    EXPECT_EQ(laws.sliding.friction, same.friction);
    EXPECT_EQ(laws.rolling.friction, same.rolling.value);
    EXPECT_EQ(laws.torsion.friction, same.torsion.value);
    EXPECT_EQ(laws.cohesion_force, same.cohesion.value);
    EXPECT_EQ(same.restitution, 0.5);
    EXPECT_GT(laws.damping_ratio, 0);
}

TEST(CheckEngine, NumericsOfTheOtherEngineAreToldOnce) {
    const std::vector<std::string> soft = warnings(with("soft"));
    EXPECT_EQ(count(soft, "solver: has no effect with engine = \"soft\""), 1) << fmt::format("{}", soft);
    EXPECT_EQ(count(soft, "max_step: has no effect"), 0);
    EXPECT_EQ(count(soft, "restitution_speed: has no effect"), 1);
    EXPECT_EQ(count(soft, "picture[0].stress_change: has no effect"), 1);
    EXPECT_EQ(soft.size(), 3u) << fmt::format("{}", soft);

    const std::vector<std::string> rigid = warnings(with("rigid"));
    EXPECT_EQ(count(rigid, "as all keys of soft grains"), 1) << fmt::format("{}", rigid);
    EXPECT_EQ(count(rigid, "wall[0].damping: has no effect"), 1);
    EXPECT_EQ(rigid.size(), 2u) << fmt::format("{}", rigid);
}

TEST(CheckEngine, TheStepOfTheOtherEngineAloneIsTold) {
    const std::vector<std::string> soft{"engine=soft", "material[0].stiffness=1e5"};
    for (const char* key : {"max_step", "displacement"}) {
        std::vector<std::string> overrides = soft;
        overrides.push_back(fmt::format("time.{}=1e-3", key));
        EXPECT_EQ(count(parse_with(overrides).warnings, fmt::format("time.{}: has no effect", key)), 1);
    }
    EXPECT_EQ(
        count(parse_with({"soft.steps_per_contact=20"}).warnings, "soft.steps_per_contact: has no effect"),
        1);
}

TEST(CheckEngine, ZeroIsTheSameAsNoLaw) {
    for (const char* key :
         {"rolling_length", "torsion_length", "tangential_restitution", "restitution_speed"}) {
        const std::string zero = fmt::format("material[0].{}=0", key);
        const std::vector<std::string> one{"engine=soft", "material[0].stiffness=1e5", zero};
        EXPECT_EQ(message_of(minimal_case, one), "");
        EXPECT_TRUE(parse_with(one).warnings.empty());
    }
    EXPECT_EQ(message_of(minimal_case,
                         {"engine=soft", "material[0].stiffness=1e5", "material[0].coupled_torsion=false"}),
              "");
    EXPECT_EQ(
        message_of(minimal_case, {"soft.background_viscosity=0", "material[0].dynamic_friction_ratio=1"}),
        "");
}

TEST(CheckEngine, WhatASoftRunDoesNotHaveIsSwitchedOff) {
    std::vector<std::string> overrides = with(
        "soft", {"measure.energy_budget=true", "solver.scheme=block", "neighbours.load_balance=measured"});
    const Case soft = parse_with(overrides, for_both);
    EXPECT_FALSE(soft.pictures[0].stress_change);
    EXPECT_EQ(soft.solver.scheme, SweepScheme::phases) << "its bits are the same on any number of ranks";
    EXPECT_EQ(soft.output.series_every, 1000);
    overrides = with("soft", {"output.series_every=7"});
    EXPECT_EQ(parse_with(overrides, for_both).output.series_every, 7);
}

} // namespace
} // namespace tamp
