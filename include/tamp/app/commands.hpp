#pragma once

#include <string>
#include <vector>

#include "tamp/app/progress.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

struct RunOptions {
    std::string case_path;
    std::vector<std::string> overrides; ///< `--set`
    std::string output;                 ///< `--output`; empty: output/<name of the case>
    ProgressStyle progress = ProgressStyle::automatic;
};

/// `tamp run`: all stages of a case. Collective.
void run_command(const Communicator& communicator, const RunOptions& options);

/// `tamp check`: everything that `run` does before its first step, without writing anything. Collective.
void check_command(const Communicator& communicator, const RunOptions& options);

} // namespace tamp
