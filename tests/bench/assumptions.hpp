#pragma once

#include <span>
#include <string>

#include "result.hpp"
#include "scaling_model/sweep_model.hpp"

namespace tamp {

/// What a prediction rests on; every number can be given as `name=value`.
struct Assumptions {
    Machine machine;
    WaitingRhythm rhythm;
    double tile_particles = 0;                 ///< 0: as a run chooses
    double least_ranks = 1, most_ranks = 4096; ///< that are counted, each twice as many as the one before
    std::string csv;                           ///< file for the count by rank and phase; empty: none
};

/// Throws InputError for what it does not know.
Assumptions read_assumptions(std::span<const std::string> arguments);

Json json(const Assumptions& assumptions);

} // namespace tamp
