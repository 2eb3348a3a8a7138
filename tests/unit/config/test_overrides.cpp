#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::minimal_case;
using test::parse_with;

/// The one message that an override alone causes.
std::string complaint(const std::string& assignment) { return message_of(minimal_case, {assignment}); }

TEST(Overrides, SetAKeyOfASection) {
    EXPECT_EQ(parse_with({"solver.tolerance=1e-5"}).solver.tolerance, 1e-5) << "makes the section";
    EXPECT_EQ(parse_with({" seed = 9 "}).seed, 9u);
    EXPECT_EQ(parse_with({"domain.upper=[2, 2, 2]"}).box.upper, (Vec3{2, 2, 2}));
}

TEST(Overrides, SetAnEntryByIndexOrName) {
    EXPECT_EQ(parse_with({"stage[0].steps=100"}).stages[0].steps, 100);
    EXPECT_EQ(parse_with({"stage.settle.steps=100"}).stages[0].steps, 100);
    EXPECT_EQ(parse_with({"stage.\"settle\".steps=100"}).stages[0].steps, 100);
    EXPECT_EQ(parse_with({"particles[0].count=5"}).generators[0].count, 5);
    EXPECT_EQ(parse_with({"particles[0].size.diameter=0.2"}).generators[0].size.diameter, 0.2);
    EXPECT_EQ(parse_with({"material.glass.friction=0"}).materials[0].friction, 0);
    const std::string with_wall = minimal_case + "[[stage.wall]]\nname = 'z+'\nvelocity = [0, 0, 0]\n";
    const Case c = parse_with({"stage.settle.wall.z+.velocity=[0,0,1]"}, with_wall);
    EXPECT_EQ(c.stages[0].walls[0].velocity, (Vec3{0, 0, 1}));
    const Case held = parse_with({"stage[0].wall[0]={name='z+', hold=true}"}, with_wall);
    EXPECT_EQ(held.stages[0].walls[0].motion, WallMotion::fixed);
}

TEST(Overrides, SetOneItemOfAList) {
    EXPECT_EQ(parse_with({"gravity=[0,0,0]", "gravity[2]=-9.81"}).gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(parse_with({"domain.upper[2]=3"}).box.upper, (Vec3{1, 1, 3}));
    EXPECT_EQ(parse_with({"domain.boundary[0]='periodic'"}).box.boundary[0], Boundary::periodic);
}

TEST(Overrides, StringsNeedNoQuotes) {
    EXPECT_EQ(parse_with({"solver.order=random"}).solver.order, SweepOrder::random);
    EXPECT_EQ(parse_with({"solver.scheme=block"}).solver.scheme, SweepScheme::block);
    EXPECT_EQ(parse_with({"neighbours.load_balance=never"}).neighbours.load_balance, LoadCost::never);
    EXPECT_EQ(parse_with({"solver.order=\"random\""}).solver.order, SweepOrder::random);
    EXPECT_EQ(parse_with({"output.directory=../here/12"}).output.directory, "../here/12");
    EXPECT_EQ(parse_with({"title=12"}).title, "12");
    EXPECT_EQ(parse_with({"title=a = b"}).title, "a = b");
}

TEST(Overrides, TheLastOneWins) { EXPECT_EQ(parse_with({"seed=2", "seed=3"}).seed, 3u); }

TEST(Overrides, EndUpInTheSource) {
    EXPECT_NE(parse_with({"stage.settle.steps=123"}).source.find("steps = 123"), std::string::npos);
}

TEST(Overrides, MistakesNameTheOverride) {
    EXPECT_EQ(complaint("solver.tolerence=1e-5"),
              "--set solver.tolerence=1e-5: solver.tolerence: unknown key; did you mean 'tolerance'? "
              "(`tamp keys solver` lists all that are known here)");
    EXPECT_EQ(complaint("solver.tolerance=12abc"),
              "--set solver.tolerance=12abc: solver.tolerance: got the string \"12abc\", wanted a number");
    EXPECT_EQ(
        complaint("domain.upper[1]=-1"),
        "--set domain.upper[1]=-1: domain.upper: -1 along y is not above lower, 0; swap or correct them");
    EXPECT_EQ(complaint("particles[0].size={distribution='mono', diamter=0.1}").substr(0, 63),
              "--set particles[0].size={distribution='mono', diamter=0.1}: par");
}

TEST(Overrides, MistakesInThePath) {
    EXPECT_NE(complaint("seed").find("no '=' found"), std::string::npos);
    EXPECT_NE(complaint("=3").find("empty part"), std::string::npos);
    EXPECT_NE(complaint("solver..tolerance=3").find("empty part"), std::string::npos);
    EXPECT_NE(complaint("solver.=3").find("malformed"), std::string::npos);
    EXPECT_NE(complaint("stage[x].steps=3").find("whole number in brackets"), std::string::npos);
    EXPECT_NE(complaint("stage[0x].steps=3").find("whole number in brackets"), std::string::npos);
    EXPECT_NE(complaint("stage[0.steps=3").find("whole number in brackets"), std::string::npos);
    EXPECT_NE(complaint("stage[99999999999999999999].steps=3").find("whole number in brackets"),
              std::string::npos);
    EXPECT_NE(complaint("stage[0]steps=3").find("malformed"), std::string::npos);
    EXPECT_NE(complaint("stage[1].steps=3").find("has 1 entries"), std::string::npos);
    EXPECT_NE(complaint("stage.setle.steps=3").find("the names are 'settle'"), std::string::npos);
    EXPECT_NE(complaint("stage.settle=3").find("add the key to set"), std::string::npos);
    EXPECT_NE(complaint("wall[0].mass=3").find("has no [[wall]]"), std::string::npos);
    EXPECT_NE(complaint("wall.lid.mass=3").find("has no [[wall]]"), std::string::npos);
    EXPECT_NE(complaint("domain[0].lower=3").find("leave out the index"), std::string::npos);
    EXPECT_NE(complaint("particles[0].count.x=3").find("holds a value"), std::string::npos);
    EXPECT_NE(complaint("gravity[2]=3").find("no list 'gravity'"), std::string::npos);
    EXPECT_NE(complaint("domain.upper[3]=3").find("has 3 entries"), std::string::npos);
    EXPECT_NE(complaint("\"stage.steps=3").find("unclosed quote"), std::string::npos);
    EXPECT_NE(complaint("solvr.tolerance=3").find("did you mean 'solver'?"), std::string::npos);
}

} // namespace
} // namespace tamp
