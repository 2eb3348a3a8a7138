#include "tamp/app/engine_trials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tamp/app/soft_check.hpp"

namespace tamp {
namespace {

/// The cost of rigid grains changes on the way, that of soft ones hardly does.
constexpr double share_of_rigid = 0.65;

/// Soft grains start where rigid ones ended, and stay there.
void continue_from(const TrialRun& trial, CasePiece& piece) {
    piece.start.grains = trial.grains;
    piece.start.contacts.words.clear();
    for (std::size_t w = 0; w < trial.walls.size(); ++w) {
        const double damping = piece.start.walls[w].damping;
        piece.start.walls[w] = trial.walls[w];
        piece.start.walls[w].damping = damping;
    }
    piece.settings.stages = {Stage{.name = "soft"}};
}

} // namespace

void EngineTrials::try_rigid(const Case& settings) {
    const double seconds = share_of_rigid * seconds_;
    constexpr std::int64_t few = 150; // tells how large a piece there is time for
    const bool whole = piece_of(settings, start_, few).enlargement.particles == 1;
    constexpr double share_of_few = 0.3;
    trial_ = run_rigid(settings, few, whole ? seconds : share_of_few * seconds);
    if (!whole && trial_->run.trouble.empty()) {
        const double left = seconds - trial_->run.seconds;
        const double exponent = 1 / (1 + growth_from_scratch(settings.box.dimension));
        const double larger = std::max(2.0, std::pow(left / std::max(0.01, trial_->run.seconds), exponent));
        const auto grains = static_cast<double>(trial_->piece.start.grains.size());
        Trial large = run_rigid(settings, static_cast<std::int64_t>(larger * grains), left);
        if (large.run.trouble.empty())
            trial_ = std::move(large);
    }
    expect_rigid(settings);
}

void EngineTrials::try_soft(const Case& settings) {
    constexpr std::int64_t alone = 1000;
    CasePiece piece = piece_of(settings, start_, trial_ ? trial_->wanted : alone);
    if (trial_ && trial_->run.trouble.empty())
        continue_from(trial_->run, piece);
    const TrialRun trial = run(piece, "soft", trial_ ? (1 - share_of_rigid) * seconds_ : seconds_);
    const StartSizes sizes = start_sizes(start_.grains, settings.box.dimension);
    const SoftOutlook outlook = soft_outlook(settings, sizes);
    soft = expected_soft(trial.seconds_a_step(), outlook.time_step, piece.enlargement);
    for (const std::string& line : outlook.lines)
        notes.push_back("soft: " + line);
}

EngineTrials::Trial EngineTrials::run_rigid(const Case& settings, std::int64_t particles, double seconds) {
    CasePiece piece = piece_of(settings, start_, particles);
    TrialRun trial = run(piece, "rigid", seconds);
    return {std::move(piece), std::move(trial), particles};
}

TrialRun EngineTrials::run(const CasePiece& piece, const char* engine, double seconds) {
    TrialRun trial = try_out(self_, piece.settings, piece.start, seconds,
                             fmt::format("measuring {} grains", engine), progress_);
    const double sweeps = trial.mean_sweeps();
    notes.push_back(fmt::format(
        "{}: {} steps{} of {} in {:.1f} s of CPU time, {:.3g} s simulated{}; coordination {:.2f} at the end",
        engine, trial.steps.size(), sweeps > 0 ? fmt::format(" of {:.3g} sweeps", sweeps) : "",
        piece.start.grains.size() == start_.grains.size()
            ? "the whole case"
            : fmt::format("a piece of {} particles", piece.start.grains.size()),
        trial.seconds, trial.simulated,
        trial.share > 0 ? fmt::format(", {:.0f} % of the stages", 100 * trial.share) : "",
        trial.coordination));
    if (!trial.trouble.empty())
        notes.push_back(fmt::format("{}: the measurement stopped there: {}", engine, trial.trouble));
    return trial;
}

void EngineTrials::expect_rigid(const Case& settings) {
    const TrialRun& run = trial_->run;
    const TimeSettings& time = settings.time;
    const double smallest = start_sizes(start_.grains, settings.box.dimension).smallest;
    RigidBounds bounds{.displacement = time.step > 0 ? 0 : time.displacement * smallest,
                       .min_sweeps = settings.solver.min_sweeps,
                       .max_sweeps = settings.solver.max_sweeps};
    const auto expected = [&](double growth) {
        return expected_rigid(run.steps, {run.sweep_seconds, run.seconds - run.sweep_seconds}, bounds,
                              trial_->piece.enlargement, growth);
    };
    const double from_scratch = growth_from_scratch(settings.box.dimension);
    rigid = expected(0);
    rigid_from_scratch = expected(from_scratch);
    bounds.max_sweeps = std::numeric_limits<int>::max();
    constexpr double many_more = 1.2;
    if (const double needed = expected(from_scratch).sweeps; needed > many_more * rigid_from_scratch->sweeps)
        notes.push_back(
            fmt::format("rigid: solver.max_sweeps = {} keeps steps from the {:.4g} sweeps that "
                        "[000 eq. 1.34] expects; a step that stops there behaves as if grains were "
                        "a little elastic",
                        settings.solver.max_sweeps, needed));
    constexpr double most = 0.5;
    if (run.share < most)
        notes.push_back("rigid: what comes later may cost more; --seconds N measures longer");
}

} // namespace tamp
