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
        if (named.empty()) {
            path = fallback;
            for (int number = 2; has_results(path); ++number)
                path = fmt::format("{}-{}", fallback, number);
        }
        std::error_code error;
        if (refused.empty() && !fs::is_directory(path, error) && !fs::create_directories(path, error))
            failed = fmt::format("{}: cannot make this output folder: {}; choose another with --output", path,
                                 error.message());
        else if (refused.empty() && access(path.c_str(), W_OK | X_OK) != 0)
            failed = fmt::format("{}: cannot write to this output folder: {}; choose another with --output",
                                 path, std::strerror(errno));
    }
    if (const std::string problem = communicator.first_problem(refused); !problem.empty())
        throw InputError(problem);
    if (const std::string problem = communicator.first_problem(failed); !problem.empty())
        throw FileError(problem);
    communicator.broadcast(path);
    return path;
}

} // namespace tamp
