#include "tamp/app/soft_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/laws/soft/contact_modes.hpp"
#include "tamp/laws/soft/contact_scales.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/soft/time_scales.hpp"

namespace tamp {
namespace {

/// The overlap at which a contact of two mean particles bears this force.
double overlap_under(const soft::PairLaws& laws, double force, double radius) {
    double low = 0, high = 2 * radius;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        const double elastic = std::visit(
            [&](const auto& normal) {
                double largest = 0;
                return normal.force(soft::Touch<double>{middle, 0, 1, 0.5 * radius, radius}, largest).elastic;
            },
            laws.normal);
        (elastic < force ? low : high) = middle;
    }
    return high;
}

std::string restitution_text(const soft::PairLaws& laws, double mass) {
    if (const auto* linear = std::get_if<soft::Linear>(&laws.normal))
        return fmt::format(", restitution {:.3f}", soft::restitution(*linear, mass));
    if (const auto* hertz = std::get_if<soft::Hertz>(&laws.normal); hertz && hertz->damping == 0)
        return fmt::format(", restitution {:.3f}", soft::hertz_restitution(hertz->damping_ratio));
    return ", restitution depends on the speed";
}

} // namespace

double expected_pressure(const Case& settings, const StartSizes& sizes) {
    double pressure = 0;
    for (const Wall& wall : settings.walls)
        pressure = std::max(pressure, std::abs(wall.stress));
    for (const Stage& stage : settings.stages)
        for (const WallCommand& command : stage.walls)
            pressure = std::max(pressure, command.largest_stress());
    double density = 0;
    for (int i = 0; i < settings.materials.size(); ++i)
        density = std::max(density, settings.materials[i].density);
    const double weight =
        density * sizes.mean_volume * static_cast<double>(sizes.count) * norm(settings.gravity);
    int down = 0;
    for (int axis = 1; axis < settings.box.dimension; ++axis)
        if (std::abs(settings.gravity[axis]) > std::abs(settings.gravity[down]))
            down = axis;
    return std::max(pressure, weight * settings.box.length(down) / settings.box.volume());
}

SoftOutlook soft_outlook(const Case& settings, const StartSizes& sizes) {
    SoftOutlook outlook;
    const int dimension = settings.box.dimension;
    using soft::ShortestTimes;
    const ShortestTimes times = soft::shortest_times(settings.materials, sizes, dimension);
    const double wanted = settings.soft.steps_per_contact;
    const double step = settings.time.step > 0 ? settings.time.step : times.step(wanted);
    outlook.time_step = step;
    const auto check = [&](const soft::ShortestTime& limit, double fewest, double good, const char* harm) {
        if (step > limit.time / fewest)
            throw InputError(
                fmt::format("{}: a step of {:.3g} s is too long for {}, which takes {:.3g} s; choose a step "
                            "below {:.2g} s, or leave it out",
                            settings.named(settings.time.step > 0 ? "time.step" : "soft.steps_per_contact"),
                            step, limit.mode, limit.time, limit.time / good));
        if (step > limit.time / good)
            outlook.warnings.push_back(fmt::format(
                "{}: only {:.3g} steps in the {:.3g} s of {}; {} with less than {:.0f}",
                settings.named("time.step"), limit.time / step, limit.time, limit.mode, harm, good));
    };
    check(times.contact, ShortestTimes::fewest_in_contact, ShortestTimes::good_in_contact,
          "energy is hardly conserved");
    check(times.dashpot, ShortestTimes::fewest_in_dashpot, ShortestTimes::good_in_dashpot,
          "grains with many contacts may gain energy");
    const bool viscous = times.dashpot_decides(wanted);
    const soft::ShortestTime& deciding = viscous ? times.dashpot : times.contact;
    outlook.lines.push_back(fmt::format(
        "time step {:.3g} s: {:.0f} of them in {:.3g} s, {} {}", step, deciding.time / step, deciding.time,
        viscous ? "m/gamma of" : "the shortest contact time, that of", deciding.mode));

    const double radius = 0.5 * sizes.mean, pressure = expected_pressure(settings, sizes);
    const double force = pressure * std::pow(sizes.mean, dimension - 1);
    for (int a = 0; a < settings.materials.size(); ++a)
        for (int b = a; b < settings.materials.size(); ++b) {
            const soft::PairLaws laws = soft::pair_laws(settings.materials.laws(a, b).soft);
            const auto mass = [&](int m) {
                return grain_mass(settings.materials[m].density, radius, dimension);
            };
            const double reduced = mass(a) * mass(b) / (mass(a) + mass(b));
            const double share = pressure > 0 ? overlap_under(laws, force, radius) / sizes.mean : 0.0;
            const std::string loaded =
                pressure > 0 ? fmt::format(": overlap {:.2e} of a mean diameter under {:.3g} {}", share,
                                           pressure, dimension == 3 ? "Pa" : "N/m")
                             : "";
            outlook.lines.push_back(fmt::format("'{}' on '{}'{}{}", settings.materials[a].name,
                                                settings.materials[b].name, restitution_text(laws, reduced),
                                                loaded));
            constexpr double too_soft = 0.05;
            if (share > too_soft)
                outlook.warnings.push_back(fmt::format(
                    "'{}' on '{}' is too soft for its load: {:.3g} {} make an overlap of {:.0f} % of a mean "
                    "diameter; make it stiffer",
                    settings.materials[a].name, settings.materials[b].name, pressure,
                    dimension == 3 ? "Pa" : "N/m", 100 * share));
        }
    return outlook;
}

} // namespace tamp
