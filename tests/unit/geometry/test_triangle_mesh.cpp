#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "meshes.hpp"
#include "tamp/geometry/shape.hpp"
#include "tamp/geometry/triangle_mesh.hpp"

namespace tamp {
namespace {

std::vector<MeshTouch> touches(const TriangleMesh& mesh, const Vec3& position, double reach) {
    std::vector<MeshTouch> out;
    mesh.touches(position, reach, out);
    std::set<int> keys;
    for (const MeshTouch& touch : out) {
        EXPECT_NEAR(norm(touch.normal), 1, 1e-14);
        EXPECT_GE(touch.distance, 0);
        EXPECT_LE(touch.distance, reach);
        EXPECT_LT(norm(touch.foot + touch.normal * touch.distance - position), 1e-13);
        EXPECT_TRUE(keys.insert(touch.patch).second) << "two contacts of the key " << touch.patch;
    }
    EXPECT_TRUE(std::ranges::is_sorted(out, {}, &MeshTouch::patch));
    return out;
}

void expect_same(const MeshTouch& touch, const ShapeTouch& expected, double tolerance) {
    EXPECT_NEAR(touch.distance, std::fabs(expected.distance), tolerance);
    EXPECT_LT(norm(touch.foot - expected.foot), tolerance);
    EXPECT_LT(norm(touch.normal - expected.normal), tolerance);
}

template <class F>
void each_random(std::uint64_t seed, int count, F&& check) {
    for (int number = 0; number < count; ++number) {
        SCOPED_TRACE(number);
        Random random(seed, static_cast<std::uint64_t>(number), Purpose::test);
        check(random);
    }
}

TEST(TriangleMesh, AnyTriangulationOfASquareIsTheSquare) {
    each_random(71, 300, [](Random& random) {
        const meshes::Frame frame(random);
        meshes::List list = meshes::square(random, [&](double x, double y) { return frame.at(x, y, 0); });
        const TriangleMesh mesh(list);
        const Shape square{.kind = ShapeKind::rectangle, .half_edges = {frame.u, frame.v}};
        const ShapePlace place{frame.origin, frame.w};
        const auto check = [&](const Vec3& foot, double height) {
            const Vec3 position = foot + frame.w * height;
            const std::vector<MeshTouch> found = touches(mesh, position, 5);
            ASSERT_EQ(found.size(), 1u);
            expect_same(found[0], square.touch(place, position), 1e-12);
            EXPECT_EQ(found[0].patch, 0);
        };
        for (int repeat = 0; repeat < 100; ++repeat) {
            const double height = random.uniform(0.1, 1) * (random.below(2) ? 1 : -1);
            check(frame.at(random.uniform(-1, 1), random.uniform(-1, 1), 0), height);
            check(frame.at(random.uniform(-2, 2), random.uniform(-2, 2), 0), height);
            const auto [a, b, c] = list[random.below(list.size())];
            check(a, height);                              // above a vertex
            check(a + (b - a) * random.uniform(), height); // above an edge
            check(a + (b - a) * 0.3 + (c - a) * 0.3, height);
        }
    });
}

TEST(TriangleMesh, ABallRollingOverAPlaneMeetsOnePlane) {
    each_random(72, 50, [](Random& random) {
        const meshes::Frame frame(random);
        const TriangleMesh mesh(
            meshes::square(random, [&](double x, double y) { return frame.at(x, y, 0); }));
        const double angle = random.uniform(0, 7);
        const Vec3 start = frame.at(-0.8 * std::cos(angle), -0.8 * std::sin(angle), 0.1);
        const Vec3 first_normal = touches(mesh, start, 0.2).at(0).normal;
        for (int step = 0; step < 1000; ++step) {
            const double along = 1.6 * step / 1000 - 0.8;
            const auto found =
                touches(mesh, frame.at(along * std::cos(angle), along * std::sin(angle), 0.1), 0.2);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_NEAR(found[0].distance, 0.1, 1e-14);
            EXPECT_EQ(found[0].normal, first_normal) << "not a bit changes over inner edges";
            EXPECT_EQ(found[0].patch, 0);
        }
    });
}

TEST(TriangleMesh, ABoxFromInsideIsSixPlanes) {
    each_random(73, 300, [](Random& random) {
        const Vec3 lower{random.normal(), random.normal(), random.normal()};
        const Vec3 size{random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2)};
        const TriangleMesh mesh(meshes::box(lower, lower + size, random));
        ASSERT_EQ(mesh.report().flat_patches, 6);
        const double reach = 0.4;
        for (int repeat = 0; repeat < 50; ++repeat) {
            Vec3 position{};
            for (int axis = 0; axis < 3; ++axis) { // often in a corner
                const double part = random.below(2) ? random.uniform(0, 1) : random.uniform(0, 0.3);
                position[axis] = lower[axis] + size[axis] * (random.below(2) ? part : 1 - part);
            }
            const auto found = touches(mesh, position, reach);
            std::size_t expected = 0;
            for (int axis = 0; axis < 3; ++axis)
                for (const double side : {1.0, -1.0}) {
                    ShapePlace plane{side > 0 ? lower : lower + size, {0, 0, 0}};
                    plane.axis[axis] = side;
                    const ShapeTouch wanted = Shape{}.touch(plane, position);
                    if (wanted.distance > reach)
                        continue;
                    ++expected;
                    const int face = 2 * axis + (side < 0);
                    const auto match = std::ranges::find(found, 2 * face, &MeshTouch::patch);
                    ASSERT_NE(match, found.end());
                    expect_same(*match, wanted, 1e-12);
                }
            EXPECT_EQ(found.size(), expected);
        }
    });
}

TEST(TriangleMesh, ABoxFromOutsideHasOneContact) {
    each_random(74, 300, [](Random& random) {
        const Vec3 lower{random.normal(), random.normal(), random.normal()};
        const Vec3 size{random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2)};
        const TriangleMesh mesh(meshes::box(lower, lower + size, random));
        for (int repeat = 0; repeat < 100; ++repeat) {
            Vec3 position{}, foot{};
            int beyond = 0;
            for (int axis = 0; axis < 3; ++axis) {
                // Also exactly on the border between what is above a face and what is above an edge.
                const double exact[] = {0, 1, 1e-9, 1 + 1e-9, 1e-17, 0.5};
                const double part = random.below(3) ? random.uniform(-0.5, 1.5) : exact[random.below(6)];
                position[axis] = lower[axis] + size[axis] * part;
                foot[axis] = std::clamp(position[axis], lower[axis], lower[axis] + size[axis]);
                beyond += position[axis] != foot[axis];
            }
            const double distance = norm(position - foot);
            if (beyond == 0 || distance > 0.9 || distance < 1e-6)
                continue;
            const auto found = touches(mesh, position, 0.95);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_NEAR(found[0].distance, distance, 1e-14);
            // Next to a border the nearest point is certain to the square root of rounding only.
            expect_same(found[0], {distance, (position - foot) * (1 / distance), foot}, 1e-7);
        }
    });
}

