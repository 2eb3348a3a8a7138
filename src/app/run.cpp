#include "tamp/app/run.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "tamp/app/law_warnings.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/output_folder.hpp"
#include "tamp/app/resumed_folder.hpp"
#include "tamp/app/run_log.hpp"
#include "tamp/app/stop_signals.hpp"
#include "tamp/app/summary.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/version.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/snapshot.hpp"

namespace tamp {
namespace {

/// One run: the engine and everything that watches it.
class Run {
public:
    /// Whatever may be refused is refused before the first file is made.
    Run(const Communicator& communicator, RunPlan plan)
        : communicator_(communicator), plan_(std::move(plan)),
          picture_settings_(picture_settings(communicator, settings_, plan_.case_path)),
          engine_(make_engine()), folder_(make_folder()), logger_(make_logger(communicator, folder_)),
          progress_(plan_.progress), observers_(
                                         settings_, picture_settings_, engine_, folder_,
                                         [this](const std::string& text) { warn(text); }, continuation()),
          checkpoints_(communicator, settings_.checkpoint, folder_,
                       [this](const std::string& text) { warn(text); }) {
        if (plan_.from) {
            checkpoints_.set_last(plan_.from->path);
            position_ = plan_.from->checkpoint.run;
            ++position_.legs;
            totals_before_ = engine_.totals();
            if (plan_.output.empty() && position_.failed_writes != 0) {
                failed_writes_ = true;
                plan_.messages.push_back("an earlier part of this run could not write all of its files");
            }
            // A stage that took the place of another, or came behind the last one, begins anew.
            const auto stage = static_cast<std::size_t>(position_.stage);
            if (plan_.other_stages && stage <= last_stage() &&
                settings_.stages[stage].name != plan_.from->checkpoint.stage_name)
                position_.stage_steps = 0;
        }
        plan_.from.reset(); // its particles are in the engine
    }

    int execute() {
        say(fmt::format("tamp {} ({}): {} on {} rank{}, results in {}", version(), revision(),
                        plan_.case_path, communicator_.size(), communicator_.size() == 1 ? "" : "s",
                        folder_));
        if (position_.legs > 1)
            say(fmt::format("goes on from {}: step {}, t = {:.6g} s", checkpoints_.last(),
                            engine_.totals().steps, engine_.time()));
        for (const std::string& message : plan_.messages)
            warn(message);
        begin_ = Clock::now();
        const bool all = run_stages();
        const double seconds = seconds_so_far();
        if (all || stop_signal_ == 0) {
            finish(seconds);
            return 0;
        }
        return leave();
    }

private:
    using Clock = std::chrono::steady_clock;

    void say(const std::string& text) {
        if (communicator_.rank() == 0)
            progress_.clear();
        logger_->info(text);
    }
    void warn(const std::string& text) { say("warning: " + text); }

    RigidEngine make_engine() {
        if (plan_.from)
            return {communicator_, setup_of(settings_), taken(plan_.from->checkpoint.engine)};
        // The engine keeps no list of all particles: what there is to say about them is found on their way
        // to it.
        const std::vector<Grain> grains = initial_grains(communicator_, settings_, plan_.case_path);
        plan_.messages = law_warnings(settings_, grains);
        return {communicator_, setup_of(settings_), grains};
    }

    /// The engine needs it once; then its memory is free.
    SavedEngine taken(SavedEngine& saved) {
        energy_goes_on_ = !saved.energy_words.empty();
        return std::exchange(saved, {});
    }

    std::string make_folder() {
        if (plan_.from && plan_.output.empty()) {
            const std::string folder = folder_of(plan_.from->path);
            const std::vector<std::string> done =
                make_ready(communicator_, folder, engine_.totals().steps, plan_.other_physics);
            plan_.messages.insert(plan_.messages.end(), done.begin(), done.end());
            return folder;
        }
        const std::string name = std::filesystem::path(plan_.case_path).stem().string();
        return make_output_folder(communicator_,
                                  plan_.output.empty() ? settings_.output.directory : plan_.output,
                                  "output/" + name);
    }

    Continuation continuation() {
        if (!plan_.from)
            return {};
        return {.checkpoint = &plan_.from->checkpoint,
                .same_folder = plan_.output.empty(),
                .same_columns = plan_.series_go_on,
                .energy = energy_goes_on_};
    }

    std::string path_of(std::size_t stage) const {
        return fmt::format("{}/stage-{}-{}.h5", folder_, stage + 1, settings_.stages[stage].name);
    }
    std::size_t last_stage() const { return settings_.stages.size() - 1; }
    double seconds_so_far() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    bool until_is_reached() const { return plan_.until && engine_.time() >= *plan_.until; }

    /// False if the run was stopped before its end.
    bool run_stages() {
        const auto count = static_cast<std::int64_t>(settings_.stages.size());
        position_.stage = std::min(position_.stage, count - 1); // --until: the last one goes on
        while (position_.stage < count) {
            if (engine_.totals().steps > 0 && until_is_reached())
                return false;
            if (!run_stage(static_cast<std::size_t>(position_.stage)))
                return false;
        }
        return true;
    }

