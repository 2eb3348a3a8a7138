#pragma once

#include <array>

#include "tamp/base/vec3.hpp"
#include "tamp/geometry/bounds.hpp"

namespace tamp {

enum class ShapeKind {
    plane,     ///< infinite; particles are on the side that `axis` points to
    rectangle, ///< finite and two-sided
    disc,      ///< finite and two-sided
    cylinder,  ///< an open tube, infinite or between two axial positions
    cone,      ///< a truncated cone, open at both ends: a hopper, a funnel
    sphere,
};

/// The side of a cylinder, a cone or a sphere that the particles are on.
enum class ShapeSide {
    inside,
    outside,
    both, ///< a thin shell, which pushes particles to the side that they are on
};

/// Where a shape stands.
struct ShapePlace {
    Vec3 point{0, 0, 0};
    Vec3 axis{0, 0, 1}; ///< unit vector
};

/// The point of a surface that is nearest to some position: position = foot + distance * normal.
struct ShapeTouch {
    double distance; ///< m; negative: the position is behind a surface that has one side only
    Vec3 normal;     ///< unit vector from the surface to the particle's side
    Vec3 foot;       ///< on the surface
};

/// A surface that spherical particles can touch. A particle of radius a has the gap distance - a.
///
/// Which numbers count for which kind:
///
///     kind        place.point  place.axis  side   radius       axial                      half_edges
///     plane       on it        normal
///     rectangle   centre       normal                                                     half its two edges
///     disc        centre       normal             of the disc
///     cylinder    on axis      axis        yes    of the tube  its ends; may be infinite
///     cone        on axis      axis        yes    at axial[0]  its ends; finite
///     sphere      centre                   yes    of the sphere
///
/// The half edges of a rectangle are perpendicular to each other and to the normal. Axial positions are
/// measured from the point along the axis, with axial[0] < axial[1]; a cone has the radius `end_radius` at
/// axial[1].
///
/// A shape gives one contact. On the inside of a curved surface that is all there is if the particle is
/// smaller than the radius of curvature there. A larger particle would hang on several points at once, such
/// as one that blocks the outlet of a cone; only the nearest of them is known then.
///
/// The rims of finite shapes are touched from anywhere, so that the distance from them is never negative.
/// Only a position behind the open interior of a cylinder or a cone that has one side has a negative
/// distance.
struct Shape {
    ShapeKind kind = ShapeKind::plane;
    ShapeSide side = ShapeSide::inside;
    double radius = 0;                                                ///< m
    double end_radius = 0;                                            ///< m
    std::array<double, 2> axial{-Bounds::infinity, Bounds::infinity}; ///< m
    std::array<Vec3, 2> half_edges{Vec3{0, 0, 0}, Vec3{0, 0, 0}};     ///< m

    /// Where the nearest point is not unique, such as for a position on the axis of a cylinder, one of the
    /// nearest points is chosen, always the same. For shapes in the plane z = 0 it lies in that plane.
    ShapeTouch touch(const ShapePlace& place, const Vec3& position) const;

    /// Of the surface, up to rounding.
    Bounds bounds(const ShapePlace& place) const;
};

} // namespace tamp
