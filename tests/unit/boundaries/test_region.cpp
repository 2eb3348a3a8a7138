#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tamp/base/random.hpp"
#include "tamp/boundaries/region.hpp"

namespace tamp {
namespace {

constexpr auto periodic = Boundary::periodic, walled = Boundary::wall, open = Boundary::open;

Wall plane(std::string name, const Vec3& point, const Vec3& normal) {
    return {.name = std::move(name), .point = point, .normal = normal * (1 / norm(normal))};
}

/// With the walls of the box, as a case has them.
std::vector<Wall> walls_of(const Box& box) {
    std::vector<Wall> walls;
    for (int axis = 0; axis < box.dimension; ++axis)
        for (const bool upper : {false, true})
            if (box.boundary[static_cast<std::size_t>(axis)] == walled) {
                Vec3 normal{0, 0, 0};
                normal[axis] = upper ? -1 : 1;
                walls.push_back(plane(std::string{"xyz"[axis]} + (upper ? '+' : '-'),
                                      upper ? box.upper : box.lower, normal));
            }
    return walls;
}

TEST(RegionVolume, IsTheBoxLessWhatWallsCutOff) {
    const Box box{.lower = {-1, 0, 0}, .upper = {1, 3, 5}};
    EXPECT_EQ(region_volume(box, {}), 30);
    std::vector<Wall> walls{plane("floor", {9, 9, 1}, {0, 0, 1}), plane("piston", {9, 9, 4}, {0, 0, -1})};
    EXPECT_EQ(region_volume(box, walls), 18);
    walls.push_back(plane("outside", {9, 9, 7}, {0, 0, -1}));
    EXPECT_EQ(region_volume(box, walls), 18);
    walls.push_back(plane("nearer", {0, 2, 0}, {0, -1, 0}));
    EXPECT_EQ(region_volume(box, walls), 12);
    walls.push_back(plane("slanted", {-1, 0, 0}, {1, 1, 0})); // touches an edge of the region
    EXPECT_DOUBLE_EQ(region_volume(box, walls), 12);
    walls.back().point.x = 0; // cuts off a prism: 1 x 1 / 2 x 3
    EXPECT_DOUBLE_EQ(region_volume(box, walls), 10.5);
    walls.back().motion = WallMotion::removed;
    EXPECT_EQ(region_volume(box, walls), 12);
    walls[1].point.z = 0.5;
    EXPECT_EQ(region_volume(box, walls), 0) << "the piston is below the floor";
}

Wall tube(const Vec3& point, const Vec3& axis, double radius) {
    Wall wall = plane("tube", point, axis);
    wall.shape.kind = ShapeKind::cylinder, wall.shape.radius = radius;
    return wall;
}

TEST(RegionVolume, OfATubeIsExact) {
    const Box box{.lower = {-1, -1, 0}, .upper = {1, 1, 3}};
    const double section = std::acos(-1.0) * 0.81;
    std::vector<Wall> walls{tube({0, 0, 0}, {0, 0, 1}, 0.9)};
    EXPECT_NEAR(region_volume(box, walls), 3 * section, 1e-12);
    walls.push_back(plane("piston", {0, 0, 2}, {0, 0, -1}));
    EXPECT_NEAR(region_volume(box, walls), 2 * section, 1e-12);
    const CrossSection covered = cross_section(box, walls, 1);
    EXPECT_NEAR(covered.area, section, 1e-12);
    EXPECT_EQ(covered.obstacle, "");
    walls[0].shape.side = ShapeSide::outside;
    EXPECT_EQ(region_volume(box, walls), 8) << "not a container";
    const Box flat{.lower = {-1, -1, 0}, .upper = {1, 1, 0}, .dimension = 2};
    EXPECT_NEAR(region_volume(flat, std::vector{tube({0, 0, 0}, {0, 0, 1}, 0.9)}), section, 1e-12);
}

/// Half of it is cut off by a plane through its axis, and two tubes that cross leave Steinmetz' solid.
TEST(RegionVolume, OfTubesThatAreCut) {
    const Box box{.lower = {-2, -2, -2}, .upper = {2, 2, 2}};
    std::vector<Wall> walls{tube({0, 0, 0}, {0, 0, 1}, 1)};
    walls.push_back(plane("middle", {0, 0, 0}, {1, 0.3, 0}));
    EXPECT_NEAR(region_volume(box, walls), 4 * std::acos(-1.0) / 2, 1e-12);
    walls.back() = tube({0, 0, 0}, {1, 0, 0}, 1);
    EXPECT_NEAR(region_volume(box, walls), 16.0 / 3, 2e-3);
}

TEST(CrossSection, OfAPistonThatIsNoPlaneIsItsOwn) {
    const Box box{.lower = {-2, -2, -2}, .upper = {2, 2, 2}};
    Wall wall = plane("disc", {0, 0, 0}, {0, 0, 1});
    wall.shape.kind = ShapeKind::disc, wall.shape.radius = 0.5;
    EXPECT_DOUBLE_EQ(cross_section(box, std::vector{wall}, 0).area, std::acos(-1.0) / 4);
    wall.shape.kind = ShapeKind::rectangle;
    wall.shape.half_edges = {Vec3{0.5, 0, 0}, Vec3{0, 1, 0}};
    EXPECT_DOUBLE_EQ(cross_section(box, std::vector{wall}, 0).area, 2);
    wall.shape.kind = ShapeKind::cylinder;
    EXPECT_NE(cross_section(box, std::vector{wall}, 0).obstacle, "");
}

TEST(RegionVolume, IsAnAreaInTwoDimensions) {
    const Box box{.lower = {0, 0, 0}, .upper = {2, 3, 0}, .dimension = 2};
    std::vector<Wall> walls{plane("lid", {0, 2, 0}, {0, -1, 0})};
    EXPECT_EQ(region_volume(box, {}), 6);
    EXPECT_EQ(region_volume(box, walls), 4);
    walls.push_back(plane("slope", {0, 1, 0}, {1, 1, 0}));
    EXPECT_DOUBLE_EQ(region_volume(box, walls), 3.5);
}

TEST(RegionVolume, OfAWedgeWithASlantedPiston) {
    // Two slopes of 45 degrees meet on the floor in the middle: the mouth of a hopper, 4 wide and 2 high.
    const Box box{.upper = {4, 3, 6}, .boundary = {walled, periodic, walled}};
    std::vector<Wall> walls = walls_of(box);
    walls.push_back(plane("left", {2, 0, 0}, {1, 0, 1}));
    walls.push_back(plane("right", {2, 0, 0}, {-1, 0, 1}));
    EXPECT_DOUBLE_EQ(region_volume(box, walls), 3 * (4 * 2 / 2.0 + 4 * 4));
    // Through (0, 6) and (4, 4): above the wedge, it takes a triangle of 4 x 2.
    walls.push_back(plane("piston", {0, 0, 6}, {-1, 0, -2}));
    EXPECT_DOUBLE_EQ(region_volume(box, walls), 3 * (4 * 2 / 2.0 + 4 * 4 - 4 * 2 / 2.0));
    walls.back().point.z = -1;
    EXPECT_EQ(region_volume(box, walls), 0);
}

/// Any number of random walls: against points thrown at the box.
TEST(RegionVolume, OfRandomWallsAgreesWithMonteCarlo) {
    Random random(3, 0, Purpose::test);
    for (const int dimension : {2, 3})
        for (int repeat = 0; repeat < 20; ++repeat) {
            Box box{.lower = {-1, 0, 0}, .upper = {1, 3, dimension == 3 ? 2.0 : 0.0}, .dimension = dimension};
            const auto inside = [&] {
                Vec3 at{0, 0, 0};
                for (int axis = 0; axis < dimension; ++axis)
                    at[axis] = random.uniform(box.lower[axis], box.upper[axis]);
                return at;
            };
            std::vector<Wall> walls;
            for (int k = 0; k < 1 + repeat % 5; ++k) {
                const Vec3 normal{random.normal(), random.normal(), dimension == 3 ? random.normal() : 0.0};
                walls.push_back(plane("wall", inside(), normal));
            }
            constexpr int throws = 20000;
            int hits = 0;
            for (int k = 0; k < throws; ++k) {
                const Vec3 at = inside();
                hits += std::ranges::all_of(walls, [&](const Wall& wall) { return wall.gap(at, 0) >= 0; });
            }
            const double share = region_volume(box, walls) / box.volume();
            // Five standard errors, and one point for shares near zero.
            EXPECT_NEAR(static_cast<double>(hits) / throws, share,
                        5 * std::sqrt(share * (1 - share) / throws) + 1.0 / throws);
        }
}

TEST(CrossSection, OfAPistonThatFillsTheBox) {
    const Box box{.upper = {2, 3, 5}, .boundary = {periodic, walled, walled}};
    std::vector<Wall> walls = walls_of(box);
    walls.push_back(plane("lid", {7, 7, 4}, {0, 0, -1}));
    const CrossSection lid = cross_section(box, walls, walls.size() - 1);
    EXPECT_EQ(lid.area, 6);
    EXPECT_EQ(lid.obstacle, "");
    EXPECT_EQ(cross_section(box, walls, 3).area, 6) << "the lid does not make the wall z+ smaller";
    EXPECT_EQ(cross_section(box, walls, 0).area, 8) << "but the side y-: 2 long, 4 high";
    EXPECT_EQ(cross_section(box, walls, 0).obstacle, "");
}

TEST(CrossSection, OfAShaftInsideTheBox) {
    const Box box{.upper = {10, 10, 5}, .boundary = {walled, walled, walled}};
    std::vector<Wall> walls = walls_of(box);
    walls.push_back(plane("left", {4, 0, 0}, {1, 0, 0}));
    walls.push_back(plane("right", {6, 0, 0}, {-1, 0, 0}));
    walls.push_back(plane("front", {0, 4, 0}, {0, 1, 0}));
    walls.push_back(plane("back", {0, 6, 0}, {0, -1, 0}));
    walls.push_back(plane("lid", {1e6, -1e7, 4}, {0, 0, -1})); // any point of its plane
    EXPECT_EQ(cross_section(box, walls, walls.size() - 1).area, 4) << "not 100";
    EXPECT_EQ(cross_section(box, walls, walls.size() - 1).obstacle, "");
    // A shaft with three corners.
    walls.push_back(plane("diagonal", {4, 6, 0}, {-1, -1, 0}));
    EXPECT_DOUBLE_EQ(cross_section(box, walls, walls.size() - 2).area, 2);
    EXPECT_EQ(cross_section(box, walls, walls.size() - 2).obstacle, "") << "perpendicular to the lid";
}

TEST(CrossSection, OfASlantedShaftWithASlantedPiston) {
    // A shaft one wide along (1, 1), from a floor across it to a piston across it.
    const Box box{.upper = {10, 10, 0}, .boundary = {walled, walled, open}, .dimension = 2};
    std::vector<Wall> walls = walls_of(box);
    const double half = std::sqrt(0.5) / 2;
    walls.push_back(plane("side", {5 - half, 5 + half, 0}, {1, -1, 0}));
    walls.push_back(plane("other", {5 + half, 5 - half, 0}, {-1, 1, 0}));
    walls.push_back(plane("piston", {7, 7, 0}, {-1, -1, 0}));
    const std::size_t piston = walls.size() - 1;
    EXPECT_NE(cross_section(box, walls, piston).obstacle, "") << "the corner of the box is in its way";
    walls.push_back(plane("floor", {3, 3, 0}, {1, 1, 0}));
    EXPECT_NEAR(cross_section(box, walls, piston).area, 1, 1e-12);
    EXPECT_EQ(cross_section(box, walls, piston).obstacle, "");
    EXPECT_NEAR(region_volume(box, walls), 4 * std::sqrt(2.0), 1e-12);
}

TEST(CrossSection, SaysWhatKeepsItFromBeingAShaft) {
    Box box{.upper = {4, 3, 6}, .boundary = {walled, periodic, walled}};
    std::vector<Wall> walls = walls_of(box);
    walls.push_back(plane("lid", {0, 0, 1}, {0, 0, -1}));
    const std::size_t lid = walls.size() - 1;
    walls.push_back(plane("slope", {2, 0, 0}, {1, 0, 1}));
    EXPECT_DOUBLE_EQ(cross_section(box, walls, lid).area, 3 * 3) << "from x = 1 to 4 where it stands";
    EXPECT_EQ(cross_section(box, walls, lid).obstacle,
              "the wall 'slope' is neither parallel nor perpendicular to it");
    walls[lid].point.z = 5;
    EXPECT_DOUBLE_EQ(cross_section(box, walls, lid).area, 4 * 3);
    EXPECT_NE(cross_section(box, walls, lid).obstacle, "") << "it comes to the slope later";
    walls.back() = plane("cut", {0, 0, 6}, {1, 0, -1}); // behind the lid all the way
    walls[lid].point.z = 3;
    EXPECT_EQ(cross_section(box, walls, lid).obstacle, "");
    walls.pop_back();
    EXPECT_EQ(cross_section(box, walls, lid).obstacle, "");

    box.boundary[1] = open;
    EXPECT_EQ(cross_section(box, walls, lid).obstacle, "the domain is open along y there");
    EXPECT_EQ(cross_section(box, walls, lid).area, 12);
    walls.push_back(plane("front", {0, 1, 0}, {0, 1, 0}));
    walls.push_back(plane("back", {0, 2, 0}, {0, -1, 0}));
    EXPECT_EQ(cross_section(box, walls, lid).obstacle, "") << "walls close it";
    EXPECT_EQ(cross_section(box, walls, lid).area, 4);
    walls.back().motion = WallMotion::removed;
    EXPECT_EQ(cross_section(box, walls, lid).obstacle, "the domain is open along y there");
}

TEST(StressArea, IsThatOfTheCaseOrWhatTheWallCovers) {
    const Box box{.upper = {2, 3, 0}, .boundary = {walled, walled, open}, .dimension = 2};
    std::vector<Wall> walls = walls_of(box);
    walls.push_back(plane("lid", {0, 1, 0}, {0, -1, 0}));
    EXPECT_EQ(stress_area(box, walls, 0), 1);
    EXPECT_EQ(stress_area(box, walls, 4), 2);
    walls[4].area = 1.5;
    EXPECT_EQ(stress_area(box, walls, 4), 1.5);
    walls[4].motion = WallMotion::removed;
    EXPECT_EQ(stress_area(box, walls, 4), 0);
    EXPECT_EQ(stress_area(box, walls, 0), 3);
}

} // namespace
} // namespace tamp
