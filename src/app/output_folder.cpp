#include "tamp/app/output_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

/// Why a path that the user named is refused; empty if it is not. A lock alone is no result.
std::string reason_to_refuse(const std::string& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_directory(path, ignored))
        return fmt::format("{}: this is a file, not a folder; choose another --output", path);
    for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
        if (entry.path().filename() != FolderLock::name)
            return fmt::format("{}: this folder is not empty, and results are never overwritten; choose "
                               "another --output or remove it",
                               path);
    return {};
}

} // namespace

OutputFolder make_output_folder(const Communicator& communicator, const std::string& named,
                                const std::string& fallback) {
    std::string path = named, refused, failed;
    if (communicator.rank() == 0) {
        if (!named.empty())
            refused = reason_to_refuse(named);
        std::error_code error;
        if (named.empty()) {
            // Making the folder is what claims it: two runs that start together get two folders.
            path = fallback;
            fs::create_directories(fs::path(path).parent_path(), error);
            for (int number = 2; !error && !fs::create_directory(path, error); ++number)
                path = fmt::format("{}-{}", fallback, number);
        } else if (refused.empty() && !fs::is_directory(path, error)) {
            fs::create_directories(path, error);
        }
        if (refused.empty() && (error || access(path.c_str(), W_OK | X_OK) != 0))
            failed = fmt::format("{}: cannot write to this output folder: {}; choose another with --output",
                                 path, error ? error.message() : std::strerror(errno));
    }
    if (refused = communicator.first_problem(refused); !refused.empty())
        throw InputError(refused);
    if (failed = communicator.first_problem(failed); !failed.empty())
        throw FileError(failed);
    communicator.broadcast(path);
    OutputFolder folder{path, FolderLock(communicator, path)};
    // Another run may have come and gone between the look and the lock.
    if (communicator.rank() == 0)
        refused = reason_to_refuse(path);
    if (refused = communicator.first_problem(refused); !refused.empty())
        throw InputError(refused);
    return folder;
}

} // namespace tamp
