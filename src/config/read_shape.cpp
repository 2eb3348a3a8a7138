#include "tamp/config/read_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tamp {
namespace {

constexpr double angle_tolerance = 1e-9;

ShapeKind kind_of(const std::string& name) {
    constexpr std::pair<const char*, ShapeKind> kinds[] = {{"rectangle", ShapeKind::rectangle},
                                                           {"disc", ShapeKind::disc},
                                                           {"cylinder", ShapeKind::cylinder},
                                                           {"cone", ShapeKind::cone},
                                                           {"sphere", ShapeKind::sphere}};
    for (const auto& [word, kind] : kinds)
        if (name == word)
            return kind;
    return ShapeKind::plane;
}

ShapeSide side_of(const std::string& name) {
    return name == "outside" ? ShapeSide::outside : name == "both" ? ShapeSide::both : ShapeSide::inside;
}

/// Reports a direction without a length.
std::optional<Vec3> unit_vector(const Section& section, const char* key, const char* meaning) {
    const std::optional<Vec3> vector = section.vector(key);
    if (!vector)
        return {};
    const double length = norm(*vector);
    if (length > 0)
        return Vec3{vector->x / length, vector->y / length, vector->z / length};
    section.problem(key, fmt::format("is zero; give {}", meaning));
    return {};
}

bool read_axis(const Section& section, int dimension, Wall& wall) {
    if (dimension == 2) { // the only one in the plane of the discs
        if (section.has("axis"))
            section.problem("axis", "is always z in two dimensions; leave it out");
        wall.normal = {0, 0, 1};
        return true;
    }
    const std::optional<Vec3> axis = unit_vector(section, "axis", "the direction of the axis");
    if (!axis && !section.has("axis"))
        section.problem("axis", "missing; add 'axis = ...', the direction of the axis");
    wall.normal = axis.value_or(wall.normal);
    return axis.has_value();
}

bool read_edges(const Section& section, int dimension, Wall& wall) {
    const std::optional<Vec3> edge = section.vector("edge");
    std::optional<Vec3> other = section.vector("other_edge");
    if (dimension == 2) {
        if (section.has("other_edge"))
            section.problem("other_edge", "has no meaning in two dimensions, where a rectangle is a line; "
                                          "leave it out");
        other = Vec3{0, 0, 1};
    } else if (!section.has("other_edge")) {
        section.problem("other_edge", "missing; add 'other_edge = ...', perpendicular to edge");
    }
    if (!edge || !other)
        return false;
    const Vec3 across = cross(*edge, *other);
    const double area = norm(across), most = norm(*edge) * norm(*other);
    if (most == 0) {
        section.problem(norm(*edge) == 0 ? "edge" : "other_edge", "is zero; give the edge of the rectangle");
        return false;
    }
    if (std::abs(dot(*edge, *other)) > angle_tolerance * most) {
        section.problem("other_edge", "is not perpendicular to edge; correct one of them");
        return false;
    }
    // Exactly perpendicular, and the normal to both.
    wall.normal = across * (1 / area);
    const Vec3 second = *other - *edge * (dot(*edge, *other) / dot(*edge, *edge));
    wall.shape.half_edges = {*edge * 0.5, second * 0.5};
    return true;
}

/// Two numbers that grow; not if they were not written.
std::optional<std::array<double, 2>> two_numbers(const Section& section, const char* key, bool grow,
                                                 const char* meaning) {
    const std::optional<std::vector<double>> values = section.numbers(key);
    if (!values)
        return {};
    if (values->size() == 2 && (!grow || (*values)[0] < (*values)[1]))
        return std::array{(*values)[0], (*values)[1]};
    section.problem(key,
                    fmt::format("give two numbers{}: {}", grow ? ", the smaller one first" : "", meaning));
    return {};
}

bool read_cone(const Section& section, int dimension, Wall& wall) {
    if (dimension == 2) {
        section.problem("shape",
                        "a cone has no meaning in two dimensions; make a hopper of rectangles or planes");
        return false;
    }
    const auto radii = two_numbers(section, "radii", false, "the radii where the cone begins and ends");
    const auto ends =
        two_numbers(section, "ends", true, "where the cone begins and ends along its axis, from its point");
    if (!section.has("ends"))
        section.problem("ends",
                        "missing; add 'ends = [.., ..]', where the cone begins and ends along its axis, "
                        "from its point");
    if (!radii || !ends)
        return false;
    if ((*radii)[0] + (*radii)[1] == 0) {
        section.problem("radii", "are both zero; give at least one that is not");
        return false;
    }
    wall.shape.radius = (*radii)[0], wall.shape.end_radius = (*radii)[1];
    wall.shape.axial = *ends;
    return true;
}

bool read_form(const Section& section, int dimension, Wall& wall) {
    Shape& shape = wall.shape;
    switch (shape.kind) {
    case ShapeKind::plane:
    case ShapeKind::disc: {
        if (const auto normal =
                unit_vector(section, "normal", "the direction from the wall towards the particles"))
            wall.normal = *normal;
        else
            return false;
        break;
    }
    case ShapeKind::rectangle:
        return read_edges(section, dimension, wall);
    case ShapeKind::cylinder: {
        bool good = read_axis(section, dimension, wall);
        if (const auto ends = two_numbers(
                section, "ends", true, "where the cylinder begins and ends along its axis, from its point"))
            shape.axial = *ends;
        else if (section.has("ends"))
            good = false;
        if (dimension == 2 && section.has("ends"))
            section.problem("ends",
                            "has no meaning in two dimensions, where a cylinder is a circle; leave it out");
        return good;
    }
    case ShapeKind::cone:
        return read_axis(section, dimension, wall) && read_cone(section, dimension, wall);
    case ShapeKind::sphere:
        if (dimension == 2) {
            section.problem("shape",
                            "a sphere has no meaning in two dimensions; a cylinder is a circle there");
            return false;
        }
        if (section.has("axis"))
            return read_axis(section, dimension, wall);
        break;
    }
    return true;
}

bool is_whole(const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::plane:
        return true;
    case ShapeKind::rectangle:
        return norm(shape.half_edges[0]) > 0;
    case ShapeKind::cone:
        return std::isfinite(shape.axial[0]);
    case ShapeKind::disc:
    case ShapeKind::cylinder:
    case ShapeKind::sphere:
        break;
    }
    return shape.radius > 0;
}

