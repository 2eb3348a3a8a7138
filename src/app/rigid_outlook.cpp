#include "tamp/app/rigid_outlook.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tamp/laws/rigid/law_use.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/solver/momentum.hpp"
#include "tamp/solver/step_rule.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp {
namespace {

/// The axis along which gravity or, without it, the first wall with a load presses.
int axis_of_load(const Case& settings) {
    Vec3 direction = settings.gravity;
    for (const Wall& wall : settings.walls)
        if (norm(direction) == 0 && wall.motion == WallMotion::piston)
            direction = wall.normal;
    for (const Stage& stage : settings.stages)
        for (const WallCommand& command : stage.walls)
            for (const Wall& wall : settings.walls)
                if (norm(direction) == 0 && command.motion == WallMotion::piston && wall.name == command.wall)
                    direction = wall.normal;
    int along = 0;
    for (int axis = 1; axis < settings.box.dimension; ++axis)
        if (std::abs(direction[axis]) > std::abs(direction[along]))
            along = axis;
    return along;
}

/// The largest push of pistons, over the cross-section of the box.
double push_of_pistons(const Case& settings, double area) {
    double pressure = 0;
    for (const Wall& wall : settings.walls)
        if (wall.motion == WallMotion::piston)
            pressure = std::max({pressure, std::abs(wall.stress), std::abs(wall.force) / area});
    for (const Stage& stage : settings.stages)
        for (const WallCommand& command : stage.walls)
            if (command.motion == WallMotion::piston)
                pressure = std::max({pressure, command.largest_stress(), command.largest_force() / area});
    return pressure;
}

/// Of each piston, as the stage that frees it has it, kg.
std::map<std::string, double> piston_masses(const Case& settings) {
    std::map<std::string, double> masses;
    for (const Wall& wall : settings.walls)
        if (wall.motion == WallMotion::piston)
            masses[wall.name] = wall.mass;
    for (const Stage& stage : settings.stages)
        for (const WallCommand& command : stage.walls)
            if (command.motion == WallMotion::piston && command.mass > 0)
                masses[command.wall] = command.mass;
    return masses;
}

/// Of a grain that moves.
double mean_mass(std::span<const Grain> grains, const Case& settings) {
    double mass = 0, count = 0;
    for (const Grain& grain : grains)
        if (const Material& material = settings.materials[static_cast<int>(grain.material)]; !material.fixed)
            mass += grain_mass(material.density, grain.radius, settings.box.dimension), ++count;
    return count > 0 ? mass / count : 0;
}

std::string solver_text(const Case& settings, const StepRule& rule, double pressure) {
    const SolverSettings& solver = settings.solver;
    std::string text = fmt::format("solver: {}, tolerance {:g}, force tolerance {:g}, at most {} sweeps",
                                   method_name(chosen_method(solver)), solver.tolerance,
                                   solver.force_tolerance, solver.max_sweeps);
    if (settings.time.step > 0)
        return text + fmt::format(" in steps of {:.3g} s, as the case says", settings.time.step);
    const bool follows = chosen_method(solver) != SweepMethod::plain && solver.substeps == 0;
    const rigid::LawUse laws = rigid::laws_used(settings.materials, settings.box.dimension);
    if (follows && rule.is_deep())
        return text +
               fmt::format(
                   "; more than 30 layers, hence short steps of at most {:.2g} s{}, and {} sweeps each "
                   "at most",
                   std::min(settings.time.max_step > 0 ? settings.time.max_step : HUGE_VAL,
                            rule.longest_step(pressure)),
                   laws.gaps_suffice() ? ", two at most for one contact geometry" : "", rule.sweeps());
    return text + fmt::format(" in steps of at most {:.3g} s",
                              rule.longest_step(settings.time, chosen_method(solver)));
}

} // namespace

double longest_rigid_step(const Case& settings, std::span<const Grain> grains) {
    const StepRule rule({.dimension = settings.box.dimension,
                         .diameter = start_sizes(grains, settings.box.dimension).mean,
                         .acceleration = norm(settings.gravity)});
    return rule.longest_step(settings.time, chosen_method(settings.solver));
}

std::vector<std::string> rigid_outlook(const Case& settings, std::span<const Grain> grains) {
    const StartSizes sizes = start_sizes(grains, settings.box.dimension);
    const int axis = axis_of_load(settings);
    const double area = settings.box.volume() / settings.box.length(axis);
    const double mass = mean_mass(grains, settings);
    const double gravity = norm(settings.gravity);
    const double count = static_cast<double>(sizes.count);
    const double pressure = count * mass * gravity / area + push_of_pistons(settings, area);
    if (settings.engine != EngineKind::rigid || mass == 0 || pressure == 0)
        return {};
    const StepRule rule({.dimension = settings.box.dimension,
                         .mass = mass,
                         .diameter = sizes.mean,
                         .acceleration = gravity,
                         .load_mass = mass * count / area});
    std::vector<std::string> lines;
    lines.push_back(fmt::format(
        "load: up to {:.3g} {} on {:.0f} layers of grains; inertial time sqrt(m/(P d)) {:.2g} s{}", pressure,
        settings.box.dimension == 3 ? "Pa" : "N/m", std::ceil(rule.layers()), rule.inertial_time(pressure),
        gravity > 0 ? fmt::format(", sqrt(d/g) {:.2g} s", std::sqrt(sizes.mean / gravity)) : ""));
    for (const auto& [name, weight] : piston_masses(settings))
        lines.push_back(fmt::format("wall '{}' is as heavy as {:.2g} layers of grains", name,
                                    weight / (mass * count / rule.layers())));
    lines.push_back(solver_text(settings, rule, pressure));
    return lines;
}

} // namespace tamp