    bool run_stage(std::size_t number) {
        const Stage& stage = settings_.stages[number];
        std::string reason;
        if (position_.stage_steps == 0 || plan_.other_stages)
            for (const WallCommand& command : stage.walls)
                apply(command);
        plan_.other_stages = false;
        if (position_.stage_steps == 0)
            position_.stage_begin = engine_.time();
        else
            reason = why_it_ends(number);
        if (!reason.empty() && number == last_stage() && is_there(communicator_, path_of(number))) {
            // after --until had made it longer
            position_.stage = static_cast<std::int64_t>(number) + 1;
            return true;
        }
        progress_.begin_stage(stage.name, static_cast<int>(number) + 1,
                              static_cast<int>(settings_.stages.size()));
        while (reason.empty()) {
            const StepReport report = engine_.step(end_of(number));
            ++position_.stage_steps;
            reason = why_it_ends(number);
            observers_.after_step(
                engine_, report,
                {.stage = number, .first = position_.stage_steps == 1, .last = !reason.empty()});
            show_progress(stage, report);
            if (reason.empty() && !go_on())
                return false;
        }
        end_stage(number, reason);
        return true;
    }

    void show_progress(const Stage& stage, const StepReport& report) {
        if (communicator_.rank() != 0)
            return;
        double share = stage.duration ? (engine_.time() - position_.stage_begin) / *stage.duration : 0;
        if (stage.steps)
            share = std::max(share,
                             static_cast<double>(position_.stage_steps) / static_cast<double>(*stage.steps));
        progress_.update(share, engine_, report, observers_.measures().particles,
                         estimated_stress(engine_, report));
    }

    /// After a step within a stage: writes a checkpoint if one is due; false if the run is to stop.
    bool go_on() {
        // One message a step decides for all ranks: signals and clocks are those of each rank.
        const bool due = checkpoints_.due(engine_.totals().steps);
        stop_signal_ = static_cast<int>(communicator_.max(std::int64_t{StopSignals::received()} * 2 + due));
        const bool any_due = stop_signal_ % 2 != 0;
        stop_signal_ /= 2;
        const bool until = until_is_reached();
        if (any_due || until || stop_signal_ != 0)
            write_checkpoint_now();
        return !until && stop_signal_ == 0;
    }

    void write_checkpoint_now() {
        // What it stands for is on the disk before it, if it can be.
        position_.failed_writes = communicator_.any(!observers_.flush() || failed_writes_) ? 1 : 0;
        engine_.make_room();
        Checkpoint checkpoint{
            .identity = {settings_.title, settings_.source, settings_.seed, communicator_.size()},
            .case_path = std::filesystem::absolute(plan_.case_path).string(),
            .stage_name =
                settings_.stages[std::min(static_cast<std::size_t>(position_.stage), last_stage())].name,
            .state_hash = hash(),
            .run = position_};
        checkpoint.run.wall_seconds += seconds_so_far();
        checkpoint.engine = engine_.save();
        observers_.save(checkpoint);
        checkpoints_.write(checkpoint);
    }

    std::string hash() const {
        return state_hash(communicator_, owned_grains(engine_), contact_records(engine_)).text();
    }

    /// With --until beyond the end of the last stage, that one goes on.
    bool is_extended(std::size_t number) const { return plan_.until && number == last_stage(); }

    double end_of(std::size_t number) const {
        const std::optional<double>& duration = settings_.stages[number].duration;
        const double end = duration ? position_.stage_begin + *duration : std::numeric_limits<double>::max();
        return is_extended(number) && *plan_.until > end ? std::numeric_limits<double>::max() : end;
    }

    /// Empty while the stage goes on. Must not depend on what is written and how often.
    std::string why_it_ends(std::size_t number) {
        const Stage& stage = settings_.stages[number];
        const std::int64_t steps = position_.stage_steps;
        if (engine_.time() >= end_of(number))
            return "its duration";
        if (is_extended(number))
            return {};
        if (stage.steps && steps >= *stage.steps)
            return "its steps";
        if (stage.until_fraction) {
            double& solid = position_.solid_volume;
            if (solid == 0 || position_.solid_volume_lost != engine_.totals().lost) {
                position_.solid_volume_lost = engine_.totals().lost;
                solid = measure(engine_).volume_fraction * region_volume(settings_.box, engine_.walls());
            }
            if (solid / region_volume(settings_.box, engine_.walls()) >= *stage.until_fraction)
                return "the volume fraction";
        }
        if (stage.until_speed) {
            // What has just begun to fall is not at rest: give gravity the time to make it faster than that.
            const double gravity = norm(settings_.gravity);
            const double patience = gravity > 0 ? 2 * *stage.until_speed / gravity : 0;
            if (steps >= 10 && engine_.time() - position_.stage_begin > patience &&
                engine_.largest_speed() < *stage.until_speed)
                return "rest";
        }
        return {};
    }

