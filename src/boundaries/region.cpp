#include "tamp/boundaries/region.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace tamp {
namespace {

constexpr double angle_tolerance = 1e-12;

bool is_parallel(const Vec3& a, const Vec3& b) { return std::abs(dot(a, b)) > 1 - angle_tolerance; }
bool is_perpendicular(const Vec3& a, const Vec3& b) { return std::abs(dot(a, b)) < angle_tolerance; }

bool is_along_an_axis(const Vec3& normal) {
    return std::abs(normal.x) > 1 - angle_tolerance || std::abs(normal.y) > 1 - angle_tolerance ||
           std::abs(normal.z) > 1 - angle_tolerance;
}

bool is_slanted(const Wall& wall) {
    return wall.motion != WallMotion::removed && !is_along_an_axis(wall.normal);
}

Plane plane_of(const Wall& wall) { return {wall.point, wall.normal}; }

/// In two dimensions a slab of height one: volumes are then areas, and areas lengths.
Region with_height(Region region) {
    if (region.dimension == 2) {
        region.lower.z = 0;
        region.upper.z = 1;
    }
    return region;
}

ConvexBody body_between(const Region& cuboid, std::span<const Wall> walls) {
    const Region solid = with_height(cuboid);
    ConvexBody body(solid.lower, solid.upper);
    for (const Wall& wall : walls)
        if (is_slanted(wall))
            body.clip(plane_of(wall));
    return body;
}

/// One of the planes that bound what is left of the box.
struct Bound {
    Plane plane;
    std::string name;
    int open_axis = -1; ///< a face of the box that lets particles out
};

std::vector<Wall> without(std::span<const Wall> walls, std::size_t wall) {
    std::vector<Wall> others(walls.begin(), walls.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(wall));
    return others;
}

/// The wall that makes a face of the region, if one does.
const Wall* wall_at(std::span<const Wall> walls, const Plane& face) {
    const auto found = std::ranges::find_if(walls, [&](const Wall& wall) {
        return wall.motion != WallMotion::removed && dot(wall.normal, face.normal) > 1 - angle_tolerance &&
               face.distance(wall.point) == 0;
    });
    return found == walls.end() ? nullptr : &*found;
}

std::string name_of(const Wall& wall) { return fmt::format("the wall '{}'", wall.name); }

/// The faces of the region and the slanted walls.
std::vector<Bound> bounds_of(const Box& box, const Region& region, std::span<const Wall> walls) {
    std::vector<Bound> bounds;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            Plane face{upper ? region.upper : region.lower, {0, 0, 0}};
            face.normal[axis] = upper ? -1 : 1;
            if (const Wall* wall = wall_at(walls, face))
                bounds.push_back({face, name_of(*wall)});
            else
                bounds.push_back({face,
                                  fmt::format("the face {}{} of the domain", "xyz"[axis], upper ? '+' : '-'),
                                  axis < box.dimension && !box.periodic(axis) ? axis : -1});
        }
    for (const Wall& wall : walls)
        if (is_slanted(wall))
            bounds.push_back({plane_of(wall), name_of(wall)});
    return bounds;
}

/// What the plane covers of the space that the bounds leave, but for those parallel to it.
Polygon section(const Plane& plane, const Region& region, std::span<const Bound> bounds, double tolerance) {
    const Vec3 middle = 0.5 * (region.lower + region.upper);
    const double reach = norm(region.upper - region.lower) + std::abs(plane.distance(middle));
    Polygon polygon = square_in(plane, middle, reach);
    for (const Bound& bound : bounds)
        if (!is_parallel(bound.plane.normal, plane.normal))
            polygon = clipped(polygon, bound.plane, tolerance);
    return polygon;
}

bool has_edge_on(const Polygon& polygon, const Plane& plane, double tolerance) {
    return std::ranges::count_if(polygon, [&](const Vec3& corner) {
               return std::abs(plane.distance(corner)) <= tolerance;
           }) >= 2;
}

