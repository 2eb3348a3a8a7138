#include "tamp/geometry/shape.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tamp {
namespace {

/// Shorter than this, the square of a length has lost its digits and a direction cannot be had from it.
constexpr double shortest = 1e-140;

bool is_unit(const Vec3& v) { return std::fabs(norm(v) - 1) < 1e-9; }

/// A unit vector perpendicular to another. For a vector in the plane z = 0, and for z itself, it lies in that
/// plane, so that discs are never pushed out of it.
Vec3 perpendicular(const Vec3& axis) {
    const Vec3 other = std::fabs(axis.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    const Vec3 across = cross(axis, other);
    return across * (1 / norm(across));
}

ShapeTouch from_foot(const Vec3& position, const Vec3& foot, const Vec3& normal_on_the_surface) {
    const Vec3 difference = position - foot;
    const double distance = norm(difference);
    if (distance < shortest)
        return {0, normal_on_the_surface, foot};
    return {distance, difference * (1 / distance), foot};
}

ShapeTouch from_plane(const Vec3& position, double height, const Vec3& normal) {
    return {height, normal, position - normal * height};
}

/// Cylindrical coordinates of a position around the axis of a shape.
struct AxialFrame {
    double axial, radial;
    Vec3 outward; ///< unit vector, perpendicular to the axis

    AxialFrame(const ShapePlace& place, const Vec3& position) {
        const Vec3 relative = position - place.point;
        axial = dot(relative, place.axis);
        Vec3 across = relative - place.axis * axial;
        across -= place.axis * dot(across, place.axis); // again: what rounding left is large near the axis
        radial = norm(across);
        if (radial < shortest) {
            radial = 0;
            outward = perpendicular(place.axis);
        } else {
            outward = across * (1 / radial);
        }
    }
};

ShapeTouch touch_rectangle(const Shape& shape, const ShapePlace& place, const Vec3& position) {
    const Vec3 relative = position - place.point;
    Vec3 foot = place.point;
    bool over_it = true;
    for (const Vec3& half_edge : shape.half_edges) {
        const double along = dot(relative, half_edge) / dot(half_edge, half_edge);
        over_it = over_it && std::fabs(along) <= 1;
        foot += half_edge * std::clamp(along, -1.0, 1.0);
    }
    if (!over_it)
        return from_foot(position, foot, place.axis);
    const double height = dot(relative, place.axis);
    return from_plane(position, std::fabs(height), height < 0 ? -place.axis : place.axis);
}

ShapeTouch touch_disc(const Shape& shape, const ShapePlace& place, const Vec3& position) {
    const AxialFrame frame(place, position);
    if (frame.radial > shape.radius)
        return from_foot(position, place.point + frame.outward * shape.radius, place.axis);
    return from_plane(position, std::fabs(frame.axial), frame.axial < 0 ? -place.axis : place.axis);
}

/// `outside`: how far the position is beyond the surface, as seen from the axis or the centre.
bool is_seen_from_inside(ShapeSide side, double outside) {
    return side == ShapeSide::inside || (side == ShapeSide::both && outside < 0);
}

ShapeTouch touch_sphere(const Shape& shape, const ShapePlace& place, const Vec3& position) {
    const Vec3 relative = position - place.point;
    double length = norm(relative);
    Vec3 outward{1, 0, 0};
    if (length < shortest)
        length = 0;
    else
        outward = relative * (1 / length);
    const Vec3 foot = place.point + outward * shape.radius;
    if (is_seen_from_inside(shape.side, length - shape.radius))
        return {shape.radius - length, -outward, foot};
    return {length - shape.radius, outward, foot};
}

/// Cylinders and cones: a line turned around the axis. The nearest point is the one of the line in the half
/// plane of the position, because the line stays on one side of the axis.
ShapeTouch touch_turned_line(const Shape& shape, const ShapePlace& place, const Vec3& position) {
    const AxialFrame frame(place, position);
    const bool is_cone = shape.kind == ShapeKind::cone;
    const auto [from, to] = shape.axial;
    const double rise = is_cone ? shape.end_radius - shape.radius : 0;
    const double run =
        is_cone ? to - from : 1; // of a cylinder, which may be infinite, only the direction counts
    const double slant = std::hypot(run, rise);
    const double along_axial = run / slant, along_radial = rise / slant;

    // A cylinder is measured from the position's own height: infinite ends must not enter the arithmetic.
    const double start_axial = is_cone ? from : std::clamp(frame.axial, from, to);
    const double axial = frame.axial - start_axial, radial = frame.radial - shape.radius;
    const double along = is_cone ? axial * along_axial + radial * along_radial : 0;
    const bool over_it = is_cone ? along >= 0 && along <= slant : frame.axial >= from && frame.axial <= to;
    const double outside = radial * along_axial - axial * along_radial;
    const double side = is_seen_from_inside(shape.side, outside) ? -1 : 1;
    const Vec3 normal = (frame.outward * along_axial - place.axis * along_radial) * side;
    if (over_it)
        return from_plane(position, side * outside, normal);
    const double foot_axial = !is_cone ? start_axial : along < 0 ? from : to;
    const double foot_radial = is_cone && along > slant ? shape.end_radius : shape.radius;
    return from_foot(position, place.point + place.axis * foot_axial + frame.outward * foot_radial, normal);
}

[[maybe_unused]] bool makes_sense(const Shape& shape, const ShapePlace& place) {
    const auto& [u, v] = shape.half_edges;
    const double area = norm(u) * norm(v);
    switch (shape.kind) {
    case ShapeKind::plane:
        return is_unit(place.axis);
    case ShapeKind::rectangle:
        return is_unit(place.axis) && area > 0 && std::fabs(dot(u, v)) < 1e-9 * area &&
               std::fabs(dot(u, place.axis)) < 1e-9 * norm(u) &&
               std::fabs(dot(v, place.axis)) < 1e-9 * norm(v);
    case ShapeKind::disc:
        return is_unit(place.axis) && shape.radius > 0;
    case ShapeKind::cylinder:
        return is_unit(place.axis) && shape.radius > 0 && shape.axial[0] < shape.axial[1];
    case ShapeKind::cone:
        return is_unit(place.axis) && shape.radius >= 0 && shape.end_radius >= 0 &&
               shape.axial[0] < shape.axial[1] && std::isfinite(shape.axial[1] - shape.axial[0]);
    case ShapeKind::sphere:
        return shape.radius > 0;
    }
    return false;
}

} // namespace

ShapeTouch Shape::touch(const ShapePlace& place, const Vec3& position) const {
    assert(makes_sense(*this, place));
    switch (kind) {
    case ShapeKind::plane:
        return from_plane(position, dot(place.axis, position - place.point), place.axis);
    case ShapeKind::rectangle:
        return touch_rectangle(*this, place, position);
    case ShapeKind::disc:
        return touch_disc(*this, place, position);
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        return touch_turned_line(*this, place, position);
    case ShapeKind::sphere:
        break;
    }
    return touch_sphere(*this, place, position);
}

namespace {

/// The coordinate of a point of the axis, which may be infinitely far away.
double on_axis(const ShapePlace& place, double position, int axis) {
    return place.axis[axis] == 0 ? place.point[axis] : place.point[axis] + position * place.axis[axis];
}

/// How far a circle around the axis reaches to either side of its centre.
Vec3 reach_of_circle(const Vec3& axis, double radius) {
    const auto across = [&](double a) { return radius * std::sqrt(std::max(0.0, 1 - a * a)); };
    return {across(axis.x), across(axis.y), across(axis.z)};
}

void include_circle(Bounds& bounds, const ShapePlace& place, double position, double radius) {
    const Vec3 centre{on_axis(place, position, 0), on_axis(place, position, 1), on_axis(place, position, 2)};
    const Vec3 reach = reach_of_circle(place.axis, radius);
    bounds.include(centre - reach);
    bounds.include(centre + reach);
}

} // namespace

Bounds Shape::bounds(const ShapePlace& place) const {
    Bounds bounds;
    switch (kind) {
    case ShapeKind::plane:
        for (int k = 0; k < 3; ++k) {
            const double reach = std::fabs(place.axis[k]) == 1 ? 0 : Bounds::infinity;
            bounds.lower[k] = place.point[k] - reach;
            bounds.upper[k] = place.point[k] + reach;
        }
        break;
    case ShapeKind::rectangle:
        for (const double u : {-1.0, 1.0})
            for (const double v : {-1.0, 1.0})
                bounds.include(place.point + half_edges[0] * u + half_edges[1] * v);
        break;
    case ShapeKind::disc:
        include_circle(bounds, place, 0, radius);
        break;
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        include_circle(bounds, place, axial[0], radius);
        include_circle(bounds, place, axial[1], kind == ShapeKind::cone ? end_radius : radius);
        break;
    case ShapeKind::sphere:
        bounds.include(place.point - Vec3{radius, radius, radius});
        bounds.include(place.point + Vec3{radius, radius, radius});
        break;
    }
    return bounds;
}

} // namespace tamp