    void apply(const WallCommand& command) {
        for (Wall& wall : engine_.walls())
            if (wall.name == command.wall) {
                const bool was_free = wall.motion == WallMotion::piston;
                wall.motion = command.motion;
                wall.force = command.force;
                if (command.mass > 0)
                    wall.mass = command.mass;
                // A wall that becomes free starts from rest; a piston goes on as it moves.
                if (command.motion != WallMotion::piston)
                    wall.velocity = command.velocity;
                else if (!was_free)
                    wall.velocity = {0, 0, 0};
            }
    }

    void end_stage(std::size_t number, const std::string& reason) {
        const Stage& stage = settings_.stages[number];
        const Measures m = measure(engine_);
        const StateHeader header{.time = engine_.time(),
                                 .step = engine_.totals().steps,
                                 .dimension = settings_.box.dimension,
                                 .stage = stage.name,
                                 .input = settings_.source,
                                 .seed = settings_.seed,
                                 .ranks = communicator_.size(),
                                 .time_step = engine_.last_time_step(),
                                 .lower = settings_.box.lower,
                                 .upper = settings_.box.upper};
        const std::string path = path_of(number);
        std::string saved = path;
        engine_.make_room();
        try {
            write_state(communicator_, path, header, owned_grains(engine_), contact_records(engine_),
                        engine_.walls());
        } catch (const FileError& error) {
            saved = fmt::format("NOT saved ({})",
                                error.what()); // a full disk must not end a run that computes well
            failed_writes_ = true;
        }
        say(fmt::format(
            "{}: ended by {} at t = {:.6g} s after {} steps; volume fraction {:.4f}, coordination {:.3f}, "
            "kinetic energy {:.3g} J; {}",
            stage.name, reason, engine_.time(), position_.stage_steps, m.volume_fraction, m.coordination,
            m.kinetic_energy, saved));
        position_.stage = static_cast<std::int64_t>(number) + 1;
        if (number < last_stage())
            position_.stage_steps = 0; // those of the last one count on if it is extended
        if (communicator_.any(settings_.checkpoint.stage_ends || until_is_reached() ||
                              checkpoints_.due(engine_.totals().steps)))
            write_checkpoint_now();
    }

    /// The end of a run that a signal stopped.
    int leave() {
        const std::string until = plan_.until ? fmt::format(" --until {}", *plan_.until) : "";
        say(fmt::format("stopped by {} after step {}, t = {:.6g} s; {}{}", signal_name(stop_signal_),
                        engine_.totals().steps, engine_.time(),
                        checkpoints_.failing() ? "the steps since the last checkpoint are lost; " : "",
                        checkpoints_.last().empty()
                            ? "there is no checkpoint"
                            : "go on with: tamp resume " + checkpoints_.last() + until));
        observers_.flush();
        if (checkpoints_.last().empty())
            throw FileError(folder_ +
                            ": stopped, and no checkpoint could be written (see above); the run has to "
                            "be started again");
        return stopped_early;
    }

    void finish(double seconds) {
        const Measures measures = measure(engine_);
        const Performance p = performance(engine_, seconds);
        const std::string state = hash();
        Observed observed{.energy = engine_.energy_flows(),
                          .snapshots = observers_.snapshots(),
                          .snapshot_seconds = observers_.snapshot_seconds(),
                          .pictures = observers_.picture_cost(),
                          .checkpoints = checkpoints_.written(),
                          .checkpoint_seconds = checkpoints_.seconds(),
                          .earlier = {.legs = position_.legs - 1,
                                      .seconds = position_.wall_seconds,
                                      .steps = totals_before_.steps,
                                      .contact_updates = totals_before_.contact_updates}};
        if (observed.energy)
            observed.energy_error = measures.kinetic_energy - observers_.kinetic_energy_at_start() -
                                    observed.energy->expected_change();
        say(summary_text(settings_, engine_, measures, p, observed, state));
        failed_writes_ |= !observers_.flush() || checkpoints_.failing();
        const std::string report = summary_json(settings_, engine_, measures, p, observed, state);
        if (communicator_.rank() == 0)
            failed_writes_ |=
                !write_whole(folder_ + "/report.json", std::as_bytes(std::span(report))).empty();
        if (communicator_.any(failed_writes_))
            throw FileError(
                folder_ +
                ": the run ended well, but some of its files could not be written (see above); make "
                "room on the disk and run it again");
    }

    const Communicator& communicator_;
    RunPlan plan_;
    const Case& settings_ = plan_.settings;
    bool energy_goes_on_ = false; // before the engine, whose making finds it
    std::vector<PictureSettings> picture_settings_;
    RigidEngine engine_;
    std::string folder_;
    std::shared_ptr<spdlog::logger> logger_;
    Progress progress_;
    Observers observers_;
    Checkpoints checkpoints_;
    RunPosition position_;
    RunTotals totals_before_; ///< of earlier legs
    Clock::time_point begin_;
    int stop_signal_ = 0;
    bool failed_writes_ = false;
};

} // namespace

int execute(const Communicator& communicator, RunPlan plan) {
    return Run(communicator, std::move(plan)).execute();
}

} // namespace tamp
