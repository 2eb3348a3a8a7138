#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

void check_wall_material(const Section& top, const Box& box) {
    if (std::ranges::count(box.boundary, Boundary::wall) == 0)
        if (const Section domain = top.inner("domain"); domain.has("wall_material"))
            domain.warning("wall_material",
                           "has no effect, since domain.boundary makes no walls; remove it, or "
                           "give the material of a [[wall]] in that section");
}

void check_fixed_particles(const Section& top, const Case& settings) {
    const std::vector<Section> sections = top.entries("particles");
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const GeneratorSettings& generator = settings.generators[i];
        if (settings.materials.size() == 0 || !settings.materials[generator.material].fixed)
            continue;
        const auto report = [&](const char* key) {
            sections[i].problem(key, fmt::format("moves nothing: particles of '{}' never move, since the "
                                                 "material is fixed; remove it, or choose another material",
                                                 settings.materials[generator.material].name));
        };
        if (generator.velocity != Vec3{0, 0, 0})
            report("velocity");
        if (generator.speed > 0)
            report("speed");
    }
}

/// A wall may be pushed from the start or by a stage.
void check_wall_masses(const Section& top, const Case& settings) {
    const auto is_pushed = [&](const std::optional<std::string>& name) {
        return std::ranges::any_of(settings.stages, [&](const Stage& stage) {
            return std::ranges::any_of(stage.walls, [&](const WallCommand& command) {
                return command.wall == name && command.motion == WallMotion::piston;
            });
        });
    };
    for (const Section& wall : top.entries("wall"))
        if (wall.has("mass") && !wall.has("force") && !wall.has("stress") && !is_pushed(wall.string("name")))
            wall.warning("mass",
                         "has no effect, since nothing pushes this wall; add 'force' or 'stress' here or "
                         "in a stage, or remove it");
}

void check_laws(const Section& laws, int dimension) {
    for (const char* key : {"torsion_length", "torsion_ratio", "torsion_hertz"})
        if (dimension == 2 && laws.number(key) > 0.0)
            laws.problem(key, "has no meaning in two dimensions: discs do not twist; remove it, or set "
                              "dimension = 3");
    for (const char* force : {"cohesion_force", "cohesion_bond", "cohesion_per_radius"})
        for (const char* detail : {"cohesion_energy", "cohesion_range", "cohesion_impulse_time"})
            if (laws.number(force) == 0.0 && laws.has(detail))
                laws.warning(detail,
                             fmt::format("has no effect, since {} is 0: nothing sticks together; raise "
                                         "the one, or remove the other",
                                         force));
}

} // namespace

void check_effects(const Section& top, const Case& settings, const std::optional<Box>& box) {
    if (box)
        check_wall_material(top, *box);
    check_fixed_particles(top, settings);
    check_wall_masses(top, settings);
    for (const char* name : {"material", "pair"})
        for (const Section& laws : top.entries(name))
            check_laws(laws, box ? box->dimension : 0);
}

} // namespace tamp
