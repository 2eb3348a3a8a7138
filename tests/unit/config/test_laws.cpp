#include <gtest/gtest.h>

#include "cases.hpp"
#include "tamp/config/schema.hpp"
#include "tamp/materials/mixing.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::minimal_case;

/// A case whose materials are "glass", "steel" and, with a [[pair]] of the two, what is given here.
std::string with_laws(const std::string& glass, const std::string& steel, const std::string& pair = "") {
    std::string text = "gravity = [0, 0, -9.81]\n" + minimal_case;
    const std::string friction = "friction = 0.5\n";
    text.insert(text.find(friction) + friction.size(), glass);
    text += "[[material]]\nname = 'steel'\ndensity = 7800\nfriction = 0.2\n" + steel;
    if (!pair.empty())
        text += "[[pair]]\nbetween = ['steel', 'glass']\n" + pair;
    return text;
}

MaterialTable materials(const std::string& glass, const std::string& steel = "",
                        const std::string& pair = "") {
    return parse_case(with_laws(glass, steel, pair), "case.toml").materials;
}

ContactLaws laws(const std::string& glass) { return materials(glass).laws(0, 0); }
ContactLaws pair_laws(const std::string& glass, const std::string& steel, const std::string& pair) {
    return materials(glass, steel, pair).laws(0, 1);
}

TEST(Laws, NoneButFrictionByDefault) { EXPECT_EQ(laws(""), ContactLaws{.friction = 0.5}); }

TEST(Laws, DefaultsOfTheSchemaAreThoseOfTheSettings) {
    std::string all;
    for (const KeySchema* key : keys_of("material"))
        if (!key->preset.empty() && !key->required() && !key->only_soft())
            all += std::string(key->name) + " = " + std::string(key->preset) + "\n";
    EXPECT_NE(all.find("coupled_torsion = false"), std::string::npos);
    EXPECT_EQ(laws(all), ContactLaws{.friction = 0.5});
    EXPECT_EQ(materials(all)[0], materials("")[0]);
}

TEST(Laws, MaterialAndPairHaveTheSame) {
    for (const KeySchema* key : keys_of("pair"))
        if (key->name != "between") {
            const KeySchema* same = find_key("material", key->name);
            ASSERT_NE(same, nullptr) << key->name;
            EXPECT_EQ(key->unit, same->unit) << key->name;
            EXPECT_EQ(key->type, same->type) << key->name;
            EXPECT_EQ(key->range.text(), same->range.text()) << key->name;
        }
}

TEST(Laws, FixedMaterial) {
    EXPECT_FALSE(materials("")[0].fixed);
    EXPECT_TRUE(materials("fixed = true\n")[0].fixed);
    EXPECT_FALSE(materials("fixed = true\n")[1].fixed);
}

TEST(Laws, Restitution) {
    const ContactLaws l = laws("restitution = 0.9\ntangential_restitution = 1\nrestitution_speed = 1e-3\n");
    EXPECT_EQ(
        l, (ContactLaws{
               .friction = 0.5, .restitution = 0.9, .tangential_restitution = 1, .restitution_speed = 1e-3}));
}

