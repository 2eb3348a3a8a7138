#include "tamp/app/other_engine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/app/first_step.hpp"
#include "tamp/app/soft_check.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"

namespace tamp {
namespace {

/// Of particles at the start and after their fall, and of walls that are driven, m/s.
double largest_speed(const Case& settings, const Start& start) {
    double speed = 0, highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (const Grain& grain : start.grains) {
        speed = std::max(speed, norm(grain.velocity));
        const double potential = -dot(settings.gravity, grain.position);
        highest = std::max(highest, potential), lowest = std::min(lowest, potential);
    }
    speed = std::sqrt(speed * speed + 2 * (highest - lowest));
    for (const Wall& wall : settings.walls)
        speed = std::max(speed, norm(wall.velocity));
    for (const Stage& stage : settings.stages)
        for (const WallCommand& command : stage.walls)
            speed = std::max(speed, command.largest_speed());
    return speed;
}

/// `--set` for materials that do not say how stiff they are.
std::vector<std::string> missing_stiffness(const Case& settings, double stiffness) {
    std::vector<std::string> overrides;
    for (int i = 0; i < settings.materials.size(); ++i) {
        const auto gives = [&](const char* key) {
            return settings.places.contains(fmt::format("material[{}].{}", i, key));
        };
        if (!gives("stiffness") && !gives("contact_modulus"))
            overrides.push_back(fmt::format("material[{}].stiffness={}", i, stiffness));
    }
    return overrides;
}

} // namespace

ChosenStiffness choose_stiffness(const Case& settings, const Start& start) {
    const int dimension = settings.box.dimension;
    const StartSizes sizes = start_sizes(start.grains, dimension);
    double density = 0;
    for (int i = 0; i < settings.materials.size(); ++i)
        density = std::max(density, settings.materials[i].density);
    constexpr double under_load = 1e-3;
    const double in_impacts = settings.max_overlap > 0 ? 0.5 * settings.max_overlap : 0.05;
    const double pressure = expected_pressure(settings, sizes), speed = largest_speed(settings, start);
    const double of_load = pressure * std::pow(sizes.mean, dimension - 1) / (under_load * sizes.mean);
    // k overlap^2 = m12 v^2, and the reduced mass m12 is half a mass.
    const double of_impacts =
        0.5 * density * sizes.mean_volume * std::pow(speed / (in_impacts * sizes.mean), 2);
    const auto chosen = [](double value, double share, const std::string& by) {
        return ChosenStiffness{std::stod(fmt::format("{:.2g}", value)),
                               fmt::format("an overlap of {:.2g} mean diameters {}", share, by)};
    };
    return of_load >= of_impacts
               ? chosen(of_load, under_load,
                        fmt::format("under {:.3g} {}", pressure, dimension == 3 ? "Pa" : "N/m"))
               : chosen(of_impacts, in_impacts, fmt::format("in impacts at {:.3g} m/s", speed));
}

OtherEngine with_other_engine(const std::string& text, const std::string& case_path,
                              const std::vector<std::string>& overrides, const Case& own,
                              const Start& start) {
    OtherEngine other;
    const bool soft = own.engine == EngineKind::rigid;
    std::vector<std::string> all = overrides;
    all.emplace_back(soft ? "engine=\"soft\"" : "engine=\"rigid\"");
    try {
        if (soft) {
            const ChosenStiffness chosen = choose_stiffness(own, start);
            const std::vector<std::string> missing = missing_stiffness(own, chosen.value);
            if (!missing.empty() && chosen.value == 0)
                throw InputError(
                    "the case has no stiffness, and neither load nor speed to choose one by; give "
                    "material.stiffness");
            all.insert(all.end(), missing.begin(), missing.end());
            if (!missing.empty())
                other.note =
                    fmt::format("the case gives no stiffness; soft grains have {:.2g} N/m here, which "
                                "makes {}",
                                chosen.value, chosen.reason);
        }
        Case settings = parse_case(text, case_path, all);
        settings.time.step = 0;
        check_first_step(settings, start.grains);
        other.settings = std::move(settings);
    } catch (const InputError& error) {
        other = {.settings = {}, .refusal = error.what()};
    }
    return other;
}

} // namespace tamp
