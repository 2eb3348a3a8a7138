#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "tamp/config/case.hpp"
#include "tamp/io/checkpoint_file.hpp"

namespace tamp {

/// Writes the checkpoints of a run into its folder and keeps the last two. One that cannot be written does
/// not end the run: those before stay, `warn` is told, and it is tried again.
class Checkpoints {
public:
    using Warn = std::function<void(const std::string&)>;

    Checkpoints(const Communicator& communicator, const CheckpointPlan& plan, std::string folder, Warn warn);

    /// Whether this rank finds that one is due after a step. By the clock of each rank: they must agree.
    bool due(std::int64_t step) const;

    /// True if it was written. Collective.
    bool write(const Checkpoint& checkpoint);

    /// Of the last one that was written, or that the run went on from; empty: none yet.
    const std::string& last() const { return last_; }
    void set_last(std::string path) { last_ = std::move(path); }

    std::int64_t written() const { return written_; }
    double seconds() const { return seconds_; }
    /// The last attempt failed.
    bool failing() const { return failing_; }

private:
    using Clock = std::chrono::steady_clock;

    const Communicator& communicator_;
    CheckpointPlan plan_;
    std::string folder_;
    Warn warn_;
    Clock::time_point next_;
    std::string last_;
    std::int64_t written_ = 0;
    double seconds_ = 0;
    bool failing_ = false;
};

/// A checkpoint that was read, and what there is to say about how it was found.
struct FoundCheckpoint {
    std::string path;
    Checkpoint checkpoint;
    std::vector<std::string> messages; ///< about newer ones that are damaged
};

/// The checkpoint at a path; if that is a folder, the newest one in it. Where it is damaged, the one before
/// it is taken. Collective; an InputError or FileError on every rank if there is none to take.
FoundCheckpoint find_checkpoint(const Communicator& communicator, const std::string& path);

} // namespace tamp
