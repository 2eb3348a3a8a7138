#include "read_limits.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tamp/base/nearest_name.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {

void report_unknown_wall(const Section& section, const char* key, const std::string& name,
                         const std::vector<Wall>& walls) {
    std::vector<std::string> names;
    std::string list;
    for (const Wall& wall : walls) {
        names.push_back(wall.name);
        list += fmt::format("{}'{}'", list.empty() ? "" : ", ", wall.name);
    }
    const std::string nearest = nearest_name(name, names);
    section.problem(
        key, fmt::format("no wall is named '{}'; {}{}", name,
                         nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                         list.empty() ? "the case has none, add a [[wall]]" : "the walls are " + list));
}

namespace {

/// The wall of a limit; empty, and reported, if there is none.
std::string read_wall(const Section& section, const StageWalls& known) {
    const std::vector<Wall>& walls = known.walls;
    const std::optional<std::string> name = section.string("wall");
    if (!name)
        return {};
    const auto wall = std::ranges::find(walls, *name, &Wall::name);
    if (wall == walls.end()) {
        if (known.box_is_known || !is_automatic_name(*name))
            report_unknown_wall(section, "wall", *name, walls);
    } else if (wall->motion == WallMotion::removed)
        section.problem("wall",
                        fmt::format("'{}' is removed by this stage or before; name another wall", *name));
    return *name;
}

/// `above` and `below`, of which exactly one is given.
template <class Read>
Bound read_bound(const Section& section, Read read) {
    const bool above = section.has("above"), below = section.has("below");
    if (above == below)
        section.problem(above ? "below" : "",
                        above ? "the limit cannot lie above and below; keep one of the two"
                              : "does not say when the stage ends; add 'above' or 'below'");
    return {.above = read("above"), .below = read("below")};
}

std::optional<Bound> read_bound_of(const Section& stage, const char* key, bool whole) {
    if (!stage.has(key))
        return {};
    const Section section = stage.inner(key);
    return read_bound(section, [&](const char* name) -> std::optional<double> {
        if (!whole)
            return section.number(name);
        const std::optional<std::int64_t> number = section.integer(name);
        return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
    });
}

void read_strain(const Section& section, const StageWalls& walls, Stage& stage) {
    StrainLimit& limit = stage.until_strain.emplace();
    limit.wall = read_wall(section, walls);
    assign(limit.value, section.number("value"));
    if (section.number("value") == 0.0)
        section.problem("value", "0 is reached at once; give a share of the height, positive in compression");
}

void read_stress(const Section& section, const StageWalls& walls, Stage& stage) {
    StressLimit& limit = stage.until_stress.emplace();
    limit.wall = read_wall(section, walls);
    limit.bound = read_bound(section, [&](const char* key) { return section.number(key); });
    assign(limit.steps, section.integer("steps"));
}

} // namespace

void read_limits(const Section& section, bool soft, const StageWalls& walls, Stage& stage) {
    stage.duration = section.number("duration");
    stage.steps = section.integer("steps");
    stage.until_balance = section.number("until_balance");
    stage.until_speed = section.number("until_speed");
    stage.until_fraction = section.number("until_fraction");
    stage.until_energy_ratio = section.number("until_energy_ratio");
    stage.until_coordination = section.number("until_coordination");
    stage.until_kinetic_energy = section.number("until_kinetic_energy");
    stage.until_inertial_number = section.number("until_inertial_number");
    stage.until_count = read_bound_of(section, "until_count", true);
    stage.until_mass = read_bound_of(section, "until_mass", false);
    if (section.has("until_strain"))
        read_strain(section.inner("until_strain"), walls, stage);
    if (section.has("until_stress"))
        read_stress(section.inner("until_stress"), walls, stage);
    assign(stage.until_all, section.boolean("until_all"));
    if (stage.until_all && !stage.may_end_sooner())
        section.problem("until_all", "the stage has no condition that could hold; add one of the keys "
                                     "until_..., or remove it");
    if (!section.has("duration") && !section.has("steps"))
        section.problem("", "may never end; add 'duration' or 'steps', also beside until_balance, "
                            "until_speed and until_fraction");
    if (!soft && section.has("until_energy_ratio"))
        section.problem("until_energy_ratio",
                        "rigid grains have no elastic energy; set engine = \"soft\", or "
                        "give until_balance");
}

} // namespace tamp