/// Two half planes that meet at any angle.
TEST(TriangleMesh, ConcaveCornersHaveTwoContactsConvexEdgesOne) {
    int two = 0, one_face = 0, edge_only = 0;
    each_random(75, 500, [&](Random& random) {
        const meshes::Frame frame(random);
        const double angle = random.uniform(0.05, std::numbers::pi - 0.01) * (random.below(2) ? 1 : -1);
        const Vec3 sides[] = {frame.u, frame.u * std::cos(angle) + frame.w * std::sin(angle)};
        meshes::List list;
        for (const Vec3& side : sides) { // the common edge is along v and not cut into pieces
            const Vec3 a = frame.at(0, -2, 0), b = frame.at(0, 2, 0), c = a + side * 2, d = b + side * 2;
            const Vec3 middle = (a + b + c + d) * 0.25;
            list.insert(list.end(), {{a, b, middle}, {b, d, middle}, {d, c, middle}, {c, a, middle}});
        }
        meshes::shuffle(list, random);
        const TriangleMesh mesh(list);
        ASSERT_EQ(mesh.report().flat_patches, 2);
        for (int repeat = 0; repeat < 50; ++repeat) {
            const double reach = 0.5;
            const Vec3 position =
                frame.at(random.uniform(-0.4, 0.4), random.uniform(-1, 1), random.uniform(-0.4, 0.4));
            const Vec3 from_edge = position - frame.at(0, dot(position - frame.origin, frame.v), 0);
            std::vector<ShapeTouch> expected;
            for (const Vec3& side : sides)
                if (dot(from_edge, side) > 0) {
                    const Vec3 up = cross(side, frame.v);
                    const double height = dot(from_edge, up);
                    expected.push_back({std::fabs(height), height < 0 ? -up : up, position - up * height});
                }
            two += expected.size() == 2;
            one_face += expected.size() == 1;
            if (expected.empty()) {
                expected.push_back({norm(from_edge), meshes::unit(from_edge), position - from_edge});
                ++edge_only;
            }
            std::erase_if(expected, [&](const ShapeTouch& touch) { return touch.distance > reach; });
            const auto found = touches(mesh, position, reach);
            ASSERT_EQ(found.size(), expected.size());
            for (const ShapeTouch& touch : expected) {
                const auto match = std::ranges::min_element(
                    found, {}, [&](const MeshTouch& other) { return norm(other.foot - touch.foot); });
                expect_same(*match, touch, 1e-11);
            }
        }
    });
    EXPECT_GT(two, 1000);
    EXPECT_GT(one_face, 1000);
    EXPECT_GT(edge_only, 1000);
}

