#pragma once

#include <string>

namespace tamp {

/// While it lives, SIGUSR1, SIGTERM and SIGINT ask a run to stop after the present step instead of ending the
/// process; a second SIGINT ends it at once. A file that grows beyond a limit (SIGXFSZ) is a failed write,
/// not the end. Each rank sees its own signals: the ranks must agree.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// The signal that came, or 0.
    static int received();
};

/// "SIGTERM"
std::string signal_name(int signal);

} // namespace tamp
