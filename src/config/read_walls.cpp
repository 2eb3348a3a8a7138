#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/boundaries/region.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

std::string automatic_name(int axis, bool upper) {
    return fmt::format("{}{}", "xyz"[axis], upper ? '+' : '-');
}

std::vector<Wall> box_walls(const Box& box, int material) {
    std::vector<Wall> walls;
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (box.boundary[static_cast<std::size_t>(axis)] != Boundary::wall)
            continue;
        for (const bool upper : {false, true}) {
            Wall wall;
            wall.name = automatic_name(axis, upper);
            wall.point = upper ? box.upper : box.lower;
            wall.normal = {0, 0, 0};
            wall.normal[axis] = upper ? -1 : 1;
            wall.material = material;
            walls.push_back(wall);
        }
    }
    return walls;
}

/// What is wrong along the periodic directions; the wall's images would cut the box into slices.
void check_periodic(const Section& section, const Box& box, const Vec3& normal) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.periodic(axis) && std::abs(normal[axis]) > 1e-12)
            section.problem("normal",
                            fmt::format("has a component along {0}, which is periodic; make it zero, or "
                                        "boundary along {0} \"open\" or \"wall\"",
                                        "xyz"[axis]));
}

void read_motion(const Section& section, Wall& wall) {
    const bool pushed = section.has("force") || section.has("stress");
    assign(wall.mass, section.number("mass"));
    assign(wall.damping, section.number("damping"));
    assign(wall.force, section.number("force"));
    assign(wall.velocity, section.vector("velocity"));
    wall.motion = pushed                    ? WallMotion::piston
                  : section.has("velocity") ? WallMotion::driven
                                            : WallMotion::fixed;
    if (section.has("force") && section.has("stress"))
        section.problem("stress", "says with 'force' twice what pushes the wall; keep one of the two");
    if (section.has("velocity") && pushed)
        section.problem("velocity",
                        "drives the wall, while force or stress let it move freely; keep one of the two");
    if (pushed && !section.has("mass"))
        section.problem(section.has("force") ? "force" : "stress",
                        "needs 'mass', how heavy the wall is; add it");
}

Wall read_wall(const Section& section, const std::optional<Box>& box, const MaterialTable& materials) {
    Wall wall;
    assign(wall.name, section.string("name"));
    if (is_automatic_name(wall.name))
        section.problem("name",
                        fmt::format("'{}' is the name of a wall of the domain; choose another", wall.name));
    assign(wall.point, section.vector("point"));
    if (const std::optional<Vec3> normal = section.vector("normal")) {
        const double length = norm(*normal);
        if (length > 0) {
            wall.normal = {normal->x / length, normal->y / length, normal->z / length};
            if (box)
                check_periodic(section, *box, wall.normal);
        } else {
            section.problem("normal", "is zero; give the direction from the wall towards the particles");
        }
    }
    wall.material = read_material(section, "material", materials);
    assign(wall.area, section.number("area"));
    read_motion(section, wall);
    return wall;
}

} // namespace

bool is_automatic_name(const std::string& name) {
    for (int axis = 0; axis < 3; ++axis)
        if (name == automatic_name(axis, false) || name == automatic_name(axis, true))
            return true;
    return false;
}

bool has_plane(const Section& section) {
    const std::optional<Vec3> normal = section.vector("normal");
    return section.vector("point") && normal && norm(*normal) > 0;
}

void report_unknown_area(const Section& section, const Wall& wall, const std::string& reason) {
    section.problem("stress",
                    fmt::format("the area of the wall '{}' is not known, since {}; {}", wall.name, reason,
                                is_automatic_name(wall.name)
                                    ? "give 'force' instead"
                                    : "add 'area' to its [[wall]], or give 'force' instead"));
}

std::optional<double> piston_area(const Section& section, const std::optional<Box>& box,
                                  const std::vector<Wall>& walls, std::size_t piston) {
    const Wall& wall = walls[piston];
    if (wall.area > 0)
        return wall.area;
    if (!box)
        return {}; // which is no mistake of this wall
    const CrossSection found = cross_section(*box, walls, piston);
    if (found.obstacle.empty() && found.area > 0)
        return found.area;
    report_unknown_area(section, wall,
                        found.obstacle.empty() ? "other walls leave no room for it" : found.obstacle);
    return {};
}

std::vector<Wall> read_walls(const Section& top, const std::optional<Box>& box,
                             const MaterialTable& materials) {
    const int box_material = read_material(top.inner("domain"), "wall_material", materials);
    std::vector<Wall> walls = box ? box_walls(*box, box_material) : std::vector<Wall>{};
    const std::vector<Section> sections = top.entries("wall");
    check_names(sections);
    for (const Section& section : sections)
        walls.push_back(read_wall(section, box, materials));
    const std::size_t first = walls.size() - sections.size();
    const bool all_planes = std::ranges::all_of(sections, has_plane); // else this is not the walls' mistake
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (const std::optional<double> stress = sections[i].number("stress");
            stress && all_planes && !(sections[i].has("area") && !sections[i].number("area"))) {
            walls[first + i].stress = *stress;
            walls[first + i].force = *stress * piston_area(sections[i], box, walls, first + i).value_or(0);
        }
    return walls;
}

} // namespace tamp
