#include "tamp/app/progress.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace tamp {
namespace {

constexpr const char* clear_line = "\r\x1b[2K";

} // namespace

bool output_is_terminal() {
    if (!isatty(STDOUT_FILENO))
        return false;
    if (!std::getenv("OMPI_COMM_WORLD_SIZE"))
        return true;
    std::array<char, 256> target{};
    const std::string link = fmt::format("/proc/{}/fd/1", getppid());
    const ssize_t length = readlink(link.c_str(), target.data(), target.size() - 1);
    const std::string name(target.data());
    return length > 0 && (name.starts_with("/dev/pts/") || name.starts_with("/dev/tty"));
}

std::string duration_text(double seconds) {
    const auto s = static_cast<long>(seconds + 0.5);
    if (s >= 3600)
        return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
    if (s >= 60)
        return fmt::format("{} min {:02} s", s / 60, s % 60);
    return seconds < 9.5 ? fmt::format("{:.1f} s", seconds) : fmt::format("{} s", s);
}

Progress::Progress(ProgressStyle style)
    : live_(style == ProgressStyle::live || (style == ProgressStyle::automatic && output_is_terminal())),
      silent_(style == ProgressStyle::none) {}

void Progress::begin_stage(const std::string& name, int number, int count) {
    stage_ = fmt::format("{} ({}/{})", name, number, count);
    stage_begin_ = last_shown_ = Clock::now();
    lines_in_stage_ = 0;
}

void Progress::update(double share, const RigidEngine& engine, const StepReport& report,
                      std::int64_t particles) {
    const auto now = Clock::now();
    const double since = std::chrono::duration<double>(now - last_shown_).count();
    // In a log the first lines come soon, so that a wrong case is seen at once; then one a minute.
    const double rhythm = live_ ? 0.2 : lines_in_stage_ < 3 ? 5.0 : 60.0;
    if (silent_ || since < rhythm)
        return;
    const double elapsed = std::chrono::duration<double>(now - stage_begin_).count();
    const double rate = (engine.totals().contact_updates - updates_shown_) / since * 1e-6;
    updates_shown_ = engine.totals().contact_updates;
    last_shown_ = now;
    ++lines_in_stage_;
    const std::string line =
        fmt::format("{} {:5.1f} % ETA {} | t {:.4f} s step {} | {} particles {} contacts | {} sweeps, "
                    "residual {:.1e}{} | {:.1f} "
                    "Mcontact/s",
                    stage_, 100 * share, share > 0 ? duration_text(elapsed * (1 - share) / share) : "?",
                    engine.time(), engine.totals().steps, particles, report.contacts, report.solve.sweeps,
                    report.solve.residual, report.solve.capped ? " (cap)" : "", rate);
    fmt::print("{}{}{}", live_ ? clear_line : "", line, live_ ? "" : "\n");
    std::fflush(stdout);
    line_open_ = live_;
}

void Progress::clear() {
    if (line_open_)
        fmt::print("{}", clear_line);
    line_open_ = false;
}

} // namespace tamp
