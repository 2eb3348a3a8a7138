#include "tamp/boundaries/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tamp/geometry/convex.hpp"

namespace tamp {
namespace {

bool on_a_face(const Box& box, const Wall& wall) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (std::fabs(wall.normal[axis]) == 1 &&
            (wall.point[axis] == box.lower[axis] || wall.point[axis] == box.upper[axis]))
            return true;
    return false;
}

Polygon wall_in_box(const Box& box, const Wall& wall) {
    const Plane plane{wall.point, wall.normal};
    Polygon polygon = square_in(plane, 0.5 * (box.lower + box.upper), norm(box.upper - box.lower));
    if (box.dimension == 2) // its middle line: the square stands on the plane of the discs
        polygon = {0.5 * (polygon[0] + polygon[3]), 0.5 * (polygon[1] + polygon[2])};
    for (int axis = 0; axis < box.dimension; ++axis)
        for (const bool upper : {false, true}) {
            Plane face{upper ? box.upper : box.lower, {0, 0, 0}};
            face.normal[axis] = upper ? -1 : 1;
            polygon = clipped(polygon, face);
        }
    return polygon;
}

/// One for each pair of corners that differ along one axis.
void add_box(std::vector<OutlineLine>& lines, const Box& box) {
    const int corners = 1 << box.dimension;
    const auto corner = [&](int number) {
        Vec3 point = box.lower;
        for (int axis = 0; axis < box.dimension; ++axis)
            if (number >> axis & 1)
                point[axis] = box.upper[axis];
        return point;
    };
    for (int from = 0; from < corners; ++from)
        for (int axis = 0; axis < box.dimension; ++axis)
            if ((from >> axis & 1) == 0)
                lines.push_back({{corner(from), corner(from | 1 << axis)}});
}

/// Around an axis; closed.
Polygon circle(const ShapePlace& place, double axial, double radius) {
    constexpr int sides = 48;
    Vec3 u = cross(place.axis, std::fabs(place.axis.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0});
    u *= 1 / norm(u);
    const Vec3 v = cross(place.axis, u), centre = place.point + axial * place.axis;
    Polygon points;
    for (int k = 0; k <= sides; ++k) {
        const double angle = 2 * std::numbers::pi * (k % sides) / sides;
        points.push_back(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
    }
    return points;
}

/// Where the axis of an infinite cylinder enters and leaves the box.
std::array<double, 2> ends_in_box(const Box& box, const Wall& wall) {
    std::array<double, 2> ends = wall.shape.axial;
    for (int axis = 0; axis < box.dimension; ++axis) {
        const double along = wall.normal[axis];
        if (std::fabs(along) < 0.1)
            continue;
        const double a = (box.lower[axis] - wall.point[axis]) / along,
                     b = (box.upper[axis] - wall.point[axis]) / along;
        ends[0] = std::max(ends[0], std::min(a, b));
        ends[1] = std::min(ends[1], std::max(a, b));
    }
    return ends;
}

/// Two rims, and lines from one to the other.
void add_tube(std::vector<OutlineLine>& lines, const Box& box, const Wall& wall, int number) {
    const bool cone = wall.shape.kind == ShapeKind::cone;
    if (box.dimension == 2) {
        lines.push_back({circle(wall.place(), 0, wall.shape.radius), number});
        return;
    }
    const auto ends = cone ? wall.shape.axial : ends_in_box(box, wall);
    if (!(ends[0] < ends[1]) || std::isinf(ends[0]) || std::isinf(ends[1]))
        return;
    const Polygon first = circle(wall.place(), ends[0], wall.shape.radius),
                  last = circle(wall.place(), ends[1], cone ? wall.shape.end_radius : wall.shape.radius);
    lines.push_back({first, number});
    lines.push_back({last, number});
    for (std::size_t k = 0; k + 1 < first.size(); k += 6)
        lines.push_back({{first[k], last[k]}, number});
}

void add_shape(std::vector<OutlineLine>& lines, const Box& box, const Wall& wall, int number) {
    const auto& [u, v] = wall.shape.half_edges;
    const Vec3 &centre = wall.point, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    switch (wall.shape.kind) {
    case ShapeKind::plane:
        break;
    case ShapeKind::rectangle:
        if (box.dimension == 2)
            lines.push_back({{centre - u, centre + u}, number});
        else
            lines.push_back(
                {{centre - u - v, centre + u - v, centre + u + v, centre - u + v, centre - u - v}, number});
        break;
    case ShapeKind::disc:
        lines.push_back({circle(wall.place(), 0, wall.shape.radius), number});
        break;
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        add_tube(lines, box, wall, number);
        break;
    case ShapeKind::sphere:
        for (const Vec3& axis : {x, y, z})
            lines.push_back({circle({centre, axis}, 0, wall.shape.radius), number});
        break;
    }
}

} // namespace

std::vector<OutlineLine> outline(const Box& box, std::span<const Wall> walls) {
    std::vector<OutlineLine> lines;
    add_box(lines, box);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].motion == WallMotion::removed)
            continue;
        if (!walls[w].is_plane()) {
            add_shape(lines, box, walls[w], static_cast<int>(w));
            continue;
        }
        if (on_a_face(box, walls[w]))
            continue;
        Polygon polygon = wall_in_box(box, walls[w]);
        if (polygon.size() < 2)
            continue;
        if (box.dimension == 3)
            polygon.push_back(polygon.front());
        lines.push_back({std::move(polygon), static_cast<int>(w)});
    }
    return lines;
}

} // namespace tamp
