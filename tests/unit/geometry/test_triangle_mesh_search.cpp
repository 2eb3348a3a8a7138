#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "meshes.hpp"
#include "tamp/geometry/shape.hpp"
#include "tamp/geometry/triangle_mesh.hpp"

// Meshes as a whole: the nearest of all triangles is found, by any numbering, and fine meshes of a curved
// surface act like the surface.
namespace tamp {
namespace {

/// Ericson, "Real-time collision detection" (2005), section 5.1.5.
Vec3 nearest_point(const Triangle& triangle, const Vec3& p) {
    const auto& [a, b, c] = triangle;
    const Vec3 ab = b - a, ac = c - a;
    const double d1 = dot(ab, p - a), d2 = dot(ac, p - a), d3 = dot(ab, p - b), d4 = dot(ac, p - b),
                 d5 = dot(ab, p - c), d6 = dot(ac, p - c);
    if (d1 <= 0 && d2 <= 0)
        return a;
    if (d3 >= 0 && d4 <= d3)
        return b;
    if (d6 >= 0 && d5 <= d6)
        return c;
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return a + ab * (d1 / (d1 - d3));
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return a + ac * (d2 / (d2 - d6));
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    return a + (ab * vb + ac * vc) * (1 / (va + vb + vc));
}

double distance_of_list(const meshes::List& list, const Vec3& position) {
    double least = HUGE_VAL;
    for (const Triangle& triangle : list)
        least = std::min(least, norm(position - nearest_point(triangle, position)));
    return least;
}

meshes::List random_soup(Random& random) {
    meshes::List list(1 + random.below(30));
    for (Triangle& triangle : list) {
        const Vec3 middle = meshes::random_direction(random) * random.uniform();
        for (Vec3& corner : triangle)
            corner = middle + meshes::random_direction(random) * random.uniform(0.1, 1);
    }
    return list;
}

template <class F>
void each_random_mesh(std::uint64_t seed, int count, F&& check) {
    for (int number = 0; number < count; ++number) {
        SCOPED_TRACE(number);
        Random random(seed, static_cast<std::uint64_t>(number), Purpose::test);
        meshes::List list = number % 3 == 0   ? random_soup(random)
                            : number % 3 == 1 ? meshes::hills(random)
                                              : meshes::box({-1, -1, -1}, {1, 0.5, 0}, random);
        check(list, random);
    }
}

Vec3 random_position(Random& random) {
    return {random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)};
}

TEST(TriangleMesh, TheNearestContactIsTheNearestPointOfAllTriangles) {
    each_random_mesh(81, 300, [](const meshes::List& list, Random& random) {
        const TriangleMesh mesh(list);
        std::vector<MeshTouch> found;
        for (int repeat = 0; repeat < 100; ++repeat) {
            Vec3 position = random_position(random);
            if (repeat % 4 == 0) { // above a vertex or an edge
                const Triangle& triangle = list[random.below(list.size())];
                const Vec3 along = (triangle[1] - triangle[0]) * (repeat % 8 == 0 ? random.uniform() : 0);
                position = triangle[0] + along + meshes::random_direction(random) * random.uniform(1e-3, 0.5);
            }
            const double least = distance_of_list(list, position), reach = random.uniform(0.05, 2);
            mesh.touches(position, reach, found);
            if (least > reach + 1e-12) {
                EXPECT_TRUE(found.empty());
            } else if (least < reach - 1e-12) {
                ASSERT_FALSE(found.empty());
                EXPECT_NEAR(std::ranges::min(found, {}, &MeshTouch::distance).distance, least, 1e-12);
            }
            for (const MeshTouch& touch : found)
                EXPECT_LT(distance_of_list(list, touch.foot), 1e-12) << "the foot is on the surface";
        }
    });
}

/// Moving the foot a little along any triangle there does not bring it closer: so says the meaning of a
/// contact.
TEST(TriangleMesh, EveryContactIsALocalMinimum) {
    each_random_mesh(82, 300, [](const meshes::List& list, Random& random) {
        const TriangleMesh mesh(list);
        std::vector<MeshTouch> found;
        for (int repeat = 0; repeat < 30; ++repeat) {
            const Vec3 position = random_position(random);
            mesh.touches(position, 1, found);
            for (const MeshTouch& touch : found)
                for (const Triangle& triangle : list)
                    if (norm(nearest_point(triangle, touch.foot) - touch.foot) < 1e-12) {
                        const Vec3 other = nearest_point(triangle, position);
                        EXPECT_GT(norm(position - other), touch.distance - 1e-12);
                    }
        }
    });
}

/// A search that sees all triangles, and the contacts within reach of it, against the search by the grid.
TEST(TriangleMesh, TheGridFindsWhatASearchOfAllTrianglesFinds) {
    each_random_mesh(83, 300, [](const meshes::List& list, Random& random) {
        const TriangleMesh mesh(list);
        std::vector<MeshTouch> found, all;
        for (int repeat = 0; repeat < 50; ++repeat) {
            const Vec3 position = random_position(random);
            const double reach = std::pow(10, random.uniform(-2, 0));
            mesh.touches(position, reach, found);
            mesh.touches(position, 1e3, all);
            std::erase_if(all, [&](const MeshTouch& touch) { return touch.distance > reach; });
            ASSERT_EQ(found.size(), all.size());
            const auto by_foot = [](const MeshTouch& touch) {
                return std::tuple(touch.foot.x, touch.foot.y, touch.foot.z);
            };
            std::ranges::sort(found, {}, by_foot);
            std::ranges::sort(all, {}, by_foot);
            for (std::size_t k = 0; k < found.size(); ++k) {
                EXPECT_EQ(found[k].distance, all[k].distance);
                EXPECT_EQ(found[k].normal, all[k].normal);
                EXPECT_EQ(found[k].foot, all[k].foot);
                EXPECT_EQ(found[k].feature, all[k].feature);
            }
        }
    });
}

TEST(TriangleMesh, TheOrderOfTrianglesAndCornersChangesIdsOnly) {
    each_random_mesh(84, 300, [](meshes::List list, Random& random) {
        const TriangleMesh mesh(list);
        const std::vector<int> new_numbers = meshes::shuffle(list, random);
        const TriangleMesh shuffled(list);
        ASSERT_EQ(mesh.surface().vertices, shuffled.surface().vertices);
        ASSERT_EQ(mesh.report().flat_patches, shuffled.report().flat_patches);
        std::vector<MeshTouch> before, after;
        for (int repeat = 0; repeat < 30; ++repeat) {
            const Vec3 position = random_position(random);
            mesh.touches(position, 0.7, before);
            shuffled.touches(position, 0.7, after);
            ASSERT_EQ(before.size(), after.size());
            for (const MeshTouch& touch : before) {
                const auto same = std::ranges::find(after, touch.foot, &MeshTouch::foot);
                ASSERT_NE(same, after.end());
                EXPECT_EQ(same->distance, touch.distance);
                EXPECT_EQ(same->normal, touch.normal);
                EXPECT_EQ(same->feature, touch.feature);
                if (touch.feature >= 0)
                    continue;
                const auto& patches = mesh.surface().patches;
                const auto patch = std::ranges::find(patches, touch.patch, &FlatPatch::id) - patches.begin();
                EXPECT_EQ(same->patch, shuffled.surface().patches[static_cast<std::size_t>(patch)].id);
                EXPECT_LE(same->patch, new_numbers[static_cast<std::size_t>(touch.patch)]);
            }
        }
    });
}

TEST(TriangleMesh, ATubeConvergesToTheCylinder) {
    const Shape inner{.kind = ShapeKind::cylinder, .radius = 1},
        outer{.kind = ShapeKind::cylinder, .side = ShapeSide::outside, .radius = 1};
    double last_error = 0, last_turn = 0;
    for (int facets = 16; facets <= 1024; facets *= 4) {
        const TriangleMesh mesh(meshes::tube(facets));
        ASSERT_EQ(mesh.report().flat_patches, facets);
        Random random(85, static_cast<std::uint64_t>(facets), Purpose::test);
        std::vector<MeshTouch> found;
        double error = 0, turn = 0;
        for (int repeat = 0; repeat < 3000; ++repeat) {
            const bool inside = random.below(2);
            const double angle = random.uniform(0, 7);
            const double radius = inside ? random.uniform(0.7, 0.95) : random.uniform(1.05, 1.3);
            const Vec3 position{radius * std::cos(angle), radius * std::sin(angle),
                                random.uniform(-0.9, 0.9)};
            mesh.touches(position, 0.35, found);
            ASSERT_GE(found.size(), 1u);
            ASSERT_LE(found.size(), inside ? 2u : 1u) << "two in a concave corner, one outside";
            for (const MeshTouch& touch : found) {
                const ShapeTouch wanted = (inside ? inner : outer).touch({}, position);
                error = std::max(error, std::fabs(touch.distance - wanted.distance));
                turn = std::max(turn, norm(touch.normal - wanted.normal));
            }
        }
        EXPECT_LT(error, 1.2 * (1 - std::cos(std::numbers::pi / facets)));
        if (last_error > 0) {
            EXPECT_NEAR(last_error / error, 16, 2) << "of second order";
            EXPECT_NEAR(last_turn / turn, 4, 0.5);
        }
        last_error = error, last_turn = turn;
    }
}

} // namespace
} // namespace tamp