/// What makes the section of the column in front of a wall narrower or wider further along it.
std::string what_tapers(const Plane& plane, const Region& region, std::span<const Bound> bounds,
                        double tolerance) {
    const Vec3 middle = 0.5 * (region.lower + region.upper);
    const double reach = 2 * (norm(region.upper - region.lower) + std::abs(plane.distance(middle)));
    const Vec3 far{reach, reach, reach};
    ConvexBody column(middle - far, middle + far);
    column.clip(plane);
    for (const Bound& bound : bounds) {
        const bool faces_it = dot(bound.plane.normal, plane.normal) < -1 + angle_tolerance;
        if (faces_it || is_perpendicular(bound.plane.normal, plane.normal))
            column.clip(bound.plane);
    }
    for (const Bound& bound : bounds)
        if (!is_parallel(bound.plane.normal, plane.normal) &&
            !is_perpendicular(bound.plane.normal, plane.normal) &&
            column.least_distance(bound.plane) < -tolerance)
            return bound.name + " is neither parallel nor perpendicular to it";
    return {};
}

} // namespace

double Region::volume() const {
    double result = 1;
    for (int axis = 0; axis < dimension; ++axis)
        result *= std::max(0.0, length(axis));
    return result;
}

Region region_of(const Box& box, std::span<const Wall> walls) {
    Region region{box.lower, box.upper, box.dimension};
    for (int axis = 0; axis < box.dimension; ++axis) {
        // The innermost walls; where there is none, the faces of the box.
        double lower = -HUGE_VAL, upper = HUGE_VAL;
        for (const Wall& wall : walls) {
            if (wall.motion == WallMotion::removed)
                continue;
            if (wall.normal[axis] > 1 - angle_tolerance)
                lower = std::max(lower, wall.point[axis]);
            if (wall.normal[axis] < -1 + angle_tolerance)
                upper = std::min(upper, wall.point[axis]);
        }
        if (lower > -HUGE_VAL)
            region.lower[axis] = lower;
        if (upper < HUGE_VAL)
            region.upper[axis] = upper;
    }
    return region;
}

double volume_between(const Region& cuboid, std::span<const Wall> walls) {
    return std::ranges::none_of(walls, is_slanted) ? cuboid.volume() : body_between(cuboid, walls).volume();
}

ConvexBody region_body(const Box& box, std::span<const Wall> walls) {
    return body_between(region_of(box, walls), walls);
}

double region_volume(const Box& box, std::span<const Wall> walls) {
    return volume_between(region_of(box, walls), walls);
}

CrossSection cross_section(const Box& box, std::span<const Wall> walls, std::size_t wall) {
    const std::vector<Wall> others = without(walls, wall);
    const Region region = with_height(region_of(box, others));
    const Plane plane = plane_of(walls[wall]);
    const double tolerance = 1e-9 * norm(region.upper - region.lower);
    const std::vector<Bound> bounds = bounds_of(box, region, others);
    const Polygon polygon = section(plane, region, bounds, 1e-4 * tolerance);

    CrossSection result;
    if (is_along_an_axis(plane.normal) && std::ranges::none_of(others, is_slanted)) {
        result.area = 1; // as a product, free of rounding in the polygon
        for (int axis = 0; axis < box.dimension; ++axis)
            if (std::abs(plane.normal[axis]) < 0.5)
                result.area *= std::max(0.0, region.length(axis));
    } else {
        result.area = area(polygon);
    }
    result.obstacle = what_tapers(plane, region, bounds, tolerance);
    for (const Bound& bound : bounds)
        if (result.obstacle.empty() && bound.open_axis >= 0 && has_edge_on(polygon, bound.plane, tolerance) &&
            !is_parallel(bound.plane.normal, plane.normal))
            result.obstacle = fmt::format("the domain is open along {} there", "xyz"[bound.open_axis]);
    return result;
}

double stress_area(const Box& box, std::span<const Wall> walls, std::size_t wall) {
    if (walls[wall].motion == WallMotion::removed)
        return 0;
    return walls[wall].area > 0 ? walls[wall].area : cross_section(box, walls, wall).area;
}

bool has_left(const Box& box, const Wall& wall) {
    if (wall.motion == WallMotion::removed)
        return false;
    double nearest = 0; // way from the wall to the corner that is nearest to it, if it is in front
    for (int axis = 0; axis < box.dimension; ++axis)
        nearest +=
            wall.normal[axis] * ((wall.normal[axis] > 0 ? box.lower : box.upper)[axis] - wall.point[axis]);
    return nearest > 0 && (wall.motion == WallMotion::piston || wall.motion == WallMotion::driven);
}

} // namespace tamp
