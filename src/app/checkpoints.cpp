#include "tamp/app/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/reader.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept = 2;
/// After a failure: long enough not to hinder the run, short enough that a job rarely ends without one.
constexpr std::chrono::seconds pause_after_failure{60};

std::chrono::steady_clock::duration as_duration(double seconds) {
    constexpr double a_century = 3e9;
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(std::min(seconds, a_century)));
}

/// The list as rank 0 sees it, on every rank: file systems show new names here earlier than there.
std::vector<std::string> agreed(const Communicator& communicator, const std::vector<std::string>& paths) {
    std::string text = fmt::format("{}", fmt::join(paths, "\n"));
    communicator.broadcast(text);
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        result.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

} // namespace

Checkpoints::Checkpoints(const Communicator& communicator, const CheckpointPlan& plan, std::string folder,
                         Warn warn)
    : communicator_(communicator), plan_(plan), folder_(std::move(folder)), warn_(std::move(warn)),
      next_(Clock::now() + as_duration(plan.interval)) {}

bool Checkpoints::due(std::int64_t step) const {
    return (plan_.every > 0 && step % plan_.every == 0) ||
           ((plan_.interval > 0 || failing_) && Clock::now() >= next_);
}

bool Checkpoints::write(const Checkpoint& checkpoint) {
    const auto begin = Clock::now();
    const std::string path = folder_ + "/" + checkpoint_name(checkpoint.world.totals.steps);
    try {
        write_checkpoint(communicator_, path, checkpoint);
        if (failing_)
            warn_(fmt::format("checkpoints can be written again: {}", path));
        failing_ = false;
        last_ = path;
        ++written_;
        if (communicator_.rank() == 0)
            clean_checkpoints(folder_, kept);
        next_ = Clock::now() + as_duration(plan_.interval);
    } catch (const FileError& error) {
        if (!failing_)
            warn_(fmt::format("no checkpoint of step {}: {} The run goes on{}; the next attempt follows in "
                              "{} s at the latest",
                              checkpoint.world.totals.steps, error.what(),
                              last_.empty() ? "" : ", and " + last_ + " stays", pause_after_failure.count()));
        failing_ = true;
        next_ = Clock::now() + pause_after_failure;
    }
    seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    return !failing_;
}

FoundCheckpoint find_checkpoint(const Communicator& communicator, const std::string& path) {
    std::vector<std::string> candidates;
    std::string problem;
    if (communicator.rank() == 0) {
        std::error_code error;
        const bool is_folder = fs::is_directory(path, error);
        const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
        candidates = checkpoints_in(folder.empty() ? "." : folder.string());
        if (is_folder && candidates.empty())
            problem = fmt::format("{}: there is no checkpoint in this folder; a run that stopped before its "
                                  "first one has to be started again with tamp run",
                                  path);
        if (!is_folder) {
            if (!fs::exists(path, error) && !error)
                problem = fmt::format("{}: there is no such file or folder{}", path,
                                      candidates.empty()
                                          ? "; name a checkpoint-STEP.h5, or the folder of a run"
                                          : fmt::format("; its folder has {}", fmt::join(candidates, ", ")));
            else
                problem = opening_problem(path);
            // Those before the one that was named; none, if its name tells no order.
            const auto named = std::ranges::find_if(candidates, [&](const std::string& other) {
                std::error_code unknown;
                return fs::equivalent(other, path, unknown);
            });
            candidates.erase(candidates.begin(), named == candidates.end() ? named : named + 1);
            candidates.insert(candidates.begin(), path);
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw InputError(problem);
    FoundCheckpoint found;
    for (const std::string& candidate : agreed(communicator, candidates)) {
        try {
            found.checkpoint = read_checkpoint(communicator, candidate);
            found.path = candidate;
            return found;
        } catch (const FileError& error) {
            found.messages.emplace_back(error.what());
        }
    }
    throw FileError(fmt::format("no checkpoint can be used: {}", fmt::join(found.messages, " ")));
}

} // namespace tamp
