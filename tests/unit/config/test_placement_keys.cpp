#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::parse_with;

TEST(PlacementKeys, AreRead) {
    const std::string keys =
        R"(generator = "file", path = "state.h5", replicate = [2, 1, 3], period = [1, 1, 2], )"
        R"(shift = [0, 0, 0.5], materials = { sand = "glass" }, )"
        R"(turn = { axis = [0, 2, 0], angle = 30, point = [1, 1, 1] })";
    const Case c = parse_with({"particles[0]={ " + keys + " }"});
    const Placement& placement = c.generators[0].placement;
    EXPECT_EQ(placement.copies, (std::array<std::int64_t, 3>{2, 1, 3}));
    EXPECT_EQ(placement.period, (Vec3{1, 1, 2}));
    EXPECT_EQ(placement.shift, (Vec3{0, 0, 0.5}));
    EXPECT_EQ(placement.axis, (Vec3{0, 2, 0}));
    EXPECT_EQ(placement.degrees, 30);
    EXPECT_EQ(placement.point, (Vec3{1, 1, 1}));
    ASSERT_EQ(c.generators[0].renamed.size(), 1u);
    EXPECT_EQ(c.generators[0].renamed[0], (std::pair<std::string, int>{"sand", 0}));
}

TEST(PlacementKeys, AreLeftOutOfAPackingThatStaysWhereItIs) {
    const Case c = parse_with({R"(particles[0]={ generator = "file", path = "state.h5" })"});
    EXPECT_FALSE(c.generators[0].placement.any());
    EXPECT_TRUE(c.generators[0].renamed.empty());
}

} // namespace
} // namespace tamp
