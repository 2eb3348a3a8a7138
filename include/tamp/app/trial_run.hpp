#pragma once

#include <string>
#include <vector>

#include "tamp/app/engine_cost.hpp"
#include "tamp/app/progress.hpp"
#include "tamp/app/start.hpp"

namespace tamp {

/// How a short run went that only measures.
struct TrialRun {
    std::vector<TrialStep> steps;
    double seconds = 0;        ///< of CPU time in the steps
    double sweep_seconds = 0;  ///< the part of it in sweeps
    double simulated = 0;      ///< s
    double share = 0;          ///< of the stages, 0 to 1
    double coordination = 0;   ///< at its end
    std::string trouble;       ///< why it stopped before its time; empty: it did not
    std::vector<Grain> grains; ///< where it ended
    std::vector<Wall> walls;

    double mean_sweeps() const; ///< a step
    double seconds_a_step() const { return seconds / static_cast<double>(steps.size()); }
};

/// Runs the stages of a case on this rank alone, for so much CPU time at most, and writes nothing. `label`:
/// for the progress, such as "rigid" as number 1 of 2.
TrialRun try_out(const Communicator& self, const Case& settings, const Start& start, double seconds,
                 const std::string& label, Progress& progress);

} // namespace tamp
