#pragma once

#include <string>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

struct ReportOptions {
    std::string folder; ///< that `tamp run` wrote to
    std::string output; ///< `--output`; empty: report.html in the folder
    std::string movie;  ///< `--movie`; empty: none
    int frames = 120;   ///< `--frames`: pictures of a name in the page, at most
};

/// `tamp report`: one HTML page of a run, made by the Python program in share/tamp/report, on rank 0. Returns
/// its exit code, which is one of ours, on every rank; it has said what went wrong. Collective; FileError
/// where it cannot be started.
int report_command(const Communicator& communicator, const ReportOptions& options);

} // namespace tamp
