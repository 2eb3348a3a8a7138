#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/world/step_report.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

enum class ProgressStyle { automatic, live, log, none };

/// Is the user looking? Under mpirun a rank's own output always seems to be a terminal, so the launcher's is
/// asked.
bool output_is_terminal();

/// "2 h 05 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);

/// The values as a row of little bars, from zero to the largest: "▁▃▇".
std::string spark_line(std::span<const double> values);

/// The first `columns` characters of a text, none of which is cut in the middle.
std::string cut_to_width(const std::string& text, int columns);

/// Tells a person how a stage gets on: one live line on a terminal, a line now and then in a log. Rank 0
/// only.
class Progress {
public:
    using Clock = std::chrono::steady_clock;
    using Now = std::function<Clock::time_point()>;

    /// Tests have a clock of their own.
    explicit Progress(ProgressStyle style, Now now = Clock::now);

    /// Rates and the time left count from here: a stage that goes on after a checkpoint has a `share` done
    /// already, and a world has made the steps of `totals` before. `at_most`: the stage may end sooner.
    void begin_stage(const std::string& name, int number, int count, double share, const Totals& totals,
                     bool at_most);
    /// Whether it is time for another line.
    bool due() const;
    /// `share` of the stage that is done, 0 to 1; `stress` of the packing, Pa.
    void update(double share, const World& world, const StepReport& report, std::int64_t particles,
                double stress);
    /// Clears the live line so that other text can follow.
    void clear();

private:
    std::string time_left(double share) const;
    std::string rigid_text(const World& world, const StepReport& report, std::int64_t particles,
                           double stress, double rate) const;
    std::string soft_text(const World& world, const StepReport& report, std::int64_t particles,
                          double since) const;

    Now now_;
    bool live_ = false, silent_ = false;
    std::string stage_;
    Clock::time_point stage_begin_, last_shown_;
    double share_at_begin_ = 0;
    bool at_most_ = false;
    double updates_shown_ = 0; ///< contact updates up to the last line, or to the begin of the stage
    std::int64_t steps_shown_ = 0;
    bool line_open_ = false;
    int lines_in_stage_ = 0;
    std::vector<double> stress_; ///< as shown, the last ones
};

} // namespace tamp
