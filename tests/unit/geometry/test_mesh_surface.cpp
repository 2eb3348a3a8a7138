#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "meshes.hpp"
#include "tamp/geometry/mesh_surface.hpp"

namespace tamp {
namespace {

TEST(MeshSurface, CountsDuplicatesAndDegenerates) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        SCOPED_TRACE(number);
        Random random(62, number, Purpose::test);
        meshes::List list = meshes::box({0, 0, 0}, {1, 2, 3}, random);
        const int duplicates = static_cast<int>(random.below(5)),
                  degenerates = static_cast<int>(random.below(5));
        for (int k = 0; k < duplicates; ++k)
            list.push_back(list[random.below(12)]);
        for (int k = 0; k < degenerates; ++k) {
            const auto [a, b, c] = list[random.below(12)];
            if (random.below(2))
                list.push_back({a, b, a});
            else
                list.push_back({a, b, a + (b - a) * random.uniform()});
        }
        meshes::shuffle(list, random);
        const MeshReport report = MeshSurface(list).report;
        EXPECT_EQ(report.triangles_read, 12 + duplicates + degenerates);
        EXPECT_EQ(report.duplicate, duplicates);
        EXPECT_EQ(report.degenerate, degenerates);
        EXPECT_EQ(report.open_edges, 0);
        EXPECT_EQ(report.crowded_edges, 0);
        EXPECT_EQ(report.flat_patches, 6);
    }
}

TEST(MeshSurface, ClosesOverVerticesThatDifferByRounding) {
    Random random(63, 0, Purpose::test);
    meshes::List list = meshes::box({5, 5, 5}, {6, 6, 6}, random);
    for (Triangle& triangle : list)
        for (Vec3& corner : triangle)
            corner += meshes::random_direction(random) * 1e-11;
    const MeshSurface surface(list);
    EXPECT_EQ(surface.vertices.size(), 8u);
    EXPECT_EQ(surface.edges.size(), 18u);
    EXPECT_EQ(surface.report.open_edges, 0);
    EXPECT_EQ(surface.report.flat_patches, 6);
}

TEST(MeshSurface, CountsOpenAndCrowdedEdges) {
    const Vec3 a{0, 0, 0}, b{0, 0, 1};
    const meshes::List three_sheets{{a, b, {1, 0, 0}}, {a, b, {-1, 0.5, 0}}, {a, b, {0, -1, 0}}};
    const MeshReport report = MeshSurface(three_sheets).report;
    EXPECT_EQ(report.open_edges, 6);
    EXPECT_EQ(report.crowded_edges, 1);
    EXPECT_EQ(report.flat_patches, 3);
}

TEST(MeshSurface, FlatPatchesAreWhatIsFlat) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        SCOPED_TRACE(number);
        Random random(64, number, Purpose::test);
        const meshes::Frame frame(random);
        const meshes::List list =
            meshes::square(random, [&](double x, double y) { return frame.at(x, y, 0); });
        const MeshSurface surface(list);
        ASSERT_EQ(surface.report.flat_patches, 1);
        EXPECT_EQ(surface.patches[0].id, 0);
        EXPECT_NEAR(std::fabs(dot(surface.patches[0].normal, frame.w)), 1, 1e-14);
        EXPECT_NEAR(dot(surface.patches[0].point - frame.origin, frame.w), 0, 1e-14);
        for (std::size_t feature = 0; feature < surface.vertices.size(); ++feature) {
            const Vec3 place = surface.vertices[feature] - frame.origin;
            const double border = std::max(std::fabs(dot(place, frame.u)), std::fabs(dot(place, frame.v)));
            EXPECT_EQ(surface.features[feature].inner, border < 1 - 1e-12);
        }
    }
    for (const int facets : {3, 17, 500, 3000})
        EXPECT_EQ(MeshSurface(meshes::tube(facets)).report.flat_patches, facets) << "a bend is not flat";
    const double angle = 1e-4;
    const meshes::List fold_back{{Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                 {Vec3{0, 0, 0}, {1, 0, 0}, {0.1, 1, angle * angle}}};
    EXPECT_EQ(MeshSurface(fold_back).report.flat_patches, 2) << "a sheet folded back is not flat";
}

/// What a binary STL file makes of a fine mesh of a tilted plane.
TEST(MeshSurface, SinglePrecisionLeavesAPlaneFlat) {
    for (std::uint64_t number = 0; number < 50; ++number) {
        SCOPED_TRACE(number);
        Random random(65, number, Purpose::test);
        const meshes::Frame frame(random);
        meshes::List list;
        const int n = 100;
        const auto place = [&](int i, int j) {
            const Vec3 exact = frame.at(i / 50.0 - 1, j / 50.0 - 1, 0);
            return Vec3{static_cast<float>(exact.x), static_cast<float>(exact.y),
                        static_cast<float>(exact.z)};
        };
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                list.push_back({place(i, j), place(i + 1, j), place(i, j + 1)});
                list.push_back({place(i + 1, j + 1), place(i + 1, j), place(i, j + 1)});
            }
        EXPECT_EQ(MeshSurface(list).report.flat_patches, 1);
    }
}

TEST(MeshSurface, OfNothing) {
    const MeshSurface surface({});
    EXPECT_EQ(surface.report.triangles_read, 0);
    EXPECT_TRUE(surface.triangles.empty());
}

} // namespace
} // namespace tamp
