#include "tamp/app/run.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/output_folder.hpp"
#include "tamp/app/overlap_guard.hpp"
#include "tamp/app/resumed_folder.hpp"
#include "tamp/app/run_log.hpp"
#include "tamp/app/run_position.hpp"
#include "tamp/app/stage_table.hpp"
#include "tamp/app/start.hpp"
#include "tamp/app/start_warnings.hpp"
#include "tamp/app/stop_signals.hpp"
#include "tamp/app/summary.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/version.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/world_state.hpp"
#include "tamp/protocol/schedule.hpp"
#include "tamp/protocol/stop_conditions.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

/// One run: a world, the engine that moves it, and everything that watches.
class Run {
public:
    /// Whatever may be refused is refused before the first file is made.
    Run(const Communicator& communicator, RunPlan plan)
        : communicator_(communicator), plan_(std::move(plan)),
          picture_settings_(picture_settings(communicator, settings_, plan_.case_path)), world_(make_world()),
          engine_(make_engine(world_, engine_settings(settings_), saved_by_engine())), folder_(make_folder()),
          logger_(make_logger(communicator, folder_)), progress_(plan_.progress),
          observers_(
              settings_, picture_settings_, world_, *engine_, folder_,
              [this](const std::string& text) { warn(text); }, continuation()),
          stages_(settings_.stages, observers_.last_row()),
          checkpoints_(communicator, settings_.checkpoint, folder_,
                       [this](const std::string& text) { warn(text); }) {
        if (plan_.from) {
            stages_.restore(plan_.from->checkpoint.stages);
            checkpoints_.set_last(plan_.from->path);
            position_ = plan_.from->checkpoint.run;
            ++position_.legs;
            totals_before_ = world_.totals;
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
        plan_.from.reset(); // its particles are in the world
        if (settings_.solver.scheme == SweepScheme::block)
            note_block_ranks(communicator.size(), position_);
    }

    int execute() {
        say(fmt::format("tamp {} ({}): {} on {} rank{}, results in {}", version(), revision(),
                        plan_.case_path, communicator_.size(), communicator_.size() == 1 ? "" : "s",
                        folder_));
        if (position_.legs > 1)
            say(fmt::format("goes on from {}: step {}, t = {:.6g} s", checkpoints_.last(),
                            world_.totals.steps, world_.clock.time));
        for (const std::string& note : plan_.notes)
            say(note);
        for (const std::string& message : plan_.messages)
            warn(message);
        begin_ = Clock::now();
        const bool all = [this] {
            try {
                return run_stages();
            } catch (const NumericalError&) {
                observers_.flush(); // the way there is worth a look
                throw;
            }
        }();
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

    World make_world() {
        if (plan_.from) {
            const WorldSetup setup = world_setup(settings_);
            // It is needed once; then its memory is free.
            SavedWorld saved = std::exchange(plan_.from->checkpoint.world, {});
            if (gravity_is_of_case(settings_.stages, plan_.from->checkpoint.run))
                saved.gravity.reset();
            return World(communicator_, setup, engine_needs(setup, engine_settings(settings_), saved.sizes),
                         saved);
        }
        // The world keeps no list of all particles: what there is to say about them is found on their way
        // to it.
        const Start start = make_start(communicator_, settings_, plan_.case_path);
        plan_.messages = start_warnings(settings_, start.grains);
        plan_.notes = start.notes;
        return starting_world(communicator_, settings_, start);
    }

    std::span<const SavedWords> saved_by_engine() const {
        return plan_.from ? std::span<const SavedWords>(plan_.from->checkpoint.engine)
                          : std::span<const SavedWords>{};
    }

    std::string make_folder() {
        std::string folder;
        if (plan_.from && plan_.output.empty()) {
            folder = folder_of(plan_.from->path);
            const std::vector<std::string> done =
                make_ready(communicator_, folder, world_.totals.steps, plan_.other_physics);
            plan_.messages.insert(plan_.messages.end(), done.begin(), done.end());
        } else {
            const std::string name = std::filesystem::path(plan_.case_path).stem().string();
            OutputFolder made = make_output_folder(
                communicator_, plan_.output.empty() ? settings_.output.directory : plan_.output,
                "output/" + name);
            folder = made.path;
            plan_.lock = std::move(made.lock);
        }
        if (!plan_.lock.problem().empty())
            plan_.messages.push_back(plan_.lock.problem());
        return folder;
    }

    Continuation continuation() {
        if (!plan_.from)
            return {};
        return {.checkpoint = &plan_.from->checkpoint,
                .same_folder = plan_.output.empty(),
                .same_columns = plan_.series_go_on,
                .energy = plan_.from->checkpoint.run.follows_energy != 0};
    }

    std::string path_of(std::size_t stage) const {
        return fmt::format("{}/stage-{}-{}.h5", folder_, stage + 1, settings_.stages[stage].name);
    }
    std::size_t last_stage() const { return settings_.stages.size() - 1; }
    double seconds_so_far() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    bool until_is_reached() const { return plan_.until && world_.clock.time >= *plan_.until; }

    /// False if the run was stopped before its end.
    bool run_stages() {
        const auto count = static_cast<std::int64_t>(settings_.stages.size());
        position_.stage = std::min(position_.stage, count - 1); // --until: the last one goes on
        while (position_.stage < count) {
            if (world_.totals.steps > 0 && until_is_reached())
                return false;
            if (!run_stage(static_cast<std::size_t>(position_.stage)))
                return false;
        }
        return true;
    }

    bool run_stage(std::size_t number) {
        const Stage& stage = settings_.stages[number];
        StageEnd reason = StageEnd::none;
        const bool begins = position_.stage_steps == 0;
        if (begins && number > 0 && !plan_.other_stages) // tables end where they end
            follow_schedule(settings_.stages[number - 1], world_.clock.time - position_.stage_begin, world_);
        position_.stage_begin = begins ? world_.clock.time : position_.stage_begin;
        if (begins || plan_.other_stages)
            apply_commands(stage, world_.box(), world_.walls, position_.stage_begin);
        plan_.other_stages = false;
        world_.set_growth(stage.growth);
        if (begins)
            remember(conditions(number).memory_at_begin(world_), position_);
        else
            reason = why_it_ends(number);
        if (reason != StageEnd::none && number == last_stage() && is_there(communicator_, path_of(number))) {
            // after --until had made it longer
            position_.stage = static_cast<std::int64_t>(number) + 1;
            return true;
        }
        progress_.begin_stage(stage.name, static_cast<int>(number) + 1,
                              static_cast<int>(settings_.stages.size()),
                              conditions(number).share_done(world_, position_.stage_steps), world_.totals,
                              stage.may_end_sooner());
        while (reason == StageEnd::none) {
            follow_schedule(stage, world_.clock.time - position_.stage_begin, world_);
            const StepReport report = engine_->step(conditions(number).end_time());
            ++position_.stage_steps;
            reason = why_it_ends(number);
            observers_.after_step(
                world_, *engine_, report,
                {.stage = number, .first = position_.stage_steps == 1, .last = reason != StageEnd::none});
            show_progress(number, report);
            if (overlap_guard_.should_save(world_, report, checkpoints_.last()) && reason == StageEnd::none)
                write_checkpoint_now();
            if (reason == StageEnd::none && !go_on())
                return false;
        }
        end_stage(number, reason);
        return true;
    }

    /// By rank 0 alone: nothing here may be collective.
    void show_progress(std::size_t number, const StepReport& report) {
        if (communicator_.rank() == 0 && progress_.due())
            progress_.update(conditions(number).share_done(world_, position_.stage_steps), world_, report,
                             observers_.measures().particles, estimated_stress(world_, report));
    }

    /// After a step within a stage: writes a checkpoint if one is due; false if the run is to stop.
    bool go_on() {
        // One message a step decides for all ranks: signals and clocks are those of each rank.
        const bool due = checkpoints_.due(world_.totals.steps);
        stop_signal_ = static_cast<int>(communicator_.max(std::int64_t{StopSignals::received()} * 2 + due));
        const bool any_due = stop_signal_ % 2 != 0;
        stop_signal_ /= 2;
        const bool until = until_is_reached();
        if (any_due || until || stop_signal_ != 0)
            write_checkpoint_now();
        return !until && stop_signal_ == 0;
    }

    void write_checkpoint_now() {
        overlap_guard_.check(world_, checkpoints_.last()); // before others start from this state
        // What it stands for is on the disk before it, if it can be.
        position_.failed_writes = communicator_.any(!observers_.flush() || failed_writes_) ? 1 : 0;
        engine_->make_room();
        Checkpoint checkpoint{
            .identity = {settings_.title, settings_.source, settings_.seed, communicator_.size()},
            .case_path = std::filesystem::absolute(plan_.case_path).string(),
            .stage_name =
                settings_.stages[std::min(static_cast<std::size_t>(position_.stage), last_stage())].name,
            .state_hash = state_hash(world_).text(),
            .run = position_};
        checkpoint.run.wall_seconds += seconds_so_far();
        checkpoint.run.follows_energy = settings_.measure.energy_budget ? 1 : 0;
        checkpoint.world = world_.save();
        checkpoint.engine = engine_->save();
        checkpoint.stages = stages_.saved();
        observers_.save(checkpoint);
        checkpoints_.write(checkpoint);
    }

    /// With --until beyond the end of the last stage, that one goes on.
    StopConditions conditions(std::size_t number) const {
        return {.stage = settings_.stages[number],
                .begin = position_.stage_begin,
                .extended_until = number == last_stage() ? plan_.until : std::nullopt,
                .steps_between_looks = engine_->steps_between_looks()};
    }

    StageEnd why_it_ends(std::size_t number) {
        StageMemory memory = memory_of(position_);
        const StopConditions limits = conditions(number);
        const bool look = limits.look_at_forces(position_.stage_steps);
        const StageEnd reason =
            limits.reason_to_end(world_, look ? engine_->forces() : ContactForces{}, position_.stage_steps,
                                 memory, look ? engine_->spring_energy() : std::nullopt);
        remember(memory, position_);
        return reason;
    }

    void end_stage(std::size_t number, StageEnd reason) {
        const Stage& stage = settings_.stages[number];
        overlap_guard_.check(world_, checkpoints_.last());
        const Measures m = measure(world_, engine_->forces());
        StateHeader header = header_of(world_);
        header.stage = stage.name;
        header.input = settings_.source;
        const std::string path = path_of(number);
        std::string saved = path;
        engine_->make_room();
        try {
            write_state(communicator_, path, header, state_of(world_), world_.walls);
        } catch (const FileError& error) {
            saved = fmt::format("NOT saved ({})",
                                error.what()); // a full disk must not end a run that computes well
            failed_writes_ = true;
        }
        say(fmt::format(
            "{}: ended by {} at t = {:.6g} s after {} steps; volume fraction {:.4f}, coordination {:.3f}, "
            "kinetic energy {:.3g} J; {}",
            stage.name, end_text(stage, reason), world_.clock.time, position_.stage_steps, m.volume_fraction,
            m.coordination, m.kinetic_energy, saved));
        stages_.add(number, reason,
                    {.time = world_.clock.time,
                     .steps = world_.totals.steps,
                     .sweeps = world_.totals.sweeps,
                     .capped_steps = world_.totals.capped_steps,
                     .seconds = position_.wall_seconds + seconds_so_far()},
                    observers_.last_row());
        const std::string problem = communicator_.rank() == 0 ? stages_.write(folder_) : "";
        if (!problem.empty())
            warn(problem);
        failed_writes_ |= !problem.empty();
        position_.stage = static_cast<std::int64_t>(number) + 1;
        if (number < last_stage())
            position_.stage_steps = 0; // those of the last one count on if it is extended
        if (communicator_.any(settings_.checkpoint.stage_ends || until_is_reached() ||
                              checkpoints_.due(world_.totals.steps)))
            write_checkpoint_now();
    }

    /// The end of a run that a signal stopped.
    int leave() {
        const std::string until = plan_.until ? fmt::format(" --until {}", *plan_.until) : "";
        say(fmt::format(
            "stopped by {} after step {}, t = {:.6g} s; {}{}", signal_name(stop_signal_), world_.totals.steps,
            world_.clock.time, checkpoints_.failing() ? "the steps since the last checkpoint are lost; " : "",
            checkpoints_.last().empty() ? "there is no checkpoint"
                                        : "go on with: tamp resume " + checkpoints_.last() + until));
        observers_.flush();
        if (checkpoints_.last().empty())
            throw FileError(folder_ +
                            ": stopped, and no checkpoint could be written (see above); the run has to "
                            "be started again");
        return stopped_early;
    }

    void finish(double seconds) {
        const Measures measures = measure(world_, engine_->forces());
        const Performance p = performance(world_, seconds);
        const std::string state = state_hash(world_).text();
        Observed observed{.stages = &stages_,
                          .energy = engine_->energy_flows(),
                          .snapshots = observers_.snapshots(),
                          .snapshot_seconds = observers_.snapshot_seconds(),
                          .pictures = observers_.picture_cost(),
                          .checkpoints = checkpoints_.written(),
                          .checkpoint_seconds = checkpoints_.seconds(),
                          .earlier = {.legs = position_.legs - 1,
                                      .seconds = position_.wall_seconds,
                                      .steps = totals_before_.steps,
                                      .contact_updates = totals_before_.contact_updates},
                          .block_ranks = position_.block_ranks};
        if (observed.energy)
            observed.energy_error = measures.kinetic_energy - observers_.kinetic_energy_at_start() -
                                    observed.energy->expected_change();
        say(summary_text(settings_, world_, measures, p, observed, state));
        failed_writes_ |= !observers_.flush() || checkpoints_.failing();
        const std::string report = summary_json(settings_, world_, measures, p, observed, state);
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
    std::vector<PictureSettings> picture_settings_;
    World world_;
    std::unique_ptr<Engine> engine_;
    std::string folder_;
    std::shared_ptr<spdlog::logger> logger_;
    Progress progress_;
    Observers observers_;
    StageTable stages_;
    Checkpoints checkpoints_;
    OverlapGuard overlap_guard_{settings_.max_overlap};
    RunPosition position_;
    Totals totals_before_; ///< of earlier legs
    Clock::time_point begin_;
    int stop_signal_ = 0;
    bool failed_writes_ = false;
};

} // namespace

int execute(const Communicator& communicator, RunPlan plan) {
    return Run(communicator, std::move(plan)).execute();
}

} // namespace tamp
