#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamp/app/progress.hpp"
#include "tamp/fclib/gauss_seidel.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

struct RunOptions {
    std::string case_path;
    std::vector<std::string> overrides; ///< `--set`
    std::string output;                 ///< `--output`; empty: output/<name of the case>
    ProgressStyle progress = ProgressStyle::automatic;
    /// `--until`: stop after the first step that reaches this time, s. The last stage goes on until then.
    std::optional<double> until{};
};

struct ResumeOptions {
    std::string path; ///< a checkpoint, or the folder of a run
    std::vector<std::string> overrides;
    std::string output; ///< empty: where the checkpoint is
    ProgressStyle progress = ProgressStyle::automatic;
    std::optional<double> until{};
    bool force = false; ///< accept changed physics
};

struct AdviseOptions {
    std::string case_path;
    std::vector<std::string> overrides;
    double seconds = 10; ///< `--seconds`: CPU time to measure with, about
    ProgressStyle progress = ProgressStyle::automatic;
};

struct ExportOptions {
    std::string case_path;
    std::vector<std::string> overrides;
    std::string file;      ///< `--fclib`
    std::int64_t step = 1; ///< `--step`: counted from 1
    ProgressStyle progress = ProgressStyle::automatic;
};

/// Which form of a problem is solved, where a file has both.
enum class ProblemForm { global, local, any };

struct SolveOptions {
    std::string file;
    fclib::SweepSettings sweeps{};
    ProblemForm form = ProblemForm::any; ///< `--form`; any: global if it is there
    bool write_solution = false;
};

/// `tamp run`: all stages of a case. Returns the exit code. Collective.
int run_command(const Communicator& communicator, const RunOptions& options);

/// `tamp resume`: goes on from a checkpoint. Returns the exit code. Collective.
int resume_command(const Communicator& communicator, const ResumeOptions& options);

/// `tamp check`: everything that `run` does before its first step, without writing anything. Collective.
void check_command(const Communicator& communicator, const RunOptions& options);

/// `tamp advise`: what the case would cost with either engine, by a short run of each, without writing
/// anything. For one rank.
void advise_command(const Communicator& communicator, const AdviseOptions& options);

/// `tamp export`: runs a case up to a step and writes the contact problem of that step. Collective.
void export_command(const Communicator& communicator, const ExportOptions& options);

/// `tamp solve`: solves a contact problem from a file. For one rank.
void solve_command(const Communicator& communicator, const SolveOptions& options);

} // namespace tamp
