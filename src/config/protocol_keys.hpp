#pragma once

#include <array>

#include "schema_ranges.hpp"

namespace tamp {

/// What a stage does to gravity, and the limits that came after the first ones.
constexpr auto protocol_keys() {
    using enum KeyType;
    return std::to_array<KeySchema>({
        {"stage", "gravity", vector_table, "m/s^2", "as before", any, "", "",
         "From this stage on; a table { time = [...], value = [[...], ...] } changes it while the stage "
         "runs"},
        {"stage", "until_kinetic_energy", number, "J", "", positive, "", "",
         "Ends when all particles together have less, with spins, at three looks; not before gravity and the "
         "forces on free walls had time to make them faster"},
        {"stage", "until_inertial_number", number, "", "", positive, "", "",
         "Ends when the root mean square speed times sqrt(m/(P d))/d is less, at three looks (P: mean "
         "contact "
         "stress; m, d: of a mean particle; 2-D: sqrt(m/P)/d). 1e-3: quasi-static"},
        {"stage", "until_all", boolean, "", "false", any, "", "",
         "true: ends when everything that is named until_ holds together, not at the first of it"},

        {"stage.until_strain", "wall", string, "", "required", any, "", "",
         "Name of the wall from which the height is measured, along its normal"},
        {"stage.until_strain", "value", number, "", "required", strains, "", "",
         "Positive: compressed by this share of the height at the begin of the stage; negative: stretched"},
        {"stage.until_stress", "wall", string, "", "required", any, "", "", "Name of the wall"},
        {"stage.until_stress", "above", number, "Pa", "", any, "", "",
         "Ends when it is this or more; positive: compression (2-D: N/m)"},
        {"stage.until_stress", "below", number, "Pa", "", any, "", "", "Ends when it is this or less"},
        {"stage.until_stress", "steps", integer, "", "1", at_least_one, "", "",
         "Steps in a row in which it has to hold: a grain that hits the wall counts in one"},
        {"stage.until_count", "above", integer, "", "", non_negative, "", "", "Ends when there are so many"},
        {"stage.until_count", "below", integer, "", "", non_negative, "", "",
         "Ends when there are no more than this"},
        {"stage.until_mass", "above", number, "kg", "", positive, "", "", "Ends when it is this or more"},
        {"stage.until_mass", "below", number, "kg", "", positive, "", "", "Ends when it is this or less"},
    });
}

} // namespace tamp
