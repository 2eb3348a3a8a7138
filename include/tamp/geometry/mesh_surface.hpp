#pragma once

#include <array>
#include <span>
#include <vector>

#include "tamp/geometry/triangle.hpp"

namespace tamp {

/// What was found in a list of triangles.
struct MeshReport {
    int triangles_read = 0;
    int degenerate = 0;    ///< left out: without an area
    int duplicate = 0;     ///< left out: the same corners as an earlier one
    int open_edges = 0;    ///< edges of one triangle; none if the surface is closed
    int crowded_edges = 0; ///< edges of more than two triangles
    int flat_patches = 0;
};

struct MeshTriangle {
    std::array<int, 3> vertices; ///< ascending
    std::array<int, 3> edges;    ///< edge k is opposite to vertex k
    Vec3 normal;                 ///< unit vector; of the two, the one that the order of the vertices gives
    int patch;                   ///< index
};

/// Connected triangles of one plane. A surface that bends, however little at each edge, is not one patch: all
/// triangles are compared with the largest.
struct FlatPatch {
    int id;      ///< the smallest number, in the order of reading, of its triangles
    Vec3 point;  ///< centre of area
    Vec3 normal; ///< mean over the area; unit vector
};

/// Vertices and edges are the features of a surface: vertex k is feature k, edge k is feature
/// vertices.size() + k.
struct MeshFeature {
    int patch_id; ///< the smallest of the patches that meet here; -1: of no triangle
    bool inner;   ///< inside a flat patch: not a feature of the shape, but of how it was cut into triangles
};

/// A list of triangles made into a surface. Two lists that differ in the order of triangles or of their
/// corners give the same surface to the last bit, but for the ids of patches: vertices, edges, triangles and
/// patches are numbered by where they are.
struct MeshSurface {
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 2>> edges; ///< vertices, ascending
    std::vector<MeshTriangle> triangles;
    std::vector<FlatPatch> patches;
    std::vector<MeshFeature> features;
    std::vector<int> feature_starts;    ///< of each feature's list in `feature_triangles`, and the end
    std::vector<int> feature_triangles; ///< ascending for each feature
    double flatness = 0;                ///< m; points that are closer to a plane lie in it
    MeshReport report;

    /// Vertices closer than 1e-9 of the extent of the list become one. Coordinates must be finite.
    explicit MeshSurface(std::span<const Triangle> list);

    std::span<const int> triangles_of(int feature) const {
        const auto start = static_cast<std::size_t>(feature_starts[static_cast<std::size_t>(feature)]);
        const auto end = static_cast<std::size_t>(feature_starts[static_cast<std::size_t>(feature) + 1]);
        return std::span(feature_triangles).subspan(start, end - start);
    }
    int feature_of_edge(int edge) const { return static_cast<int>(vertices.size()) + edge; }
};

} // namespace tamp