TEST(Laws, Torques) {
    EXPECT_EQ(laws("rolling_length = 1e-3\n").rolling, (TorqueLimit{TorqueScale::length, 1e-3, 0}));
    EXPECT_EQ(laws("rolling_ratio = 0.1\n").rolling, (TorqueLimit{TorqueScale::ratio, 0.1, 0}));
    EXPECT_EQ(laws("rolling_hertz = 0.2\nhertz_modulus = 1e9\n").rolling,
              (TorqueLimit{TorqueScale::hertz, 0.2, 1e9}));
    EXPECT_EQ(laws("torsion_length = 1e-3\n").torsion, (TorqueLimit{TorqueScale::length, 1e-3, 0}));
    EXPECT_EQ(laws("torsion_ratio = 0.1\n").torsion, (TorqueLimit{TorqueScale::ratio, 0.1, 0}));
    const ContactLaws both = laws("torsion_hertz = 0.2\nrolling_hertz = 0.3\nhertz_modulus = 1e9\n");
    EXPECT_EQ(both.torsion, (TorqueLimit{TorqueScale::hertz, 0.2, 1e9}));
    EXPECT_EQ(both.rolling, (TorqueLimit{TorqueScale::hertz, 0.3, 1e9}));
    const ContactLaws one = laws("torsion_hertz = 0.2\nrolling_ratio = 0.3\nhertz_modulus = 1e9\n");
    EXPECT_EQ(one.rolling, (TorqueLimit{TorqueScale::ratio, 0.3, 0}));
    EXPECT_EQ(laws("rolling_ratio = 0\n").rolling, TorqueLimit{}) << "zero is none, however it is written";
}

TEST(Laws, CoupledTorsion) {
    EXPECT_TRUE(laws("torsion_ratio = 0.1\ncoupled_torsion = true\n").coupled_torsion);
    EXPECT_TRUE(laws("torsion_hertz = 0.1\nhertz_modulus = 1e9\ncoupled_torsion = true\n").coupled_torsion);
    EXPECT_FALSE(laws("torsion_ratio = 0\ncoupled_torsion = true\n").coupled_torsion);
    EXPECT_FALSE(laws("torsion_ratio = 0.1\ncoupled_torsion = false\n").coupled_torsion);
}

TEST(Laws, Cohesion) {
    EXPECT_EQ(laws("cohesion_force = 1e-3\n").cohesion, (Cohesion{CohesionScale::force, 1e-3, 0, 0, 0}));
    EXPECT_EQ(laws("cohesion_bond = 5\ncohesion_energy = 1e-9\n").cohesion,
              (Cohesion{CohesionScale::bond, 5, 1e-9, 0, 0}));
    EXPECT_EQ(
        laws("cohesion_per_radius = 0.1\ncohesion_range = 1e-6\ncohesion_impulse_time = 1e-4\n").cohesion,
        (Cohesion{CohesionScale::radius, 0.1, 0, 1e-6, 1e-4}));
    EXPECT_EQ(laws("cohesion_force = 0\ncohesion_range = 1e-6\n").cohesion, Cohesion{});
}

TEST(Laws, WithoutAPairTheMeanHolds) {
    const MaterialTable table = materials("restitution = 0.9\nrolling_ratio = 0.1\ncohesion_force = 1e-3\n",
                                          "restitution = 0.4\nrolling_ratio = 0.4\n");
    EXPECT_EQ(table.laws(1, 0), mixed(table.laws(0, 0), table.laws(1, 1)));
    EXPECT_EQ(table.laws(0, 1), table.laws(1, 0));
    EXPECT_DOUBLE_EQ(table.laws(0, 1).rolling.value, 0.2);
    EXPECT_EQ(table.laws(0, 1).cohesion, Cohesion{}) << "steel has none";
}

TEST(Laws, APairReplacesWhatItGives) {
    const std::string glass = "restitution = 0.9\nrolling_ratio = 0.1\ntorsion_ratio = 0.1\n"
                              "cohesion_force = 1e-3\ncohesion_range = 1e-6\n";
    const std::string steel = "restitution = 0.4\nrolling_ratio = 0.4\ntorsion_ratio = 0.1\n"
                              "cohesion_force = 4e-3\ncohesion_range = 1e-6\n";
    ContactLaws expected = pair_laws(glass, steel, "");
    expected.friction = 0.7;
    expected.rolling = {TorqueScale::length, 1e-3, 0};
    EXPECT_EQ(pair_laws(glass, steel, "friction = 0.7\nrolling_length = 1e-3\n"), expected);

    expected = pair_laws(glass, steel, "");
    expected.restitution = 0.1;
    expected.restitution_speed = 0.2;
    expected.cohesion = {CohesionScale::bond, 3, 0, 0, 0};
    EXPECT_EQ(pair_laws(glass, steel, "restitution = 0.1\nrestitution_speed = 0.2\ncohesion_bond = 3\n"),
              expected)
        << "the range of the materials' cohesion is not that of the pair's";
    EXPECT_EQ(pair_laws(glass, steel, "cohesion_force = 0\n").cohesion, Cohesion{});
    EXPECT_EQ(materials(glass, steel, "friction = 0.7\n").laws(0, 0), materials(glass).laws(0, 0));
}

