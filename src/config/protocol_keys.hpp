#pragma once

#include <array>

#include "schema_ranges.hpp"

namespace tamp {

/// What a stage does to gravity.
constexpr auto protocol_keys() {
    using enum KeyType;
    return std::to_array<KeySchema>({
        {"stage", "gravity", vector_table, "m/s^2", "as before", any, "", "",
         "From this stage on; a table { time = [...], value = [[...], ...] } changes it while the stage "
         "runs"},
    });
}

} // namespace tamp
