#include <algorithm>

#include <fmt/format.h>

#include "tamp/app/commands.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/memory_estimate.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/resumed_folder.hpp"
#include "tamp/app/run.hpp"
#include "tamp/app/soft_check.hpp"
#include "tamp/app/start.hpp"
#include "tamp/app/start_warnings.hpp"
#include "tamp/app/summary.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/config/compare.hpp"
#include "tamp/config/parse_case.hpp"
#include "tamp/engine/make_engine.hpp"

namespace tamp {
namespace {

std::string listed(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

/// All stages of a case are run.
bool is_complete(const Checkpoint& checkpoint, const Case& settings) {
    return checkpoint.run.stage >= static_cast<std::int64_t>(settings.stages.size());
}

/// The time that is asked for is reached; without one, all stages are run.
bool is_done(const Checkpoint& checkpoint, const RunPlan& plan) {
    return plan.until ? checkpoint.world.time >= *plan.until : is_complete(checkpoint, plan.settings);
}

/// A time within the last step is one that the run was stopped for: whoever asks once more makes no mistake.
void refuse_past(const std::optional<double>& until, const FoundCheckpoint& found) {
    const SavedWorld& world = found.checkpoint.world;
    if (until && *until <= world.time - world.last_time_step && *until < world.time)
        throw InputError(fmt::format("{}: --until {} s lies before the time of this checkpoint, {} s; give a "
                                     "later time, or name an earlier checkpoint",
                                     found.path, *until, world.time));
}

/// Two ways to say where results go would need a rule which one wins.
void refuse_directory(const ResumeOptions& options, const Case& before, const Case& after) {
    const bool named = std::ranges::any_of(options.overrides, [](const std::string& assignment) {
        std::string key = assignment.substr(0, assignment.find('='));
        std::erase(key, ' ');
        return key == "output.directory"; // perhaps with the value that it had
    });
    if (named || before.output.directory != after.output.directory)
        throw InputError(fmt::format("{}: --set output.directory has no effect on a run that goes on: its "
                                     "results stay together; use --output FOLDER for another folder",
                                     options.path));
}

/// What a run may not become halfway.
void refuse_changes(const CaseChanges& changes, const std::string& path, bool force) {
    if (!changes.structure.empty())
        throw InputError(
            fmt::format("{}: --set changes {}, which its state was made for; start a new case with "
                        "tamp run, for example with generator = \"file\"",
                        path, listed(changes.structure)));
    if (!changes.physics.empty() && !force)
        throw InputError(fmt::format("{}: --set changes {}: that would be another run from here on; if it is "
                                     "meant, add --force",
                                     path, listed(changes.physics)));
}

} // namespace

int run_command(const Communicator& communicator, const RunOptions& options) {
    RunPlan plan{.settings = load_case(communicator, options.case_path, options.overrides),
                 .case_path = options.case_path,
                 .output = options.output,
                 .progress = options.progress,
                 .until = options.until};
    return execute(communicator, std::move(plan));
}

int resume_command(const Communicator& communicator, const ResumeOptions& options) {
    // Without a lock where results go elsewhere: what is only read may be of a run that is alive.
    FolderLock lock = options.output.empty() ? lock_for_resume(communicator, options.path) : FolderLock();
    FoundCheckpoint found = find_checkpoint(communicator, options.path);
    const RunIdentity& identity = found.checkpoint.identity;
    RunPlan plan{.settings = parse_case(identity.input, found.path, options.overrides),
                 .case_path = found.checkpoint.case_path,
                 .output = options.output,
                 .progress = options.progress,
                 .until = options.until};
    const Case before = parse_case(identity.input, found.path);
    const CaseChanges changes = compare_cases(identity.input, plan.settings.source);
    refuse_changes(changes, found.path, options.force);
    refuse_directory(options, before, plan.settings);
    refuse_past(options.until, found);
    plan.series_go_on = !changes.measures && options.output.empty();
    plan.messages = found.messages;
    plan.other_physics = !changes.physics.empty();
    plan.other_stages = std::ranges::count(changes.physics, "stage") > 0;
    // One that was killed between its last checkpoint and its report still has to make that.
    if (is_done(found.checkpoint, plan) &&
        is_reported(communicator, found.path, found.checkpoint.state_hash)) {
        if (found.checkpoint.run.failed_writes != 0)
            throw FileError(found.path +
                            ": this run is finished, but some of its files could not be written; "
                            "see its run.log, and run it again if they are needed");
        if (communicator.rank() == 0)
            fmt::print("{}: this run {}\nstate hash: {}\n", found.path,
                       plan.until ? fmt::format("has reached --until {} s already: its time is {} s; a later "
                                                "time goes on",
                                                *plan.until, found.checkpoint.world.time)
                                  : "is finished already; --until TIME goes on",
                       labelled_hash(found.checkpoint.state_hash, found.checkpoint.run.block_ranks));
        return 0;
    }
    if (plan.other_physics && options.output.empty())
        refuse_to_replace(communicator, found.path, found.checkpoint, is_complete(found.checkpoint, before));
    if (plan.other_physics)
        plan.messages.push_back(fmt::format("the case is changed from here on: {}", listed(changes.physics)));
    plan.from = std::move(found);
    plan.lock = std::move(lock);
    return execute(communicator, std::move(plan));
}

void check_command(const Communicator& communicator, const RunOptions& options) {
    const Case settings = load_case(communicator, options.case_path, options.overrides);
    picture_settings(communicator, settings, options.case_path);
    const Start start = make_start(communicator, settings, options.case_path);
    const std::vector<Grain>& grains = start.grains;
    const StartSizes sizes = start_sizes(grains, settings.box.dimension);
    World world = starting_world(communicator, settings, start);
    const double first_step = make_engine(world, engine_settings(settings))->largest_time_step();
    if (communicator.rank() > 0)
        return;
    double volume = 0;
    for (const Grain& grain : grains)
        volume += grain_volume(grain.radius, settings.box.dimension);
    const Int3 tiles = world.neighbours.grid().size();
    fmt::print("{}: a good case\n", options.case_path);
    fmt::print("  {} particles, diameters {:.4g} to {:.4g} m, volume fraction {:.4f}\n", grains.size(),
               sizes.smallest, sizes.largest, volume / region_volume(settings.box, start.walls));
    fmt::print("  {} x {} x {} tiles, {} walls, {} stages\n", tiles[0], tiles[1], tiles[2],
               settings.walls.size(), settings.stages.size());
    const MemoryEstimate memory = expected_memory(settings, world.needs, sizes.count, communicator.size());
    fmt::print(
        "  memory on {} rank{}: about {:.0f} MB in a dense packing ({} contacts a particle), {:.0f} MB while "
        "hardly any particles touch{}\n",
        communicator.size(), communicator.size() == 1 ? "" : "s", 1e-6 * memory.packed,
        memory.contacts_a_particle, 1e-6 * memory.apart,
        memory.pictures > 0 ? fmt::format("; {:.0f} MB of it for pictures", 1e-6 * memory.pictures) : "");
    const SoftOutlook outlook =
        settings.engine == EngineKind::soft ? soft_outlook(settings, sizes) : SoftOutlook{};
    for (const std::string& line : outlook.lines)
        fmt::print("  {}\n", line);
    if (settings.engine == EngineKind::rigid)
        fmt::print("  first time step at most {:.3g} s\n", first_step);
    for (const std::string& note : start.notes)
        fmt::print("  {}\n", note);
    for (const std::string& warning : start_warnings(settings, grains))
        fmt::print("warning: {}\n", warning);
}

} // namespace tamp
