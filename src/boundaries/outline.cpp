#include "tamp/boundaries/outline.hpp"

#include <algorithm>

namespace tamp {
namespace {

/// The part of a convex polygon, or of a line of two points, with `limit` <= sign * x[axis].
std::vector<Vec3> clipped(const std::vector<Vec3>& polygon, int axis, double sign, double limit) {
    const auto inside = [&](const Vec3& point) { return sign * point[axis] - limit; };
    std::vector<Vec3> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if (inside(a) >= 0)
            kept.push_back(a);
        const bool closing = polygon.size() == 2 && i == 1; // a line has no edge back to its beginning
        if (!closing && ((inside(a) > 0 && inside(b) < 0) || (inside(a) < 0 && inside(b) > 0))) {
            Vec3 cut = a + (b - a) * (inside(a) / (inside(a) - inside(b)));
            cut[axis] = sign * limit;
            kept.push_back(cut);
        }
    }
    return kept;
}

bool on_a_face(const Box& box, const Wall& wall) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (std::fabs(wall.normal[axis]) == 1 &&
            (wall.point[axis] == box.lower[axis] || wall.point[axis] == box.upper[axis]))
            return true;
    return false;
}

std::vector<Vec3> wall_in_box(const Box& box, const Wall& wall) {
    const Vec3 centre = 0.5 * (box.lower + box.upper);
    const double size = norm(box.upper - box.lower);
    const Vec3 foot = centre - wall.normal * dot(wall.normal, centre - wall.point);
    const Vec3 other = std::fabs(wall.normal.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    Vec3 u = cross(wall.normal, other);
    u *= size / norm(u);
    const Vec3 v = cross(wall.normal, u);
    std::vector<Vec3> polygon =
        box.dimension == 3 ? std::vector<Vec3>{foot - u - v, foot + u - v, foot + u + v, foot - u + v}
                           : std::vector<Vec3>{foot - u, foot + u};
    for (int axis = 0; axis < box.dimension; ++axis) {
        polygon = clipped(polygon, axis, 1, box.lower[axis]);
        polygon = clipped(polygon, axis, -1, -box.upper[axis]);
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

} // namespace

std::vector<OutlineLine> outline(const Box& box, std::span<const Wall> walls) {
    std::vector<OutlineLine> lines;
    add_box(lines, box);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].motion == WallMotion::removed || on_a_face(box, walls[w]))
            continue;
        std::vector<Vec3> polygon = wall_in_box(box, walls[w]);
        if (polygon.size() < 2)
            continue;
        if (box.dimension == 3)
            polygon.push_back(polygon.front());
        lines.push_back({std::move(polygon), static_cast<int>(w)});
    }
    return lines;
}

} // namespace tamp