TEST(Laws, APairHasOneModulus) {
    const std::string both = "rolling_hertz = 0.1\ntorsion_hertz = 0.1\nhertz_modulus = 1e9\n";
    const ContactLaws l = pair_laws(both, both, "hertz_modulus = 3e9\n");
    EXPECT_EQ(l.rolling, (TorqueLimit{TorqueScale::hertz, 0.1, 3e9}));
    EXPECT_EQ(l.torsion, (TorqueLimit{TorqueScale::hertz, 0.1, 3e9}));
    const ContactLaws one = pair_laws(both, both, "rolling_hertz = 0.5\nhertz_modulus = 3e9\n");
    EXPECT_EQ(one.rolling, (TorqueLimit{TorqueScale::hertz, 0.5, 3e9}));
    EXPECT_EQ(one.torsion, l.torsion);
}

TEST(Laws, CouplingOfAPair) {
    const std::string coupled = "torsion_ratio = 0.1\ncoupled_torsion = true\n",
                      plain = "torsion_ratio = 0.1\n";
    EXPECT_TRUE(pair_laws(coupled, coupled, "friction = 0.1\n").coupled_torsion);
    EXPECT_FALSE(pair_laws(coupled, plain, "friction = 0.1\n").coupled_torsion);
    EXPECT_TRUE(pair_laws(coupled, plain, "coupled_torsion = true\n").coupled_torsion);
    EXPECT_FALSE(pair_laws(coupled, coupled, "coupled_torsion = false\n").coupled_torsion);
    EXPECT_FALSE(pair_laws(coupled, coupled, "torsion_ratio = 0\n").coupled_torsion);
    EXPECT_FALSE(pair_laws(coupled, coupled, "friction = 0\n").coupled_torsion);
    EXPECT_NE(message_of(with_laws("", "", "coupled_torsion = true\n")).find("couples torsion"),
              std::string::npos);
}

TEST(Laws, APairSettlesWhatHasNoMean) {
    const std::string glass = "rolling_ratio = 0.1\ncohesion_force = 1e-3\ncohesion_energy = 1e-9\n";
    const std::string steel = "rolling_length = 1e-3\ncohesion_force = 1e-3\ncohesion_range = 1e-6\n";
    const std::string message = message_of(with_laws(glass, steel));
    EXPECT_NE(message.find("rolling_length: 'glass' has rolling_ratio and 'steel' has rolling_length"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("cohesion_range: 'glass' has cohesion_energy and 'steel' has cohesion_range"),
              std::string::npos)
        << message;
    EXPECT_EQ(message_of(with_laws(glass, steel, "rolling_ratio = 0\ncohesion_force = 0\n")), "");
    EXPECT_NE(
        message_of(with_laws(glass, steel, "rolling_ratio = 0\n")).find("pair[0]: 'glass' has cohesion_en"),
        std::string::npos);
}

TEST(Laws, OverridesReachThem) {
    const std::string text = with_laws("", "", "friction = 0.1\n");
    const MaterialTable table =
        parse_case(text, "case.toml",
                   std::vector<std::string>{"pair[0].restitution=0.5", "material.steel.fixed=true"})
            .materials;
    EXPECT_EQ(table.laws(0, 1).restitution, 0.5);
    EXPECT_TRUE(table[1].fixed);
}

} // namespace
} // namespace tamp
