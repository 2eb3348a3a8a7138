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

    AxialFrame(const Shape& shape, const Vec3& position) {
        const Vec3 relative = position - shape.point;
        axial = dot(relative, shape.axis);
        Vec3 across = relative - shape.axis * axial;
        across -= shape.axis * dot(across, shape.axis); // again: what rounding left is large near the axis
        radial = norm(across);
        if (radial < shortest) {
            radial = 0;
            outward = perpendicular(shape.axis);
        } else {
            outward = across * (1 / radial);
        }
    }
};

ShapeTouch touch_rectangle(const Shape& shape, const Vec3& position) {
    const Vec3 relative = position - shape.point;
    Vec3 foot = shape.point;
    bool over_it = true;
    for (const Vec3& half_edge : shape.half_edges) {
        const double along = dot(relative, half_edge) / dot(half_edge, half_edge);
        over_it = over_it && std::fabs(along) <= 1;
        foot += half_edge * std::clamp(along, -1.0, 1.0);
    }
    if (!over_it)
        return from_foot(position, foot, shape.axis);
    const double height = dot(relative, shape.axis);
    return from_plane(position, std::fabs(height), height < 0 ? -shape.axis : shape.axis);
}

ShapeTouch touch_disc(const Shape& shape, const Vec3& position) {
    const AxialFrame frame(shape, position);
    if (frame.radial > shape.radius)
        return from_foot(position, shape.point + frame.outward * shape.radius, shape.axis);
    return from_plane(position, std::fabs(frame.axial), frame.axial < 0 ? -shape.axis : shape.axis);
}

ShapeTouch touch_sphere(const Shape& shape, const Vec3& position) {
    const Vec3 relative = position - shape.point;
    double length = norm(relative);
    Vec3 outward{1, 0, 0};
    if (length < shortest)
        length = 0;
    else
        outward = relative * (1 / length);
    const Vec3 foot = shape.point + outward * shape.radius;
    if (shape.side == ShapeSide::inside)
        return {shape.radius - length, -outward, foot};
    return {length - shape.radius, outward, foot};
}

/// Cylinders and cones: a line turned around the axis. The nearest point is the one of the line in the half
/// plane of the position, because the line stays on one side of the axis.
ShapeTouch touch_turned_line(const Shape& shape, const Vec3& position) {
    const AxialFrame frame(shape, position);
    const bool is_cone = shape.kind == ShapeKind::cone;
    const auto [from, to] = shape.axial;
    const double rise = is_cone ? shape.end_radius - shape.radius : 0;
    const double run =
        is_cone ? to - from : 1; // of a cylinder, which may be infinite, only the direction counts
    const double slant = std::hypot(run, rise);
    const double along_axial = run / slant, along_radial = rise / slant;
    const double side = shape.side == ShapeSide::outside ? 1 : -1;
    const Vec3 normal = (frame.outward * along_axial - shape.axis * along_radial) * side;

    // A cylinder is measured from the position's own height: infinite ends must not enter the arithmetic.
    const double start_axial = is_cone ? from : std::clamp(frame.axial, from, to);
    const double axial = frame.axial - start_axial, radial = frame.radial - shape.radius;
    const double along = is_cone ? axial * along_axial + radial * along_radial : 0;
    const bool over_it = is_cone ? along >= 0 && along <= slant : frame.axial >= from && frame.axial <= to;
    if (over_it) {
        const double outside = radial * along_axial - axial * along_radial;
        return from_plane(position, side * outside, normal);
    }
    const double foot_axial = !is_cone ? start_axial : along < 0 ? from : to;
    const double foot_radial = is_cone && along > slant ? shape.end_radius : shape.radius;
    return from_foot(position, shape.point + shape.axis * foot_axial + frame.outward * foot_radial, normal);
}

[[maybe_unused]] bool makes_sense(const Shape& shape) {
    const auto& [u, v] = shape.half_edges;
    const double area = norm(u) * norm(v);
    switch (shape.kind) {
    case ShapeKind::plane:
        return is_unit(shape.axis);
    case ShapeKind::rectangle:
        return is_unit(shape.axis) && area > 0 && std::fabs(dot(u, v)) < 1e-9 * area &&
               std::fabs(dot(u, shape.axis)) < 1e-9 * norm(u) &&
               std::fabs(dot(v, shape.axis)) < 1e-9 * norm(v);
    case ShapeKind::disc:
        return is_unit(shape.axis) && shape.radius > 0;
    case ShapeKind::cylinder:
        return is_unit(shape.axis) && shape.radius > 0 && shape.axial[0] < shape.axial[1];
    case ShapeKind::cone:
        return is_unit(shape.axis) && shape.radius >= 0 && shape.end_radius >= 0 &&
               shape.axial[0] < shape.axial[1] && std::isfinite(shape.axial[1] - shape.axial[0]);
    case ShapeKind::sphere:
        return shape.radius > 0;
    }
    return false;
}

} // namespace

ShapeTouch Shape::touch(const Vec3& position) const {
    assert(makes_sense(*this));
    switch (kind) {
    case ShapeKind::plane:
        return from_plane(position, dot(axis, position - point), axis);
    case ShapeKind::rectangle:
        return touch_rectangle(*this, position);
    case ShapeKind::disc:
        return touch_disc(*this, position);
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        return touch_turned_line(*this, position);
    case ShapeKind::sphere:
        break;
    }
    return touch_sphere(*this, position);
}

namespace {

/// The coordinate of a point of the axis, which may be infinitely far away.
double on_axis(const Shape& shape, double position, int axis) {
    return shape.axis[axis] == 0 ? shape.point[axis] : shape.point[axis] + position * shape.axis[axis];
}

/// How far a circle around the axis reaches to either side of its centre.
Vec3 reach_of_circle(const Vec3& axis, double radius) {
    const auto across = [&](double a) { return radius * std::sqrt(std::max(0.0, 1 - a * a)); };
    return {across(axis.x), across(axis.y), across(axis.z)};
}

void include_circle(Bounds& bounds, const Shape& shape, double position, double radius) {
    const Vec3 centre{on_axis(shape, position, 0), on_axis(shape, position, 1), on_axis(shape, position, 2)};
    const Vec3 reach = reach_of_circle(shape.axis, radius);
    bounds.include(centre - reach);
    bounds.include(centre + reach);
}

} // namespace

Bounds Shape::bounds() const {
    Bounds bounds;
    switch (kind) {
    case ShapeKind::plane:
        for (int k = 0; k < 3; ++k) {
            const double reach = std::fabs(axis[k]) == 1 ? 0 : Bounds::infinity;
            bounds.lower[k] = point[k] - reach;
            bounds.upper[k] = point[k] + reach;
        }
        break;
    case ShapeKind::rectangle:
        for (const double u : {-1.0, 1.0})
            for (const double v : {-1.0, 1.0})
                bounds.include(point + half_edges[0] * u + half_edges[1] * v);
        break;
    case ShapeKind::disc:
        include_circle(bounds, *this, 0, radius);
        break;
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        include_circle(bounds, *this, axial[0], radius);
        include_circle(bounds, *this, axial[1], kind == ShapeKind::cone ? end_radius : radius);
        break;
    case ShapeKind::sphere:
        bounds.include(point - Vec3{radius, radius, radius});
        bounds.include(point + Vec3{radius, radius, radius});
        break;
    }
    return bounds;
}

} // namespace tamp
