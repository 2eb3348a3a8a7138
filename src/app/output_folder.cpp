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

bool has_results(const std::string& path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_empty(path, ignored);
}

} // namespace

std::string make_output_folder(const Communicator& communicator, const std::string& named,
                               const std::string& fallback) {
    std::string path = named, refused, failed;
    if (communicator.rank() == 0) {
        if (!named.empty() && has_results(named))
            refused =
                fmt::format("{}: this folder is not empty, and results are never overwritten; choose another "
                            "--output or remove it",
                            named);
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
    if (const std::string problem = communicator.first_problem(refused); !problem.empty())
        throw InputError(problem);
    if (const std::string problem = communicator.first_problem(failed); !problem.empty())
        throw FileError(problem);
    communicator.broadcast(path);
    return path;
}

} // namespace tamp
