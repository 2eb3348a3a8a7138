// What is well written and has no effect is said.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::minimal_case;
using test::parse_with;

std::string warnings(const std::vector<std::string>& overrides, const std::string& text = minimal_case) {
    return fmt::format("{}", fmt::join(parse_case(text, "case.toml", overrides).warnings, "\n"));
}

TEST(Effects, APlainCaseHasNoWarnings) { EXPECT_EQ(warnings({}), ""); }

TEST(Effects, WallMaterialWithoutWalls) {
    const std::string open = "domain.boundary=['open', 'periodic', 'open']";
    EXPECT_EQ(warnings({open}), "");
    EXPECT_EQ(warnings({"domain.wall_material=glass"}), "");
    EXPECT_TRUE(warnings({open, "domain.wall_material=glass"})
                    .starts_with("--set domain.wall_material=glass: domain.wall_material: has no effect"))
        << warnings({open, "domain.wall_material=glass"});
}

TEST(Effects, MassOfAWallThatNothingPushes) {
    const std::string lid = minimal_case + "[[stage.wall]]\nname = 'lid'\nvelocity = [0, 0, -1]\n"
                                           "[[wall]]\nname = 'lid'\npoint = [0, 0, 1]\nnormal = [0, 0, -1]\n";
    EXPECT_EQ(warnings({}, lid), "");
    EXPECT_TRUE(warnings({}, lid + "mass = 2\n").starts_with("case.toml:26:1: wall[0].mass: has no effect"))
        << warnings({}, lid + "mass = 2\n");
    EXPECT_EQ(warnings({}, lid + "mass = 2\nforce = 1\n"), "");
    EXPECT_EQ(warnings({"stage[0].wall=[{name='lid', stress=100}]"}, lid + "mass = 2\n"), "");
}

TEST(Effects, DetailsOfACohesionOfZero) {
    for (const char* force : {"cohesion_force", "cohesion_per_radius"})
        for (const char* detail : {"cohesion_energy", "cohesion_range", "cohesion_impulse_time"}) {
            const std::string key = fmt::format("material[0].{}", detail);
            const std::string zero = warnings({fmt::format("material[0].{}=0", force), key + "=1e-3"});
            EXPECT_TRUE(zero.starts_with(
                fmt::format("--set {0}=1e-3: {0}: has no effect, since {1} is 0", key, force)))
                << zero;
            EXPECT_EQ(warnings({fmt::format("material[0].{}=1", force), key + "=1e-3"}), "");
        }
}

TEST(Effects, VelocityOfFixedParticlesIsRefused) {
    EXPECT_EQ(message_of(minimal_case, {"material[0].fixed=true", "particles[0].velocity=[0,0,0]"}), "");
    EXPECT_EQ(message_of(minimal_case, {"particles[0].velocity=[0,0,1]", "particles[0].speed=1"}), "");
    for (const char* key : {"particles[0].velocity=[0,0,1]", "particles[0].speed=1"})
        EXPECT_NE(message_of(minimal_case, {"material[0].fixed=true", key}).find("never move"),
                  std::string::npos);
}

TEST(Effects, TorsionOfDiscsIsRefused) {
    const std::vector<std::string> plane{"dimension=2", "domain.lower=[0,0]", "domain.upper=[1,1]",
                                         "domain.boundary=['wall','wall']"};
    for (const char* key : {"torsion_length", "torsion_ratio", "torsion_hertz"}) {
        std::vector<std::string> keys = plane;
        keys.push_back(fmt::format("material[0].{}=0", key));
        if (std::string(key) == "torsion_hertz")
            keys.emplace_back("material[0].hertz_modulus=1e9");
        EXPECT_EQ(message_of(minimal_case, keys), "");
        keys[plane.size()] = fmt::format("material[0].{}=0.1", key);
        EXPECT_NE(message_of(minimal_case, keys).find("discs do not twist"), std::string::npos);
        keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(plane.size()));
        EXPECT_EQ(message_of(minimal_case, keys), "") << "spheres do";
    }
}

/// What can only be checked with the particles still names its place.
TEST(Effects, PlacesOfKeysAreKnownLater) {
    const Case c = parse_with({"seed=3"}, minimal_case + "[time]\nstep = 1e-3\n");
    EXPECT_EQ(c.named("time.step"), "case.toml:20:1: time.step");
    EXPECT_EQ(c.named("material[0].density"), "case.toml:8:1: material[0].density");
    EXPECT_EQ(c.named("seed"), "--set seed=3: seed");
    EXPECT_EQ(c.named("time.max_step"), "time.max_step");
}

} // namespace
} // namespace tamp
