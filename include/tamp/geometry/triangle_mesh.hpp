#pragma once

#include <span>
#include <vector>

#include "tamp/geometry/bounds_grid.hpp"
#include "tamp/geometry/mesh_surface.hpp"

namespace tamp {

/// A contact of a position with a mesh: position = foot + distance * normal.
struct MeshTouch {
    double distance; ///< m; never negative, because a mesh has two sides
    Vec3 normal;     ///< unit vector from the mesh to the position
    Vec3 foot;       ///< on the mesh
    int patch;       ///< key of the contact's history, different for all contacts of one position
    int feature;     ///< of `MeshSurface`; -1: touched inside a flat patch
};

/// A wall of triangles.
///
/// The contacts of a position are the points of the surface from which no way along the surface leads closer
/// to the position: the local minima of the distance. Therefore a concave corner gives a contact with each of
/// its faces and none with its edge, a convex edge gives one contact, and a vertex gives one if all of its
/// edges lead away. In addition:
///
///     flat patch touched inside      one contact with its plane, wherever its triangles meet
///     edge or vertex                 dropped if it lies in the plane of a patch that is touched inside: a
///     ball
///                                    that rests on the plane cannot touch anything else in it
///     two contacts at one point      one is dropped: surfaces that overlap, or touch without common vertices
///
/// The history of a contact is kept under its patch: its id for the inside, the smallest id of the adjacent
/// patches for edges and vertices, so that it survives when a ball rolls from a face onto an edge. A ball in
/// a hole touches several edges of one patch. The first of them has the patch's key then, the others have
/// keys of their own: the number of triangles read + feature.
class TriangleMesh {
public:
    explicit TriangleMesh(std::span<const Triangle> triangles);

    const MeshReport& report() const { return surface_.report; }
    const MeshSurface& surface() const { return surface_; }
    Bounds bounds() const;

    /// All contacts that are not farther than `reach`, in the order of `MeshTouch::patch`. Replaces what is
    /// in `out`, which the caller keeps between calls: nothing else is allocated.
    void touches(const Vec3& position, double reach, std::vector<MeshTouch>& out) const;

private:
    /// The part of a triangle that is nearest to a position.
    struct Nearest {
        double distance_squared;
        int feature; ///< -1: its inside
    };

    Nearest nearest_of(int triangle, const Vec3& position) const;
    /// Where the position projects to: 0 at the first vertex of the edge, 1 at the second.
    double part_of_edge(int edge, const Vec3& position) const;
    Vec3 point_of_edge(int edge, double part) const;
    bool is_nearest_of_all(int feature, const Vec3& position) const;
    Vec3 foot_on(int feature, const Vec3& position) const;
    void add_patch(int patch, const Vec3& position, double reach, std::vector<MeshTouch>& out) const;
    void add_feature(int feature, const Vec3& position, double reach, std::vector<MeshTouch>& out) const;
    void drop_hidden(std::vector<MeshTouch>& out) const;
    void make_keys_differ(std::vector<MeshTouch>& out) const;

    MeshSurface surface_;
    BoundsGrid grid_; ///< of the triangles
};

} // namespace tamp
