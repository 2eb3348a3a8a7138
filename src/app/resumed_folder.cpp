#include "tamp/app/resumed_folder.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/io/set_aside.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

constexpr std::array series_names{"/series.csv", "/series.h5"};

std::string report_in(const std::string& folder) { return folder + "/report.json"; }

} // namespace

std::string folder_of(const std::string& checkpoint) {
    const std::string folder = fs::path(checkpoint).parent_path().string();
    return folder.empty() ? "." : folder;
}

FolderLock lock_for_resume(const Communicator& communicator, const std::string& path) {
    std::string folder;
    bool has_checkpoints = false;
    if (communicator.rank() == 0) {
        std::error_code ignored;
        folder = fs::is_directory(path, ignored) ? path : folder_of(path);
        has_checkpoints = !checkpoints_in(folder).empty();
    }
    return communicator.any(has_checkpoints) ? FolderLock(communicator, folder) : FolderLock();
}

bool is_there(const Communicator& communicator, const std::string& path) {
    std::error_code ignored;
    return communicator.any(communicator.rank() == 0 && fs::exists(path, ignored));
}

bool is_reported(const Communicator& communicator, const std::string& checkpoint, const std::string& hash) {
    bool result = false;
    if (communicator.rank() == 0) {
        std::ifstream file(report_in(folder_of(checkpoint)));
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        result = text.find('"' + hash + '"') != std::string::npos;
    }
    return communicator.any(result);
}

void refuse_to_replace(const Communicator& communicator, const std::string& path,
                       const Checkpoint& checkpoint, bool complete) {
    const std::string folder = folder_of(path);
    const std::int64_t step = checkpoint.world.totals.steps;
    if (complete)
        throw InputError(fmt::format("{}: this run is complete, and another run never replaces its results; "
                                     "add --output FOLDER",
                                     path));
    // A report of this very state is what --until leaves; it can be set aside.
    const bool newer = communicator.any(communicator.rank() == 0 && !checkpoints_after(folder, step).empty());
    if (newer || (is_there(communicator, report_in(folder)) &&
                  !is_reported(communicator, path, checkpoint.state_hash)))
        throw InputError(fmt::format("{}: its folder has results of steps after {}, and another run never "
                                     "replaces them; add --output FOLDER",
                                     path, step));
}

std::vector<std::string> make_ready(const Communicator& communicator, const std::string& folder,
                                    std::int64_t step, bool other_physics) {
    std::vector<std::string> messages;
    std::string problem;
    if (communicator.rank() == 0)
        try {
            const std::vector<std::string> newer = checkpoints_after(folder, step);
            // The copies come first: whoever tries again after a full disk still finds newer checkpoints.
            const std::string suffix = fmt::format("before-{:08}", step);
            for (const char* name : series_names) {
                if (other_physics || !newer.empty())
                    keep_copy(folder + name, suffix);
                if (std::error_code ignored; !fs::exists(folder + name, ignored))
                    messages.push_back(fmt::format("{}{} is missing: its rows up to step {} are lost, and a "
                                                   "new file begins",
                                                   folder, name, step));
            }
            const std::string report = report_in(folder);
            if (const std::string where = other_physics ? set_aside(report, suffix) : ""; !where.empty())
                messages.push_back(fmt::format("{} was of the run so far and is now {}", report, where));
            for (const std::string& path : newer)
                messages.push_back(
                    fmt::format("{} is newer and is now {}", path, set_aside(path, "set-aside")));
        } catch (const FileError& error) {
            problem = error.what();
        }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    return messages;
}

} // namespace tamp
