#include "tamp/app/trial_run.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "tamp/app/load_case.hpp"
#include "tamp/app/observers.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/protocol/schedule.hpp"
#include "tamp/protocol/stop_conditions.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

/// CPU time: what others do on this machine hardly counts.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Trial {
public:
    Trial(const Communicator& self, const Case& settings, const Start& start, double seconds,
          Progress& progress)
        : settings_(settings), world_(starting_world(self, settings, start)),
          engine_(make_engine(world_, engine_settings(settings))), most_(seconds), progress_(progress) {}

    TrialRun run(const std::string& label) {
        const double wall_begin = wall_seconds();
        begin_ = cpu_seconds();
        progress_.begin_stage(label, 1, 1, 0, world_.totals, true);
        const auto count = static_cast<double>(settings_.stages.size());
        try {
            for (std::size_t stage = 0; stage < settings_.stages.size() && !is_over(); ++stage)
                result_.share = (static_cast<double>(stage) + run_stage(settings_.stages[stage])) / count;
        } catch (const NumericalError& error) {
            result_.trouble = error.what();
        }
        result_.seconds = cpu_seconds() - begin_;
        result_.simulated = world_.clock.time;
        if (result_.trouble.empty())
            result_.coordination = measure(world_, engine_->forces()).coordination;
        const double in_sweeps = world_.profile.seconds(world_.profile.part("solve"));
        result_.sweep_seconds = result_.seconds * in_sweeps / std::max(1e-9, wall_seconds() - wall_begin);
        for (std::size_t i = 0; i < world_.particles.owned; ++i)
            result_.grains.push_back(world_.particles.grain(i));
        result_.walls = world_.walls;
        progress_.clear();
        return std::move(result_);
    }

private:
    bool is_over() const { return cpu_seconds() - begin_ >= most_; }

    /// The share of the stage that was done.
    double run_stage(const Stage& stage) {
        apply_commands(stage, world_.box(), world_.walls, world_.clock.time);
        world_.set_growth(stage.growth);
        const StopConditions limits{.stage = stage,
                                    .begin = world_.clock.time,
                                    .steps_between_looks = engine_->steps_between_looks()};
        StageMemory memory = limits.memory_at_begin(world_);
        for (std::int64_t steps = 1;; ++steps) {
            follow_schedule(stage, world_.clock.time - limits.begin, world_);
            const double speed = fastest();
            const StepReport report = engine_->step(limits.end_time());
            result_.steps.push_back({report.time_step, speed, report.solve.sweeps});
            const bool look = limits.look_at_forces(steps);
            if (limits.reason_to_end(world_, look ? engine_->forces() : ContactForces{}, steps, memory,
                                     look ? engine_->spring_energy() : std::nullopt) != StageEnd::none) {
                follow_schedule(stage, world_.clock.time - limits.begin, world_); // tables end where they end
                return 1;
            }
            constexpr std::int64_t rarely = 10; // asking for the time takes time
            if (steps % rarely == 0 && is_over())
                return std::min(1.0, limits.share_done(world_, steps));
            if (progress_.due())
                progress_.update((cpu_seconds() - begin_) / most_, world_, report, world_.sizes.count,
                                 estimated_stress(world_, report));
        }
    }

    double fastest() const {
        double speed = world_.motion.local_speed;
        for (const Wall& wall : world_.walls)
            speed = std::max(speed, norm(wall.velocity));
        return speed;
    }

    const Case& settings_;
    World world_;
    std::unique_ptr<Engine> engine_;
    double most_, begin_ = 0;
    Progress& progress_;
    TrialRun result_;
};

} // namespace

double TrialRun::mean_sweeps() const {
    double sum = 0;
    for (const TrialStep& step : steps)
        sum += step.sweeps;
    return sum / static_cast<double>(steps.size());
}

TrialRun try_out(const Communicator& self, const Case& settings, const Start& start, double seconds,
                 const std::string& label, Progress& progress) {
    return Trial(self, settings, start, seconds, progress).run(label);
}

} // namespace tamp
