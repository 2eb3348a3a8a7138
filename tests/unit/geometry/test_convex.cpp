#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tamp/base/random.hpp"
#include "tamp/geometry/convex.hpp"

namespace tamp {
namespace {

Vec3 unit(Vec3 v) { return v * (1 / norm(v)); }

TEST(Polygon, IsCutWhereThePlaneCrossesIt) {
    const Polygon square{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    EXPECT_EQ(area(square), 4);
    EXPECT_DOUBLE_EQ(area(clipped(square, {{0.5, 7, 7}, {1, 0, 0}})), 3);
    EXPECT_DOUBLE_EQ(area(clipped(square, {{1, 0, 0}, unit({1, 1, 0})})), 3.5);
    EXPECT_EQ(area(clipped(square, {{0, 0, 1}, {0, 0, -1}})), 4);
    EXPECT_TRUE(clipped(square, {{3, 0, 0}, {1, 0, 0}}).empty());
    const Polygon line = clipped({{0, 0, 0}, {4, 0, 0}}, {{1, 0, 0}, {1, 0, 0}});
    EXPECT_EQ(line, (Polygon{{1, 0, 0}, {4, 0, 0}}));
}

TEST(Polygon, TheSquareOfAPlaneLiesInIt) {
    const Plane plane{{1, 2, 3}, unit({1, -2, 0.5})};
    const Polygon square = square_in(plane, {0, 0, 0}, 5);
    EXPECT_NEAR(area(square), 100, 1e-12);
    for (const Vec3& corner : square)
        EXPECT_NEAR(plane.distance(corner), 0, 1e-14);
}

TEST(ConvexBody, OfACuboidAndItsHalves) {
    ConvexBody body({-1, 0, 0}, {1, 3, 5});
    EXPECT_DOUBLE_EQ(body.volume(), 30);
    body.clip({{0, 0, 5}, {0, 0, -1}});
    body.clip({{-4, 0, 0}, {1, 0, 0}});
    EXPECT_DOUBLE_EQ(body.volume(), 30) << "planes on a face or outside cut nothing off";
    body.clip({{0, 1.5, 2.5}, unit({0, 5, -3})}); // through two edges
    EXPECT_DOUBLE_EQ(body.volume(), 15);
    body.clip({{0, 0, 0}, {1, 0, 0}});
    EXPECT_DOUBLE_EQ(body.volume(), 7.5);
    body.clip({{0, 0, 9}, {0, 0, 1}});
    EXPECT_EQ(body.volume(), 0);
    body.clip({{0, 0, 9}, {0, 0, 1}});
    EXPECT_EQ(body.volume(), 0);
    EXPECT_EQ(ConvexBody({0, 0, 0}, {1, -1, 1}).volume(), 0);
}

TEST(ConvexBody, OfATetrahedronAnOctahedronAndATruncatedCube) {
    ConvexBody corner({0, 0, 0}, {9, 9, 9});
    corner.clip({{3, 0, 0}, unit({-2, -3, -6})}); // x/3 + y/2 + z < 1
    EXPECT_NEAR(corner.volume(), 3 * 2 * 1 / 6.0, 1e-14);

    ConvexBody octahedron({-2, -2, -2}, {2, 2, 2}), truncated({-1, -1, -1}, {1, 1, 1});
    for (int k = 0; k < 8; ++k) {
        const Vec3 sign{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
        octahedron.clip({sign * (1.0 / 3), unit(-sign)});
        truncated.clip({sign * (2.0 / 3), unit(-sign)}); // a corner with edges of 1
    }
    EXPECT_NEAR(octahedron.volume(), 4.0 / 3, 1e-14);
    EXPECT_NEAR(truncated.volume(), 8 - 8 / 6.0, 1e-14) << "planes that meet in one point of an edge";
}

/// Volume of the part of the unit cube with a.x <= b, for positive a: a sum over corners (Lasserre's
/// formula).
double part_of_cube(const Vec3& a, double b) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
        const int ones = (k & 1) + (k >> 1 & 1) + (k >> 2);
        const double left = b - (k & 1 ? a.x : 0) - (k & 2 ? a.y : 0) - (k & 4 ? a.z : 0);
        sum += (ones % 2 == 0 ? 1 : -1) * std::pow(std::max(0.0, left), 3);
    }
    return sum / (6 * a.x * a.y * a.z);
}

TEST(ConvexBody, RandomHalfSpacesAgreeWithTheClosedForm) {
    Random random(7, 1, Purpose::test);
    for (int repeat = 0; repeat < 1000; ++repeat) {
        const Vec3 a = unit({random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)});
        const double b = random.uniform(0, a.x + a.y + a.z);
        ConvexBody below({0, 0, 0}, {1, 1, 1}), above({0, 0, 0}, {1, 1, 1});
        below.clip({a * b, -a});
        above.clip({a * b, a});
        EXPECT_NEAR(below.volume(), part_of_cube(a, b), 1e-12);
        EXPECT_NEAR(below.volume() + above.volume(), 1, 1e-13);
    }
}

/// Whatever the planes, the two parts that one more of them makes add up to the whole.
TEST(ConvexBody, PartsAddUp) {
    Random random(7, 2, Purpose::test);
    const auto random_plane = [&] {
        const auto component = [&] { return random.uniform(-1, 1); };
        return Plane{{random.uniform(0.2, 0.8), random.uniform(0.2, 0.8), random.uniform(0.2, 0.8)},
                     unit({component(), component(), component()})};
    };
    int left = 0;
    for (int repeat = 0; repeat < 1000; ++repeat) {
        ConvexBody whole({0, 0, 0}, {1, 1, 1});
        for (int k = 0; k < 8; ++k) {
            const Plane plane = random_plane();
            ConvexBody front = whole, back = whole;
            front.clip(plane);
            back.clip({plane.point, -plane.normal});
            ASSERT_NEAR(front.volume() + back.volume(), whole.volume(), 1e-13);
            if (front.volume() == 0)
                continue;
            whole = front;
            whole.clip(plane); // a second time
            ASSERT_EQ(whole.volume(), front.volume());
        }
        left += whole.volume() < 0.5;
    }
    EXPECT_GT(left, 900);
}

} // namespace
} // namespace tamp
