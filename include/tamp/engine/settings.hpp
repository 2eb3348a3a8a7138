#pragma once

#include "tamp/soft/settings.hpp"
#include "tamp/solver/settings.hpp"
#include "tamp/world/settings.hpp"

namespace tamp {

/// What a case says about how its world is moved.
struct EngineSettings {
    EngineKind kind = EngineKind::rigid;
    SoftSettings soft;
    SolverSettings solver;
    TimeSettings time;
    bool energy_budget = false; ///< follow the energy through every step: costs about a sweep
};

} // namespace tamp
