#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/boundaries/region.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/config/read_shape.hpp"
#include "tamp/config/readers.hpp"
#include "tamp/protocol/wall_commands.hpp"

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
            // In the middle of the face, about its normal.
            wall.rotation.pivot = 0.5 * (box.lower + box.upper);
            wall.rotation.pivot[axis] = wall.point[axis];
            wall.rotation.axis = box.dimension == 3 ? wall.normal : Vec3{0, 0, 1};
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

void read_rotation(const Section& section, int dimension, Wall& wall) {
    WallRotation& rotation = wall.rotation;
    rotation.axis = dimension == 2 ? Vec3{0, 0, 1} : wall.normal;
    if (const std::optional<Vec3> axis = section.vector("rotation_axis")) {
        if (dimension == 2)
            section.problem("rotation_axis", "is always z in two dimensions; leave it out");
        else if (const double length = norm(*axis); length > 0)
            rotation.axis = *axis * (1 / length);
        else
            section.problem("rotation_axis", "is zero; give the direction of the axis");
    }
    rotation.pivot = section.vector("pivot").value_or(wall.point);
    assign(rotation.inertia, section.number("inertia"));
    if (section.has("moment") && !section.has("inertia"))
        section.problem("moment", "needs 'inertia', the wall's moment of inertia about its axis; add it");
}

void read_motion(const Section& section, Wall& wall) {
    const bool pushed = section.has("force") || section.has("stress");
    assign(wall.mass, section.number("mass"));
    assign(wall.damping, section.number("damping"));
    WallCommand command;
    assign(command.force, section.number("force"));
    assign(command.velocity, section.vector("velocity"));
    read_further_motion(section, command);
    const bool driven = section.has("velocity") || section.has("rotation_speed") || section.has("amplitude");
    command.motion = pushed                  ? WallMotion::piston
                     : section.has("moment") ? WallMotion::turning
                     : driven                ? WallMotion::driven
                                             : WallMotion::fixed;
    refuse_impossible(section, wall);
    const double mass = wall.mass;
    give_motion(command, 0, wall);
    wall.mass = mass;
    if (section.has("force") && section.has("stress"))
        section.problem("stress", "says with 'force' twice what pushes the wall; keep one of the two");
    if (section.has("velocity") && pushed)
        section.problem("velocity",
                        "drives the wall, while force or stress let it move freely; keep one of the two");
    if (pushed && !section.has("mass"))
        section.problem(section.has("force") ? "force" : "stress",
                        "needs 'mass', how heavy the wall is; add it");
}

Wall read_wall(const Section& section, int dimension, const std::optional<Box>& box,
               const MaterialTable& materials) {
    Wall wall;
    assign(wall.name, section.string("name"));
    if (is_automatic_name(wall.name))
        section.problem("name",
                        fmt::format("'{}' is the name of a wall of the domain; choose another", wall.name));
    if (read_shape(section, dimension, wall) && wall.is_plane() && box)
        check_periodic(section, *box, wall.normal);
    read_rotation(section, dimension, wall);
    if (box)
        check_periodic_motion(section, wall, *box);
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

bool stands(const Section& section) {
    const std::optional<Vec3> normal = section.vector("normal");
    const bool has_normal = normal && norm(*normal) > 0;
    return section.vector("point") && (section.string("shape").value_or("plane") != "plane" || has_normal);
}

void refuse_impossible(const Section& section, const Wall& wall) {
    const bool turned = section.has("rotation_speed") || section.has("moment");
    const bool circle = section.two_dimensional() && wall.shape.kind == ShapeKind::cylinder;
    for (const char* key : {"force", "stress"}) {
        if (section.has(key) && circle)
            section.problem(key,
                            "a circle cannot move along its axis in two dimensions; drive it by velocity");
        if (section.has(key) && turned && !turns_in_itself(wall))
            section.problem(key,
                            "moves the wall along its normal, which its rotation would turn; let it turn "
                            "about its normal, or keep one of the two");
    }
}

/// Images of what moves along a periodic direction, or turns out of it, would be other walls.
void check_periodic_motion(const Section& section, const Wall& wall, const Box& box) {
    const Bounds bounds = wall.shape.bounds(wall.place());
    for (int axis = 0; axis < box.dimension; ++axis) {
        if (!box.periodic(axis))
            continue;
        const bool endless = std::isinf(bounds.lower[axis]) && std::isinf(bounds.upper[axis]);
        for (const char* key : {"velocity", "amplitude"})
            if (const std::optional<Vec3> way = section.vector(key); !endless && way && (*way)[axis] != 0)
                section.problem(key,
                                fmt::format("moves the wall along {0}, which is periodic, and grains would "
                                            "not touch its image; make this component zero, or the "
                                            "boundary along {0} \"open\"",
                                            "xyz"[axis]));
        for (const char* key : {"rotation_speed", "moment"})
            if (section.has(key) && endless && std::abs(wall.rotation.axis[axis]) < 1 - 1e-12)
                section.problem(key,
                                fmt::format("turns the wall about another axis than {0}, along which it has "
                                            "no end and the domain is periodic; turn it about {0}, give it "
                                            "ends, or make the boundary along {0} \"open\"",
                                            "xyz"[axis]));
    }
}

void read_further_motion(const Section& section, WallCommand& command) {
    const bool pushed = section.has("force") || section.has("stress");
    assign(command.rotation_speed, section.number("rotation_speed"));
    assign(command.moment, section.number("moment"));
    assign(command.oscillation.amplitude, section.vector("amplitude"));
    assign(command.oscillation.frequency, section.number("frequency"));
    assign(command.oscillation.phase, section.number("phase"));
    assign(command.shear_velocity, section.vector("shear_velocity"));
    assign(command.speed_limit, section.number("speed_limit"));
    for (const char* key : {"shear_velocity", "speed_limit"})
        if (section.has(key) && !pushed)
            section.problem(key, "goes with force or stress only; remove it");
    for (const char* key : {"frequency", "phase"})
        if (section.has(key) && !section.has("amplitude"))
            section.problem(key, "belongs to an oscillation; add 'amplitude', or remove it");
    if (section.has("amplitude") && !section.has("frequency"))
        section.problem("amplitude", "needs 'frequency'; add it");
    if (section.has("amplitude") && pushed)
        section.problem("amplitude", "drives the wall, while force or stress let it move freely; keep one of "
                                     "the two");
    for (const char* key : {"velocity", "rotation_speed", "amplitude", "force", "stress"})
        if (section.has("moment") && section.has(key))
            section.problem(
                "moment", fmt::format("lets the wall turn freely at a fixed place; remove it or '{}'", key));
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
    const auto dimension = static_cast<int>(top.integer("dimension").value_or(3));
    const int box_material = read_material(top.inner("domain"), "wall_material", materials);
    std::vector<Wall> walls = box ? box_walls(*box, box_material) : std::vector<Wall>{};
    const std::vector<Section> sections = top.entries("wall");
    check_names(sections);
    for (const Section& section : sections)
        walls.push_back(read_wall(section, dimension, box, materials));
    const std::size_t first = walls.size() - sections.size();
    const bool all_stand = std::ranges::all_of(sections, stands); // else this is not the walls' mistake
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (const std::optional<double> stress = sections[i].number("stress");
            stress && all_stand && !(sections[i].has("area") && !sections[i].number("area"))) {
            walls[first + i].stress = *stress;
            walls[first + i].force = *stress * piston_area(sections[i], box, walls, first + i).value_or(0);
        }
    return walls;
}

} // namespace tamp
