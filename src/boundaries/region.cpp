#include "tamp/boundaries/region.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

bool bounds_as_plane(const Wall& wall) { return wall.motion != WallMotion::removed && wall.is_plane(); }

bool is_slanted(const Wall& wall) { return bounds_as_plane(wall) && !is_along_an_axis(wall.normal); }

Plane plane_of(const Wall& wall) { return {wall.point, wall.normal}; }

/// A tube that grains are in.
bool is_tube(const Wall& wall) {
    return wall.motion != WallMotion::removed && wall.shape.kind == ShapeKind::cylinder &&
           wall.shape.side == ShapeSide::inside;
}

/// A prism that has the section of the tube, exactly.
std::vector<Plane> facets(const Wall& tube) {
    constexpr int count = 96;
    const double angle = 2 * std::numbers::pi / count;
    // The polygon around a circle of radius a has the area count a^2 tan(angle/2).
    const double distance = tube.shape.radius * std::sqrt(std::numbers::pi / (count * std::tan(0.5 * angle)));
    const Vec3& axis = tube.normal;
    Vec3 u = cross(axis, std::abs(axis.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0});
    u *= 1 / norm(u);
    const Vec3 v = cross(axis, u);
    std::vector<Plane> planes;
    for (int k = 0; k < count; ++k) {
        const Vec3 outward = std::cos(k * angle) * u + std::sin(k * angle) * v;
        planes.push_back({tube.point + distance * outward, -outward});
    }
    return planes;
}

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
        else if (is_tube(wall))
            for (const Plane& facet : facets(wall))
                body.clip(facet);
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
        return bounds_as_plane(wall) && dot(wall.normal, face.normal) > 1 - angle_tolerance &&
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
        else if (is_tube(wall))
            for (const Plane& facet : facets(wall))
                bounds.push_back({facet, name_of(wall)});
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

/// Of a flat shape that moves along its normal; the shadow that a cone or a sphere throws along its axis.
CrossSection area_of(const Shape& shape, int dimension) {
    const double most = std::max(shape.radius, shape.end_radius);
    switch (shape.kind) {
    case ShapeKind::rectangle:
        return {(dimension == 3 ? 4 * norm(shape.half_edges[1]) : 2.0) * norm(shape.half_edges[0]), {}};
    case ShapeKind::disc:
    case ShapeKind::sphere:
    case ShapeKind::cone:
        return {dimension == 3 ? std::numbers::pi * most * most : 2 * most, {}};
    case ShapeKind::plane:
    case ShapeKind::cylinder:
        break;
    }
    return {0, "a cylinder has no area along its axis"};
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
            if (!bounds_as_plane(wall))
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
    const bool cut = std::ranges::any_of(walls, is_slanted) || std::ranges::any_of(walls, is_tube);
    return cut ? body_between(cuboid, walls).volume() : cuboid.volume();
}

ConvexBody region_body(const Box& box, std::span<const Wall> walls) {
    return body_between(region_of(box, walls), walls);
}

double region_volume(const Box& box, std::span<const Wall> walls) {
    return volume_between(region_of(box, walls), walls);
}

bool has_room(const Box& box, std::span<const Wall> walls) {
    const Region region = region_of(box, walls);
    if (region.volume() == 0 || std::ranges::none_of(walls, is_slanted))
        return region.volume() > 0; // tubes do not pass each other
    return volume_between(region, walls) > 0;
}

CrossSection cross_section(const Box& box, std::span<const Wall> walls, std::size_t wall) {
    if (const Shape& shape = walls[wall].shape; !walls[wall].is_plane())
        return area_of(shape, box.dimension);
    const std::vector<Wall> others = without(walls, wall);
    const Region region = with_height(region_of(box, others));
    const Plane plane = plane_of(walls[wall]);
    const double tolerance = 1e-9 * norm(region.upper - region.lower);
    const std::vector<Bound> bounds = bounds_of(box, region, others);
    const Polygon polygon = section(plane, region, bounds, 1e-4 * tolerance);

    CrossSection result;
    if (is_along_an_axis(plane.normal) && std::ranges::none_of(others, is_slanted) &&
        std::ranges::none_of(others, is_tube)) {
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
    if (walls[wall].area > 0)
        return walls[wall].area;
    const bool curved = !walls[wall].is_flat() && walls[wall].motion != WallMotion::piston;
    return curved ? 0.0 : cross_section(box, walls, wall).area;
}

bool has_left(const Box& box, const Wall& wall) {
    if (!bounds_as_plane(wall))
        return false;
    double nearest = 0; // way from the wall to the corner that is nearest to it, if it is in front
    for (int axis = 0; axis < box.dimension; ++axis)
        nearest +=
            wall.normal[axis] * ((wall.normal[axis] > 0 ? box.lower : box.upper)[axis] - wall.point[axis]);
    return nearest > 0 && (wall.motion == WallMotion::piston || wall.motion == WallMotion::driven);
}

} // namespace tamp
