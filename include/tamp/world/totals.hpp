#pragma once

#include <cstdint>

namespace tamp {

/// Counts of a whole run. What an engine does not have, such as sweeps, stays zero.
struct Totals {
    std::int64_t steps = 0, sweeps = 0, capped_steps = 0, searches = 0, balances = 0;
    std::int64_t shortened_steps = 0; ///< ended by the rule for deep packings, see step_rule.hpp
    std::int64_t fast_steps = 0;      ///< in which a particle moved further than time.displacement allows
    double contact_updates = 0;       ///< contacts times sweeps
    double largest_overlap = 0;
    double largest_residual = 0, residual_sum = 0; ///< at the end of steps
    double force_error_sum = 0;                    ///< estimated, at the end of steps
    std::int64_t resets = 0, fallbacks = 0;        ///< of the momentum of sweeps, see SolveReport
    std::int64_t lost = 0;                         ///< particles that left the region
    double skin_sum = 0;                           ///< over searches
};

} // namespace tamp
