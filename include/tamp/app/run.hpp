#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamp/app/checkpoints.hpp"
#include "tamp/app/folder_lock.hpp"
#include "tamp/app/progress.hpp"
#include "tamp/config/case.hpp"

namespace tamp {

/// What a run is made of, be it new or one that goes on.
struct RunPlan {
    Case settings;
    std::string case_path; ///< scripts are found beside it
    std::string output;    ///< `--output`; empty: that of the case, or where the checkpoint is
    ProgressStyle progress = ProgressStyle::automatic;
    std::optional<double> until; ///< s; see RunOptions
    std::optional<FoundCheckpoint> from{};
    bool series_go_on = false; ///< the series of the folder have the columns of this run
    bool other_physics = false, other_stages = false; ///< than before the checkpoint
    std::vector<std::string> messages{};              ///< warnings for the log
    std::vector<std::string> notes{};                 ///< the same without an alarm
    FolderLock lock{}; ///< of the folder that the run goes on in; a new folder is locked when it is made
};

/// Runs the stages that are left. Returns the exit code: 0, or stopped_early. Collective.
int execute(const Communicator& communicator, RunPlan plan);

/// Of a run that was asked to stop and left a checkpoint (EX_TEMPFAIL of sysexits.h): tamp resume goes on.
inline constexpr int stopped_early = 75;

} // namespace tamp
