#include <gtest/gtest.h>

#include "tamp/config/parse_case.hpp"

namespace tamp {
namespace {

/// A shaft of 0.5 x 0.25 in a box of 1 x 1 x 1.
constexpr const char* shaft = R"(
[domain]
lower = [0, 0, 0]
upper = [1, 1, 1]
boundary = ["wall", "wall", "wall"]
[[material]]
name = "glass"
density = 2500
friction = 0.3
[[particles]]
generator = "random"
count = 4
lower = [0.25, 0, 0]
upper = [0.75, 0.25, 1]
size = {distribution = "mono", diameter = 0.05}
[[wall]]
name = "left"
point = [0.25, 0, 0]
normal = [1, 0, 0]
[[wall]]
name = "right"
point = [0.75, 0, 0]
normal = [-1, 0, 0]
[[wall]]
name = "back"
point = [0, 0.25, 0]
normal = [0, -1, 0]
[[wall]]
name = "lid"
point = [0, 0, 1]
normal = [0, 0, -1]
mass = 1
stress = 1000
[[stage]]
name = "press"
steps = 1
)";

Case parse(const std::vector<std::string>& overrides) { return parse_case(shaft, "shaft.toml", overrides); }

TEST(WallStress, ActsOnTheCrossSectionOfTheShaft) {
    EXPECT_EQ(parse({}).walls.back().force, 1000 * 0.5 * 0.25) << "the face of the domain would be 1";
    EXPECT_EQ(
        parse({"wall[1].normal=[-1, 0, 0]", "wall[1].point=[0.5, 0, 0]", "particles[0].upper=[0.5, 0.25, 1]"})
            .walls.back()
            .force,
        1000 * 0.25 * 0.25);
}

TEST(WallStress, OfAStageActsOnTheSameCrossSection) {
    const Case c = parse({"stage[0].wall=[{name='lid', stress=4000}, {name='z-', mass=1, stress=8}]"});
    EXPECT_EQ(c.stages[0].walls[0].force, 4000 * 0.5 * 0.25);
    EXPECT_EQ(c.stages[0].walls[1].force, 8 * 0.5 * 0.25) << "the floor is a wall of the domain";
}

TEST(WallStress, ActsOnTheAreaThatIsGiven) {
    EXPECT_EQ(parse({"wall[3].area=2"}).walls.back().force, 2000);
    EXPECT_EQ(parse({"wall[3].area=2", "stage[0].wall=[{name='lid', stress=4000}]"}).stages[0].walls[0].force,
              8000);
    // Then nobody asks what the walls beside it do.
    EXPECT_NO_THROW(parse({"wall[3].area=2", "wall[0].velocity=[0.1, 0, 0]"}));
}

TEST(WallStress, AfterAnotherWallWasRemovedActsOnWhatIsLeft) {
    const Case c = parse({"wall[3]={name='lid', point=[0, 0, 1], normal=[0, 0, -1], mass=1}",
                          "stage[0].wall=[{name='right', remove=true}, {name='lid', stress=8}]"});
    EXPECT_EQ(c.stages[0].walls[1].force, 8 * 0.75 * 0.25);
}

TEST(WallStress, MindsNoWallThatSlidesInItsPlane) {
    EXPECT_EQ(parse({"wall[0].velocity=[0, 1, 2]"}).walls.back().force, 125);
}

} // namespace
} // namespace tamp
