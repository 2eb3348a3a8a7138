#pragma once

namespace tamp {

enum class SweepOrder { fixed, random, symmetric };

struct SolverSettings {
    SweepOrder order = SweepOrder::fixed;
    double tolerance = 1e-4; ///< of the mean natural-map residual, relative to the mean normal impulse
    double balance = 1e-2;   ///< of the estimated relative error of stress and wall forces
    int min_sweeps = 4;
    int max_sweeps = 2000; ///< the cap; every step that hits it is counted and reported
};

} // namespace tamp
