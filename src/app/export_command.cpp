#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "tamp/app/commands.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/start.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/fclib/delassus.hpp"
#include "tamp/fclib/problem_file.hpp"
#include "tamp/fclib/rigid_problem.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/protocol/schedule.hpp"
#include "tamp/protocol/stop_conditions.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

/// Beyond this W is left out: a piston couples all of its contacts with each other.
constexpr double most_entries_of_w = 5e7;

void refuse_case(const Case& settings, const std::string& path) {
    if (settings.engine != EngineKind::rigid)
        throw InputError(fmt::format("{}: soft grains have no contact problem to export: their forces follow "
                                     "from overlaps; choose a case with engine = \"rigid\"",
                                     path));
    const auto laws = fclib::foreign_laws(settings.materials, settings.box.dimension);
    if (!laws.empty())
        throw InputError(fmt::format("{}: the case has {}, of which FCLIB has no counterpart: its contacts "
                                     "know friction and restitution only; set these laws to zero",
                                     path, fmt::join(laws, " and ")));
}

/// FCLIB has bodies, and walls as what drives them: no arms, and no free direction but the normal of
/// contacts.
void refuse_walls(const World& world, const std::string& path) {
    for (const Wall& wall : world.walls)
        if (wall.turns() || wall.given_velocity != Vec3{0, 0, 0} ||
            (wall.motion == WallMotion::piston && !wall.is_plane()))
            throw InputError(
                fmt::format("{}: the wall '{}' turns in that step, moves across its normal under a "
                            "load, or is a free one that is no plane, which FCLIB cannot have; "
                            "choose a step in which it does not",
                            path, wall.name));
}

void refuse_unwritable(const Communicator& communicator, const std::string& path) {
    std::string problem;
    if (communicator.rank() == 0) {
        problem = std::filesystem::is_directory(path)
                      ? fmt::format("cannot write {}: it is a folder. Name a file in it.", path)
                      : reserve_partial(path, {}, 0);
        discard_partial(path);
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw FileError(problem);
}

/// Runs a case up to a step, and records the contact problem of that.
class ExportRun {
public:
    ExportRun(const Communicator& communicator, const Case& settings, const ExportOptions& options)
        : communicator_(communicator), settings_(settings), options_(options),
          world_(
              starting_world(communicator, settings, make_start(communicator, settings, options.case_path))),
          engine_(make_engine(world_, engine_settings(settings))), progress_(options.progress) {}

    fclib::ProblemFile run() {
        for (std::size_t stage = 0; stage < settings_.stages.size() && world_.totals.steps < options_.step;
             ++stage)
            run_stage(stage);
        if (communicator_.rank() == 0)
            progress_.clear();
        if (world_.totals.steps < options_.step)
            throw InputError(fmt::format("{}: the case ends after {} steps; give a --step up to that",
                                         options_.case_path, world_.totals.steps));
        if (contacts_ == 0)
            throw InputError(fmt::format("{}: no particle touches anything in step {} (t = {:.6g} s); give a "
                                         "later --step",
                                         options_.case_path, options_.step, world_.clock.time));
        return recorder_.gather(communicator_);
    }

    const World& world() const { return world_; }
    double time_step() const { return recorder_.time_step(); }

private:
    void run_stage(std::size_t number) {
        const Stage& stage = settings_.stages[number];
        apply_commands(stage, world_.box(), world_.walls, world_.clock.time);
        world_.set_growth(stage.growth);
        const StopConditions limits{.stage = stage,
                                    .begin = world_.clock.time,
                                    .steps_between_looks = engine_->steps_between_looks()};
        StageMemory memory = limits.memory_at_begin(world_);
        progress_.begin_stage(stage.name, static_cast<int>(number) + 1,
                              static_cast<int>(settings_.stages.size()), 0, world_.totals, true);
        StageEnd reason = StageEnd::none;
        for (std::int64_t steps = 1; reason == StageEnd::none && world_.totals.steps < options_.step;
             ++steps) {
            if (world_.totals.steps + 1 == options_.step)
                engine_->observe_solves(recorder_.observer());
            follow_schedule(stage, world_.clock.time - limits.begin, world_);
            const StepReport report = engine_->step(limits.end_time());
            contacts_ = report.contacts;
            const bool look = limits.look_at_forces(steps);
            reason = limits.reason_to_end(world_, look ? engine_->forces() : ContactForces{}, steps, memory);
            if (communicator_.rank() == 0 && progress_.due())
                progress_.update(static_cast<double>(world_.totals.steps) /
                                     static_cast<double>(options_.step),
                                 world_, report, world_.sizes.count, estimated_stress(world_, report));
        }
        if (reason != StageEnd::none)
            follow_schedule(stage, world_.clock.time - limits.begin, world_); // tables end where they end
    }

    const Communicator& communicator_;
    const Case& settings_;
    const ExportOptions& options_;
    World world_;
    std::unique_ptr<Engine> engine_;
    fclib::RigidRecorder recorder_;
    Progress progress_;
    std::int64_t contacts_ = 0;
};

} // namespace

void export_command(const Communicator& communicator, const ExportOptions& options) {
    const Case settings = load_case(communicator, options.case_path, options.overrides);
    refuse_case(settings, options.case_path);
    refuse_unwritable(communicator, options.file);
    ExportRun run(communicator, settings, options);
    fclib::ProblemFile file = run.run();
    refuse_walls(run.world(), options.case_path);
    std::string problem;
    if (communicator.rank() == 0) {
        fclib::GlobalProblem& global = *file.global;
        global.texts = {
            .title = settings.title.empty() ? "Rigid grains" : settings.title,
            .description =
                fmt::format("Step {} of a case of tamp: it begins at t = {:.17g} s and lasts {:.17g} "
                            "s. SI units; impulses in N s",
                            options.step, run.world().clock.time - run.time_step(), run.time_step()),
            .math_info =
                "M is diagonal. W is symmetric and positive semi-definite; impulses need not be unique."};
        const bool with_local = fclib::expected_entries(global) <= most_entries_of_w;
        if (with_local)
            file.local = fclib::local_form(global);
        problem = fclib::write_problem(options.file, file);
        if (problem.empty())
            fmt::print("{}: step {}, {} contacts, {} numbers of bodies; {}\n", options.file, options.step,
                       global.contacts(), global.free_momentum.size(),
                       with_local ? "global and local form"
                                  : "global form only, because W of the local one would be too large");
    }
    problem = communicator.first_problem(problem);
    if (!problem.empty())
        throw FileError(problem);
}

} // namespace tamp