/// Of the part of its surface that grains roll on, the smallest radius of curvature.
double narrowest(const Shape& shape) {
    if (shape.kind != ShapeKind::cone)
        return shape.radius;
    const double least = std::min(shape.radius, shape.end_radius);
    return least > 0 ? least : std::max(shape.radius, shape.end_radius); // closed at its tip
}

} // namespace

bool read_shape(const Section& section, int dimension, Wall& wall) {
    wall.shape.kind = kind_of(section.string("shape").value_or("plane"));
    // What has ends may have grains around it: one that gets behind it would count as deep inside the wall.
    const bool has_ends = wall.shape.kind == ShapeKind::cone || section.has("ends");
    wall.shape.side = side_of(section.string("side").value_or(has_ends ? "both" : "inside"));
    const std::optional<Vec3> point = section.vector("point");
    assign(wall.point, point);
    const std::optional<double> radius = section.number("radius");
    const bool has_radius = wall.shape.kind == ShapeKind::disc || wall.shape.kind == ShapeKind::cylinder ||
                            wall.shape.kind == ShapeKind::sphere;
    if (has_radius)
        assign(wall.shape.radius, radius);
    const bool formed = read_form(section, dimension, wall);
    return formed && point && (!has_radius || radius);
}

void check_shape(const Section& section, const Wall& wall, const Box& box, const SizeRange& sizes) {
    if (!is_whole(wall.shape))
        return; // which has been reported
    const Bounds bounds = wall.shape.bounds(wall.place());
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (bounds.lower[axis] > box.upper[axis] || bounds.upper[axis] < box.lower[axis]) {
            section.problem(
                "point", fmt::format("the wall lies outside the domain along {}; move it in", "xyz"[axis]));
            return;
        }
        // Only what goes on for ever along a periodic direction is the same for all images.
        const bool endless = std::isinf(bounds.lower[axis]) && std::isinf(bounds.upper[axis]) &&
                             std::abs(wall.normal[axis]) > 1 - angle_tolerance;
        if (box.periodic(axis) && !endless &&
            (bounds.lower[axis] < box.lower[axis] + sizes.largest ||
             bounds.upper[axis] > box.upper[axis] - sizes.largest)) {
            section.problem(
                "point", fmt::format("the wall reaches closer than a grain to a face of the domain along {}, "
                                     "which is periodic, and grains would not touch its image; move it in, "
                                     "leave out its ends, or make the boundary along {} \"open\"",
                                     "xyz"[axis], "xyz"[axis]));
            return;
        }
    }
    const bool curved = !wall.is_flat();
    const double least = narrowest(wall.shape);
    const char* key = wall.shape.kind == ShapeKind::cone ? "radii" : "radius";
    if (curved && wall.shape.side != ShapeSide::outside && 2 * least < sizes.largest)
        section.problem(
            key, fmt::format("the wall is {:.6g} wide inside, less than the largest diameter, {:.6g}, which "
                             "cannot pass; make it wider{}",
                             2 * least, sizes.largest,
                             wall.shape.kind == ShapeKind::cone ? ", or zero for a closed tip" : ""));
}

} // namespace tamp
