#include <gtest/gtest.h>

#include <cmath>

#include "tamp/boundaries/outline.hpp"

namespace tamp {
namespace {

double length(const OutlineLine& line) {
    double sum = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i)
        sum += norm(line.points[i] - line.points[i - 1]);
    return sum;
}

double length(const std::vector<OutlineLine>& lines) {
    double sum = 0;
    for (const OutlineLine& line : lines)
        sum += length(line);
    return sum;
}

TEST(Outline, OfABoxHasTwelveEdgesOrFour) {
    const Box box{.lower = {-1, 0, 0}, .upper = {1, 3, 5}};
    EXPECT_EQ(outline(box, {}).size(), 12u);
    EXPECT_DOUBLE_EQ(length(outline(box, {})), 4 * (2 + 3 + 5));
    const Box flat{.lower = {-1, 0, 0}, .upper = {1, 3, 0}, .dimension = 2};
    EXPECT_EQ(outline(flat, {}).size(), 4u);
    EXPECT_DOUBLE_EQ(length(outline(flat, {})), 2 * (2 + 3));
}

TEST(Outline, ShowsWallsInsideTheBoxOnly) {
    const Box box{.lower = {0, 0, 0}, .upper = {2, 3, 5}};
    const std::vector<Wall> walls{
        {.name = "z-", .point = {0, 0, 0}, .normal = {0, 0, 1}},
        {.name = "outside", .point = {0, 0, 6}, .normal = {0, 0, -1}},
        {.name = "piston", .point = {9, 9, 4}, .normal = {0, 0, -1}},
        {.name = "gone", .point = {0, 0, 3}, .normal = {0, 0, -1}, .motion = WallMotion::removed},
        {.name = "slope", .point = {0, 0, 0}, .normal = {-std::sqrt(0.5), 0, std::sqrt(0.5)}}};
    const auto lines = outline(box, walls);
    ASSERT_EQ(lines.size(), 14u);
    EXPECT_EQ(lines[12].wall, 2);
    EXPECT_NEAR(length(lines[12]), 2 * (2 + 3), 1e-12);
    for (const Vec3& point : lines[12].points)
        EXPECT_EQ(point.z, 4);
    EXPECT_EQ(lines[12].points.front(), lines[12].points.back());
    EXPECT_EQ(lines[13].wall, 4) << "from the edge x = z = 0 to x = z = 2";
    EXPECT_NEAR(length(lines[13]), 2 * (3 + std::sqrt(8.0)), 1e-12);
}

/// All points lie on the surface, up to what a polygon with 48 corners leaves of a circle.
TEST(Outline, OfShapesLiesOnThem) {
    const Box box{.lower = {-2, -2, -2}, .upper = {2, 2, 2}};
    for (const ShapeKind kind :
         {ShapeKind::rectangle, ShapeKind::disc, ShapeKind::cylinder, ShapeKind::cone, ShapeKind::sphere}) {
        Wall wall{.name = "shape", .point = {0.1, 0.2, 0.3}, .normal = {0.6, 0, 0.8}};
        wall.shape.kind = kind;
        wall.shape.radius = 0.7, wall.shape.end_radius = 0.2;
        wall.shape.half_edges = {Vec3{0.8, 0, -0.6}, Vec3{0, 0.5, 0}};
        if (kind == ShapeKind::cone)
            wall.shape.axial = {-0.5, 1};
        const auto lines = outline(box, std::vector{wall});
        ASSERT_GT(lines.size(), 12u);
        for (std::size_t k = 12; k < lines.size(); ++k) {
            EXPECT_EQ(lines[k].wall, 0);
            for (const Vec3& point : lines[k].points)
                EXPECT_NEAR(wall.gap(point, 0), 0, 1e-12);
        }
    }
}

TEST(Outline, OfAWallInTwoDimensionsIsALine) {
    const Box box{.lower = {0, 0, 0}, .upper = {2, 3, 0}, .dimension = 2};
    const std::vector<Wall> walls{{.name = "lid", .point = {7, 1, 0}, .normal = {0, -1, 0}}};
    const auto lines = outline(box, walls);
    ASSERT_EQ(lines.size(), 5u);
    ASSERT_EQ(lines[4].points.size(), 2u);
    EXPECT_NEAR(length(lines[4]), 2, 1e-12);
    EXPECT_EQ(lines[4].points[0].y, 1);
    EXPECT_EQ(lines[4].points[0].z, 0);
}

} // namespace
} // namespace tamp
