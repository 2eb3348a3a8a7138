#pragma once

namespace tamp {

enum class SweepOrder { fixed, random, symmetric };

/// How the sweeps of several ranks fit together.
enum class SweepScheme {
    phases, ///< an exchange after each of the 2^d phases of a sweep: the same bits on any number of ranks
    block,  ///< one exchange a sweep; the result depends on the number of ranks
};

/// How sweeps are strung together, see momentum.hpp.
enum class SweepMethod {
    automatic, ///< ratio; plain for symmetric sweeps
    plain,     ///< one sweep after the other
    ratio,
    nesterov,
};

struct SolverSettings {
    SweepScheme scheme = SweepScheme::phases;
    SweepMethod method = SweepMethod::automatic;
    SweepOrder order = SweepOrder::fixed;
    double tolerance = 1e-3;      ///< of the mean natural-map residual, relative to the mean normal impulse
    double force_tolerance = 0.1; ///< of the estimated relative error of stress and wall forces
    /// By how much an overlap may grow in a step, in mean diameters; with momentum only; 0: see
    /// step_rule.hpp.
    double overlap_tolerance = 0;
    int min_sweeps = 4;
    int substeps = 0;     ///< of a step that share its geometry, see `ContactSet::advance`; 0: step_rule.hpp
    int max_sweeps = 500; ///< the cap; every step that hits it is counted and reported
};

/// Where a solve ends at the latest, and how good it must be, beyond the settings.
struct SolveLimits {
    int sweeps = 0;       ///< 0: as many as the settings allow
    double approach = 0;  ///< of pairs beyond contact, m/s; 0: unbounded; see StoppingRule
    bool insists = false; ///< on that approach, however many sweeps it takes
};

} // namespace tamp