TEST(TriangleMesh, TheHistorySurvivesFromAFaceOntoItsEdge) {
    Random random(76, 0, Purpose::test);
    const TriangleMesh mesh(meshes::box({0, 0, 0}, {1, 1, 1}, random));
    // Faces come in the order x, x, y, y, z, z: the edge between a face of y and one of z has y's key.
    for (const double x : {0.25, 0.5, 0.75}) {
        EXPECT_EQ(touches(mesh, {x, -0.1, 0.5}, 0.2).at(0).patch, 4);
        EXPECT_EQ(touches(mesh, {x, -0.1, 1.1}, 0.2).at(0).patch, 4);
        EXPECT_EQ(touches(mesh, {x, 0.5, 1.1}, 0.2).at(0).patch, 10);
    }
}

/// A plate with a hole: the ball hangs on all four edges, which belong to one patch.
TEST(TriangleMesh, ABallInAHoleTouchesAllOfItsEdges) {
    meshes::List list;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (i != 1 || j != 1) {
                const double x = i, y = j;
                list.push_back({Vec3{x, y, 0}, {x + 1, y, 0}, {x, y + 1, 0}});
                list.push_back({Vec3{x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y + 1, 0}});
            }
    const TriangleMesh mesh(list);
    EXPECT_EQ(mesh.report().flat_patches, 1);
    const auto found = touches(mesh, {1.5, 1.5, 0.3}, 0.65);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].patch, 0);
    for (const MeshTouch& touch : found)
        EXPECT_NEAR(touch.distance, std::hypot(0.5, 0.3), 1e-15);
    EXPECT_EQ(touches(mesh, {0.9, 1.5, 0.3}, 1.5).size(), 1u)
        << "above the plate the hole's edges are hidden";
}

/// Neighbours without common vertices, as some programs write them.
TEST(TriangleMesh, PiecesOfAPlaneThatAreNotConnectedGiveOneContact) {
    each_random(77, 200, [](Random& random) {
        const meshes::Frame frame(random);
        meshes::List list = meshes::square(random, [&](double x, double y) { return frame.at(x, y, 0); });
        const meshes::List other =
            meshes::square(random, [&](double x, double y) { return frame.at(x + 2, y, 0); });
        list.insert(list.end(), other.begin(), other.end());
        const TriangleMesh mesh(list);
        for (int repeat = 0; repeat < 100; ++repeat) {
            const double x = random.below(3) ? random.uniform(-1, 3) : 1, y = random.uniform(-1, 1);
            const auto found = touches(mesh, frame.at(x, y, 0.1), 0.5);
            ASSERT_EQ(found.size(), 1u);
            EXPECT_NEAR(found[0].distance, 0.1, 1e-12);
        }
    });
}

TEST(TriangleMesh, OfNothingTouchesNothing) {
    EXPECT_TRUE(touches(TriangleMesh({}), {0, 0, 0}, HUGE_VAL).empty());
}

} // namespace
} // namespace tamp
