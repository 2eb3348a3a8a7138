#include "tamp/boundaries/outline.hpp"

#include <cmath>

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

} // namespace

std::vector<OutlineLine> outline(const Box& box, std::span<const Wall> walls) {
    std::vector<OutlineLine> lines;
    add_box(lines, box);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].motion == WallMotion::removed || on_a_face(box, walls[w]))
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
