#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "tamp/base/beside_executable.hpp"
#include "tamp/insitu/pictures.hpp"

#include "display_trial.hpp"

namespace tamp {
namespace {

std::string remedy() {
    const std::string installed = find_beside_executable("share/tamp/with-display.sh");
    return fmt::format("start the run with {}, which provides one where there is none (it needs Xvfb; "
                       "Debian: apt install xvfb xauth)",
                       installed.empty() ? "jobscripts/with-display.sh" : installed);
}

/// Runs a program in silence. Returns its status as waitpid gives it, or what went wrong. Spawned, not
/// forked: MPI does not like its pages copied.
std::string run_silently(std::string program, int& status) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    char* arguments[] = {program.data(), nullptr};
    pid_t child = 0;
    const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return std::strerror(error);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return std::strerror(errno);
    return {};
}

} // namespace

std::string display_problem() {
    const char* name = std::getenv("DISPLAY");
    if (!name || !*name)
        return fmt::format("there is no X display (DISPLAY is not set): {}", remedy());
    if (*name != ':')
        return fmt::format("the X display '{}' is not one of this machine: unset DISPLAY and {}", name,
                           remedy());
    constexpr const char* program = "lib/tamp/tamp_try_display";
    const std::string found = find_beside_executable(program);
    if (found.empty())
        return fmt::format("the program that tries the X display is missing, looked for {}",
                           places_beside_executable(program));
    int status = 0;
    if (const std::string problem = run_silently(found, status); !problem.empty())
        return fmt::format("the X display '{}' cannot be tried with {}: {}", name, found, problem);
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM)
        return fmt::format("the X display '{}' cannot be drawn on, its graphics driver fails ({}): unset "
                           "DISPLAY and {}",
                           name, strsignal(WTERMSIG(status)), remedy());
    switch (WIFEXITED(status) ? WEXITSTATUS(status) : display_does_not_answer) {
    case display_draws:
        return {};
    case display_lacks_library:
        return "the libraries of X and OpenGL (libX11.so.6, libGL.so.1) are not here";
    case display_does_not_answer:
        return fmt::format("the X display '{}' does not answer: unset DISPLAY and {}", name, remedy());
    case display_lacks_glx:
        return fmt::format(
            "the X display '{}' cannot draw in three dimensions (no GLX): unset DISPLAY and {}", name,
            remedy());
    default:
        return fmt::format(
            "the X display '{}' gives no OpenGL 3.2 to draw with (is a graphics driver missing? "
            "Debian: libgl1-mesa-dri): unset DISPLAY and {}",
            name, remedy());
    }
}

} // namespace tamp
