#include "tamp/protocol/stage.hpp"

namespace tamp {

std::string missed(const Stage& stage, StageEnd end) {
    if (end != StageEnd::duration && end != StageEnd::steps)
        return "";
    if (stage.until_all)
        return "before all of its conditions held together (until_all)";
    // The first that was asked for speaks for all.
    const struct {
        bool wanted;
        const char* text;
    } limits[] = {
        {stage.until_balance.has_value(), "before forces were balanced (until_balance)"},
        {stage.until_speed.has_value(), "before rest (until_speed)"},
        {stage.until_fraction.has_value(), "before its volume fraction was reached (until_fraction)"},
        {stage.until_energy_ratio.has_value(), "before its energy ratio was reached (until_energy_ratio)"},
        {stage.until_coordination.has_value(),
         "before its coordination number was reached (until_coordination)"},
        {stage.until_strain.has_value(), "before its strain was reached (until_strain)"},
        {stage.until_stress.has_value(), "before its stress was reached (until_stress)"},
        {stage.until_kinetic_energy.has_value(),
         "before the kinetic energy was low enough (until_kinetic_energy)"},
        {stage.until_inertial_number.has_value(),
         "before the inertial number was low enough (until_inertial_number)"},
        {stage.until_count.has_value(), "before its number of particles was reached (until_count)"},
        {stage.until_mass.has_value(), "before its mass was reached (until_mass)"},
    };
    for (const auto& limit : limits)
        if (limit.wanted)
            return limit.text;
    return "";
}

std::string end_text(const Stage& stage, StageEnd end) {
    const std::string what = missed(stage, end);
    return text_of(end) + (what.empty() ? what : ", " + what);
}

} // namespace tamp
