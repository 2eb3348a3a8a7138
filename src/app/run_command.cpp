#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "tamp/app/commands.hpp"
#include "tamp/app/law_warnings.hpp"
#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/app/output_folder.hpp"
#include "tamp/app/summary.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/version.hpp"
#include "tamp/io/snapshot.hpp"

namespace tamp {
namespace {

RigidSetup setup_of(const Case& settings) {
    return {settings.box,        settings.gravity, settings.materials,
            settings.walls,      settings.solver,  settings.time,
            settings.neighbours, settings.seed,    settings.measure.energy_budget};
}

/// Console and `run.log` on rank 0, silence elsewhere. Collective.
std::shared_ptr<spdlog::logger> make_logger(const Communicator& communicator, const std::string& folder) {
    std::vector<spdlog::sink_ptr> sinks;
    std::string problem;
    if (communicator.rank() == 0) {
        sinks.push_back(std::make_shared<spdlog::sinks::stdout_sink_st>());
        sinks.back()->set_pattern("%v");
        try {
            sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_st>(folder + "/run.log"));
            sinks.back()->set_pattern("%Y-%m-%d %H:%M:%S %v");
        } catch (const spdlog::spdlog_ex& error) {
            problem = fmt::format("{}: cannot write the log here: {}; choose another --output", folder,
                                  error.what());
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    auto logger = std::make_shared<spdlog::logger>("tamp", sinks.begin(), sinks.end());
    logger->flush_on(spdlog::level::info);
    return logger;
}

/// One run: the engine and everything that watches it.
class Run {
public:
    /// Whatever may be refused is refused before the first file is made.
    Run(const Communicator& communicator, const RunOptions& options)
        : communicator_(communicator),
          settings_(load_case(communicator, options.case_path, options.overrides)),
          picture_settings_(picture_settings(communicator, settings_, options.case_path)),
          engine_(communicator, setup_of(settings_),
                  looked_at(initial_grains(communicator, settings_, options.case_path))),
          folder_(make_output_folder(communicator,
                                     options.output.empty() ? settings_.output.directory : options.output,
                                     "output/" + std::filesystem::path(options.case_path).stem().string())),
          logger_(make_logger(communicator, folder_)), progress_(options.progress),
          observers_(settings_, picture_settings_, engine_, folder_,
                     [this](const std::string& text) { say("warning: " + text); }) {}

    void execute(const std::string& case_path) {
        say(fmt::format("tamp {} ({}): {} on {} rank{}, results in {}", version(), revision(), case_path,
                        communicator_.size(), communicator_.size() == 1 ? "" : "s", folder_));
        for (const std::string& warning : warnings_)
            say("warning: " + warning);
        const auto begin = Clock::now();
        for (std::size_t s = 0; s < settings_.stages.size(); ++s)
            run_stage(s);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        finish(seconds);
    }

private:
    using Clock = std::chrono::steady_clock;

    void say(const std::string& text) {
        if (communicator_.rank() == 0)
            progress_.clear();
        logger_->info(text);
    }

    /// The engine keeps no list of all particles: what there is to say about them is found on their way to
    /// it.
    std::vector<Grain> looked_at(std::vector<Grain> grains) {
        warnings_ = law_warnings(settings_, grains);
        return grains;
    }

    void run_stage(std::size_t number) {
        const Stage& stage = settings_.stages[number];
        for (const WallCommand& command : stage.walls)
            apply(command);
        progress_.begin_stage(stage.name, static_cast<int>(number) + 1,
                              static_cast<int>(settings_.stages.size()));
        const double begin = engine_.time();
        const double end = stage.duration ? begin + *stage.duration : std::numeric_limits<double>::max();
        std::int64_t steps = 0;
        std::string reason;
        while (reason.empty()) {
            const StepReport report = engine_.step(end);
            ++steps;
            reason = why_it_ends(stage, begin, end, steps);
            observers_.after_step(engine_, report,
                                  {.stage = number, .first = steps == 1, .last = !reason.empty()});
            if (communicator_.rank() == 0) {
                double share = stage.duration ? (engine_.time() - begin) / *stage.duration : 0;
                if (stage.steps)
                    share = std::max(share, static_cast<double>(steps) / static_cast<double>(*stage.steps));
                progress_.update(share, engine_, report, observers_.measures().particles,
                                 estimated_stress(engine_, report));
            }
        }
        end_stage(number, steps, reason);
    }

    /// Empty while the stage goes on. Must not depend on what is written and how often.
    std::string why_it_ends(const Stage& stage, double begin, double end, std::int64_t steps) {
        if (engine_.time() >= end)
            return "its duration";
        if (stage.steps && steps >= *stage.steps)
            return "its steps";
        if (stage.until_fraction) {
            if (solid_volume_ == 0 || lost_ != engine_.totals().lost) {
                lost_ = engine_.totals().lost;
                solid_volume_ =
                    measure(engine_).volume_fraction * region_volume(settings_.box, engine_.walls());
            }
            if (solid_volume_ / region_volume(settings_.box, engine_.walls()) >= *stage.until_fraction)
                return "the volume fraction";
        }
        if (stage.until_speed) {
            // What has just begun to fall is not at rest: give gravity the time to make it faster than that.
            const double gravity = norm(settings_.gravity);
            const double patience = gravity > 0 ? 2 * *stage.until_speed / gravity : 0;
            if (steps >= 10 && engine_.time() - begin > patience &&
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

    void end_stage(std::size_t number, std::int64_t steps, const std::string& reason) {
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
        const std::string path = fmt::format("{}/stage-{}-{}.h5", folder_, number + 1, stage.name);
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
            stage.name, reason, engine_.time(), steps, m.volume_fraction, m.coordination, m.kinetic_energy,
            saved));
    }

    void finish(double seconds) {
        const Measures measures = measure(engine_);
        const Performance p = performance(engine_, seconds);
        const std::string hash =
            state_hash(communicator_, owned_grains(engine_), contact_records(engine_)).text();
        Observed observed{.energy = engine_.energy_flows(),
                          .snapshots = observers_.snapshots(),
                          .snapshot_seconds = observers_.snapshot_seconds(),
                          .pictures = observers_.picture_cost()};
        if (observed.energy)
            observed.energy_error = measures.kinetic_energy - observers_.kinetic_energy_at_start() -
                                    observed.energy->expected_change();
        say(summary_text(settings_, engine_, measures, p, observed, hash));
        failed_writes_ |= !observers_.finish();
        if (communicator_.rank() == 0) {
            std::ofstream report(folder_ + "/report.json");
            report << summary_json(settings_, engine_, measures, p, observed, hash);
            if (!report.flush())
                failed_writes_ = true;
        }
        if (communicator_.any(failed_writes_))
            throw FileError(
                folder_ +
                ": the run ended well, but some of its files could not be written (see above); make "
                "room on the disk and run it again");
    }

    const Communicator& communicator_;
    Case settings_;
    std::vector<std::string> warnings_; // before the engine, whose making finds them
    std::vector<PictureSettings> picture_settings_;
    RigidEngine engine_;
    std::string folder_;
    std::shared_ptr<spdlog::logger> logger_;
    Progress progress_;
    Observers observers_;
    bool failed_writes_ = false;
    double solid_volume_ = 0; ///< of all particles, m^3
    std::int64_t lost_ = 0;
};

} // namespace

void run_command(const Communicator& communicator, const RunOptions& options) {
    Run(communicator, options).execute(options.case_path);
}

void check_command(const Communicator& communicator, const RunOptions& options) {
    const Case settings = load_case(communicator, options.case_path, options.overrides);
    picture_settings(communicator, settings, options.case_path);
    const std::vector<Grain> grains = initial_grains(communicator, settings, options.case_path);
    const RigidEngine engine(communicator, setup_of(settings), grains);
    if (communicator.rank() > 0)
        return;
    double volume = 0;
    for (const Grain& grain : grains)
        volume += grain_volume(grain.radius, settings.box.dimension);
    const Int3 tiles = engine.grid().size();
    fmt::print("{}: a good case\n", options.case_path);
    fmt::print("  {} particles, diameters {:.4g} to {:.4g} m, volume fraction {:.4f}\n", grains.size(),
               engine.smallest_diameter(), engine.largest_diameter(),
               volume / region_volume(settings.box, settings.walls));
    fmt::print("  {} x {} x {} tiles, {} walls, {} stages, about {:.0f} MB in a dense packing\n", tiles[0],
               tiles[1], tiles[2], settings.walls.size(), settings.stages.size(),
               1e-6 * 1500 * static_cast<double>(grains.size()));
    for (const std::string& warning : law_warnings(settings, grains))
        fmt::print("warning: {}\n", warning);
}

} // namespace tamp
