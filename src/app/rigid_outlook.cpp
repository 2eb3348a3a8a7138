#include "tamp/app/rigid_outlook.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tamp/app/soft_check.hpp"
#include "tamp/solver/momentum.hpp"
#include "tamp/solver/step_rule.hpp"

namespace tamp {
namespace {

/// The axis along which gravity or, without it, the first wall with a load presses.
int axis_of_load(const Case& settings) {
    Vec3 direction = settings.gravity;
    for (const Wall& wall : settings.walls)
        if (norm(direction) == 0)
            direction = wall.normal;
    int along = 0;
    for (int axis = 1; axis < settings.box.dimension; ++axis)
        if (std::abs(direction[axis]) > std::abs(direction[along]))
            along = axis;
    return along;
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

std::string solver_text(const Case& settings, const StepRule& rule, double pressure) {
    const SolverSettings& solver = settings.solver;
    std::string text = fmt::format("solver: {}, tolerance {:g}, force tolerance {:g}, at most {} sweeps",
                                   method_name(chosen_method(solver)), solver.tolerance,
                                   solver.force_tolerance, solver.max_sweeps);
    if (settings.time.step > 0)
        return text + fmt::format(" in steps of {:.3g} s, as the case says", settings.time.step);
    const bool follows = chosen_method(solver) != SweepMethod::plain && solver.substeps == 0;
    if (follows && rule.is_deep())
        return text + fmt::format(
                          "; more than 30 layers, hence short steps of at most {:.2g} s, two at most for one "
                          "contact geometry, and {} sweeps each at most",
                          std::min(settings.time.max_step, rule.longest_step(pressure)), rule.sweeps());
    return text + fmt::format(" in steps of at most {:.3g} s", settings.time.max_step);
}

} // namespace

std::vector<std::string> rigid_outlook(const Case& settings, const StartSizes& sizes) {
    const double pressure = expected_pressure(settings, sizes);
    if (settings.engine != EngineKind::rigid || sizes.count == 0 || pressure == 0)
        return {};
    const int axis = axis_of_load(settings);
    const double area = settings.box.volume() / settings.box.length(axis);
    const double mass = settings.materials[0].density * sizes.mean_volume;
    const double gravity = norm(settings.gravity);
    const StepRule rule({.dimension = settings.box.dimension,
                         .mass = mass,
                         .diameter = sizes.mean,
                         .acceleration = gravity,
                         .load_mass = mass * static_cast<double>(sizes.count) / area});
    std::vector<std::string> lines;
    lines.push_back(fmt::format(
        "load: up to {:.3g} {} on {:.0f} layers of grains; inertial time sqrt(m/(P d)) {:.2g} s{}", pressure,
        settings.box.dimension == 3 ? "Pa" : "N/m", std::ceil(rule.layers()), rule.inertial_time(pressure),
        gravity > 0 ? fmt::format(", sqrt(d/g) {:.2g} s", std::sqrt(sizes.mean / gravity)) : ""));
    for (const auto& [name, weight] : piston_masses(settings))
        lines.push_back(fmt::format("wall '{}' is as heavy as {:.2g} layers of grains", name,
                                    weight / (mass * static_cast<double>(sizes.count) / rule.layers())));
    lines.push_back(solver_text(settings, rule, pressure));
    return lines;
}

} // namespace tamp
