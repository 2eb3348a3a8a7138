#include "tamp/app/report_command.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tamp/base/beside_executable.hpp"
#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

std::string find_program() {
    constexpr const char* program = "share/tamp/report/main.py";
    const std::string found = find_beside_executable(program);
    if (found.empty())
        throw FileError(fmt::format("tamp report: its program is missing, looked for {}; install tamp as a "
                                    "whole (cmake --install) or build it again",
                                    places_beside_executable(program)));
    return found;
}

std::vector<std::string> command_line(const ReportOptions& options) {
    // -B: no compiled copies are left in a folder that others may own.
    std::vector<std::string> words{"python3", "-B", find_program(),
                                   fmt::format("--frames={}", options.frames)};
    if (!options.output.empty())
        words.push_back("--output=" + options.output);
    if (!options.movie.empty())
        words.push_back("--movie=" + options.movie);
    words.insert(words.end(), {"--", options.folder});
    return words;
}

/// Without what MPI left there: an h5py that knows MPI would take itself for a rank of this run.
std::vector<char*> environment_without_mpi() {
    std::vector<char*> result;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        if (!text.starts_with("OMPI_") && !text.starts_with("PMIX_") && !text.starts_with("PMI_"))
            result.push_back(*entry);
    }
    result.push_back(nullptr);
    return result;
}

/// The exit code of the program. Spawned, not forked: MPI does not like its pages copied.
int run_program(std::vector<std::string> words) {
    std::vector<char*> arguments, environment = environment_without_mpi();
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    pid_t child = 0;
    if (const int error =
            posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environment.data()))
        throw FileError(
            fmt::format("tamp report: cannot start python3: {}; install the Debian packages python3 and "
                        "python3-matplotlib",
                        std::strerror(error)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            throw FileError(fmt::format("tamp report: lost its program: {}", std::strerror(errno)));
    if (WIFSIGNALED(status))
        fmt::print(stderr, "tamp: report: its program was stopped by signal {} ({})\n", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int report_command(const Communicator& communicator, const ReportOptions& options) {
    int code = 0;
    std::string problem;
    if (communicator.rank() == 0) {
        try {
            code = run_program(command_line(options));
        } catch (const FileError& error) {
            problem = error.what();
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    communicator.broadcast(std::span(&code, 1));
    return code;
}

} // namespace tamp
