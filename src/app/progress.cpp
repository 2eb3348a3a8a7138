#include "tamp/app/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace tamp {
namespace {

constexpr const char* clear_line = "\r\x1b[2K";
constexpr std::size_t bars_shown = 16;

/// A line that wraps could not be cleared again.
int terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
        return size.ws_col;
    return 100;
}

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

std::string spark_line(std::span<const double> values) {
    static constexpr std::array bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value))
            largest = std::max(largest, value);
    std::string line;
    for (const double value : values) {
        const bool bar = largest > 0 && std::isfinite(value);
        const double share = bar ? std::clamp(value / largest, 0.0, 1.0) : 0.0;
        line += bars[static_cast<std::size_t>(share * (bars.size() - 1) + 0.5)];
    }
    return line;
}

std::string cut_to_width(const std::string& text, int columns) {
    int seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80; // not inside a UTF-8 letter
        if (starts && seen++ == columns)
            return text.substr(0, i);
    }
    return text;
}

Progress::Progress(ProgressStyle style, Now now)
    : now_(std::move(now)),
      live_(style == ProgressStyle::live || (style == ProgressStyle::automatic && output_is_terminal())),
      silent_(style == ProgressStyle::none) {}

void Progress::begin_stage(const std::string& name, int number, int count, double share, const Totals& totals,
                           bool at_most) {
    stage_ = fmt::format("{} ({}/{})", name, number, count);
    stage_begin_ = last_shown_ = now_();
    share_at_begin_ = share;
    at_most_ = at_most;
    updates_shown_ = totals.contact_updates;
    steps_shown_ = totals.steps;
    lines_in_stage_ = 0;
}

std::string Progress::time_left(double share) const {
    const double done = share - share_at_begin_; // since the stage began or went on
    if (!(done > 0))
        return "?";
    const double elapsed = std::chrono::duration<double>(now_() - stage_begin_).count();
    return (at_most_ ? "at most " : "") + duration_text(elapsed * std::max(0.0, 1 - share) / done);
}

std::string Progress::rigid_text(const World& world, const StepReport& report, std::int64_t particles,
                                 double stress, double rate) const {
    const std::string unit = world.box().dimension == 3 ? "Pa" : "N/m";
    const std::string solve = fmt::format("{} sweeps, residual {:.1e}{}", report.solve.sweeps,
                                          report.solve.residual, report.solve.capped ? " (cap)" : "");
    return live_
               ? fmt::format("t {:.4f} s | {} | stress {:.3g} {} {} | {} contacts | {:.1f} Mcontact/s",
                             world.clock.time, solve, stress, unit, spark_line(stress_), report.contacts,
                             rate)
               : fmt::format("t {:.4f} s step {} | {} particles {} contacts | {} | stress {:.3g} {} | {:.1f} "
                             "Mcontact/s",
                             world.clock.time, world.totals.steps, particles, report.contacts, solve, stress,
                             unit, rate);
}

std::string Progress::soft_text(const World& world, const StepReport& report, std::int64_t particles,
                                double since) const {
    const double steps = static_cast<double>(world.totals.steps - steps_shown_);
    return fmt::format(
        "t {:.6g} s step {} | {} particles {} contacts | overlap {:.1e} d | {:.2f} Mparticle-steps/s",
        world.clock.time, world.totals.steps, particles, report.contacts, report.overlap / world.sizes.mean,
        1e-6 * static_cast<double>(particles) * steps / since);
}

bool Progress::due() const {
    // In a log the first lines come soon, so that a wrong case is seen at once; then one a minute.
    const double rhythm = live_ ? 0.2 : lines_in_stage_ < 3 ? 5.0 : 60.0;
    return !silent_ && std::chrono::duration<double>(now_() - last_shown_).count() >= rhythm;
}

void Progress::update(double share, const World& world, const StepReport& report, std::int64_t particles,
                      double stress) {
    if (!due())
        return;
    const auto now = now_();
    const double since = std::chrono::duration<double>(now - last_shown_).count();
    const double rate = (world.totals.contact_updates - updates_shown_) / since * 1e-6;
    updates_shown_ = world.totals.contact_updates;
    last_shown_ = now;
    ++lines_in_stage_;
    stress_.push_back(stress);
    if (stress_.size() > bars_shown)
        stress_.erase(stress_.begin());
    const std::string begin = fmt::format("{} {:5.1f} % ETA {} | ", stage_, 100 * share, time_left(share));
    // The live line has what changes, most important first, because it may be cut.
    const std::string line =
        begin + (report.solve.sweeps > 0 ? rigid_text(world, report, particles, stress, rate)
                                         : soft_text(world, report, particles, since));
    steps_shown_ = world.totals.steps;
    if (live_)
        fmt::print("{}{}", clear_line, cut_to_width(line, terminal_width() - 1));
    else
        fmt::print("{}\n", line);
    std::fflush(stdout);
    line_open_ = live_;
}

void Progress::clear() {
    if (line_open_)
        fmt::print("{}", clear_line);
    line_open_ = false;
}

} // namespace tamp
