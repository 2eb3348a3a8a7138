#pragma once

#include <vector>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// A plane, and the half space on the side that `normal`, a unit vector, points to.
struct Plane {
    Vec3 point{0, 0, 0};
    Vec3 normal{0, 0, 1};

    /// Positive inside the half space.
    double distance(const Vec3& position) const { return dot(normal, position - point); }
};

/// Corners of a convex polygon in order; two points are a line.
using Polygon = std::vector<Vec3>;

/// The part of a polygon, or of a line, inside the half space. Corners closer to the plane than `tolerance`
/// count as lying on it and stay.
Polygon clipped(const Polygon& polygon, const Plane& plane, double tolerance = 0);

/// A square in the plane, as near as it can be to `centre`, that reaches at least `reach` in every direction.
Polygon square_in(const Plane& plane, const Vec3& centre, double reach);

/// Zero for less than three corners.
double area(const Polygon& polygon);

/// A cuboid, and what planes leave of it. Exact but for rounding.
class ConvexBody {
public:
    ConvexBody(const Vec3& lower, const Vec3& upper);

    /// Cuts off all that is behind the plane.
    void clip(const Plane& plane);

    double volume() const;
    /// Distance from a plane of the corner that is deepest behind it; +infinity if nothing is left.
    double least_distance(const Plane& plane) const;

private:
    double tolerance_;
    std::vector<Polygon> faces_; ///< counterclockwise as seen from outside; none: nothing is left
};

} // namespace tamp
