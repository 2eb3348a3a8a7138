#pragma once

#include <cstdint>

namespace tamp {

/// How the contact forces of one step were solved for; empty in engines that compute them.
struct SolveReport {
    int sweeps = 0;
    double residual = 0;       ///< mean natural-map residual over the mean normal impulse
    double largest = 0;        ///< largest residual over the mean normal impulse
    double force_error = 0;    ///< estimated relative error of stress and wall forces
    bool capped = false;       ///< stopped by max_sweeps
    bool shortened = false;    ///< stopped by the rule for deep packings, before the tolerances were met
    int resets = 0;            ///< of the momentum of sweeps
    int fallbacks = 0;         ///< to plain sweeps, where momentum did not help
    double pressing = 0;       ///< Pa s, the largest impulse along the load over the cross-section of the box
    double normal_impulse = 0; ///< N s, sum of p_n over all contacts; tension is negative

    /// Of a sub-step that followed: counts add up, all else is that of the last one.
    SolveReport& operator+=(const SolveReport& later) {
        const SolveReport before = *this;
        *this = later;
        sweeps += before.sweeps, resets += before.resets, fallbacks += before.fallbacks;
        capped = capped || before.capped;
        shortened = shortened || before.shortened;
        return *this;
    }
};

/// How one step went.
struct StepReport {
    double time_step = 0;
    SolveReport solve;
    std::int64_t contacts = 0; ///< that took part in the step, on all ranks
    double overlap = 0;        ///< largest at the beginning of the step, m
    bool searched = false;     ///< neighbours were searched anew
};

} // namespace tamp
