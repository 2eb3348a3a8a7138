#include <algorithm>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

std::vector<std::string> names_of(const std::vector<Wall>& walls) {
    std::vector<std::string> names;
    names.reserve(walls.size());
    for (const Wall& wall : walls)
        names.push_back(wall.name);
    return names;
}

void report_unknown_wall(const Section& section, const std::string& name, const std::vector<Wall>& walls) {
    const std::vector<std::string> names = names_of(walls);
    std::string list;
    for (const std::string& known : names)
        list += fmt::format("{}'{}'", list.empty() ? "" : ", ", known);
    const std::string nearest = nearest_name(name, names);
    section.problem(
        "name", fmt::format("no wall is named '{}'; {}{}", name,
                            nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                            list.empty() ? "the case has none, add a [[wall]]" : "the walls are " + list));
}

/// Exactly one of the ways to move.
void check_motion(const Section& section) {
    std::string given;
    int count = 0;
    for (const char* motion : {"velocity", "force", "stress", "hold", "remove"})
        if (section.has(motion)) {
            given += fmt::format("{}'{}'", count == 0 ? "" : ", ", motion);
            ++count;
        }
    if (count == 0)
        section.problem("",
                        "gives no motion; add one of velocity, force, stress, hold = true or remove = true");
    if (count > 1)
        section.problem("", fmt::format("gives several motions, {}; keep one", given));
    for (const char* motion : {"hold", "remove"})
        if (section.boolean(motion) == false)
            section.problem(
                motion,
                fmt::format("only '{} = true' has a meaning; remove it or give another motion", motion));
    if (section.has("mass") && !section.has("force") && !section.has("stress"))
        section.problem("mass", "goes with force or stress only; remove it");
}

/// `wall` is as the stages before have left it, and is changed by this command.
WallCommand read_command(const Section& section, Wall& wall) {
    WallCommand command;
    command.wall = wall.name;
    if (wall.motion == WallMotion::removed)
        section.problem("name",
                        fmt::format("'{}' was removed by an earlier stage and cannot come back; drop this "
                                    "entry, or move the wall away there instead of removing it",
                                    wall.name));
    assign(wall.mass, section.number("mass"));
    command.mass = wall.mass;
    const bool pushed = section.has("force") || section.has("stress");
    if (pushed) {
        command.motion = WallMotion::piston;
        assign(command.force, section.number("force"));
        if (const std::optional<double> stress = section.number("stress"))
            command.force = *stress * wall.area;
        if (section.has("stress") && wall.area == 0)
            section.problem(
                "stress", fmt::format("needs the area of '{}', which is not along an axis; add 'area' to its "
                                      "[[wall]], or give 'force'",
                                      wall.name));
        if (wall.mass == 0 && !section.has("mass"))
            section.problem(section.has("force") ? "force" : "stress",
                            fmt::format("'{}' has no mass yet; add 'mass'", wall.name));
    } else if (section.has("velocity")) {
        command.motion = WallMotion::driven;
        assign(command.velocity, section.vector("velocity"));
    } else if (section.has("remove")) {
        command.motion = WallMotion::removed;
        wall.motion = WallMotion::removed;
    }
    return command;
}

void read_commands(const Section& section, const std::optional<Box>& box, std::vector<Wall>& walls,
                   Stage& stage) {
    const std::vector<Section> entries = section.entries("wall");
    check_names(entries);
    for (const Section& entry : entries) {
        check_motion(entry);
        const std::optional<std::string> name = entry.string("name");
        if (!name)
            continue;
        const auto wall = std::ranges::find(walls, *name, &Wall::name);
        if (wall != walls.end())
            stage.walls.push_back(read_command(entry, *wall));
        else if (box || !is_automatic_name(*name)) // without a box its walls are not known
            report_unknown_wall(entry, *name, walls);
    }
}

} // namespace

std::vector<Stage> read_stages(const Section& top, const std::optional<Box>& box,
                               const std::vector<Wall>& walls) {
    const std::vector<Section> sections = top.entries("stage");
    check_names(sections);
    std::vector<Wall> current = walls;
    std::vector<Stage> stages;
    for (const Section& section : sections) {
        Stage& stage = stages.emplace_back();
        assign(stage.name, section.string("name"));
        stage.duration = section.number("duration");
        stage.steps = section.integer("steps");
        stage.until_balance = section.number("until_balance");
        stage.until_speed = section.number("until_speed");
        stage.until_fraction = section.number("until_fraction");
        if (!section.has("duration") && !section.has("steps"))
            section.problem("", "may never end; add 'duration' or 'steps', also beside until_balance, "
                                "until_speed and until_fraction");
        read_commands(section, box, current, stage);
    }
    return stages;
}

} // namespace tamp
