#include "tamp/protocol/stop_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamp/measure/force_balance.hpp"
#include "tamp/measure/measures.hpp"

namespace tamp {
namespace {

/// The volume of all particles that the run began with, as they have grown: no less than that of those who
/// are left, and found without looking at any of them.
double most_solid_volume(const World& world) {
    return static_cast<double>(world.sizes.count) * world.sizes.mean_volume;
}

bool reaches_fraction(const World& world, double wanted, StageMemory& memory) {
    const double region = region_volume(world.box(), world.walls);
    if (world.growth().any()) {
        constexpr double rounding = 1e-6; // far more than that
        if (most_solid_volume(world) * (1 + rounding) < wanted * region)
            return false;
        return volume_fraction(world) >= wanted; // radii are others than in the last step
    }
    if (memory.solid_volume == 0 || memory.solid_volume_lost != world.totals.lost) {
        memory.solid_volume_lost = world.totals.lost;
        memory.solid_volume = volume_fraction(world) * region;
    }
    return memory.solid_volume / region >= wanted;
}

/// What has just begun to fall, or to be pushed, is not at rest: this is how long gravity and the forces on
/// free walls take to make something faster than `speed`, twice over.
double patience(const World& world, double speed) {
    const auto time_to = [&](double acceleration) {
        return acceleration > 0 ? 2 * speed / acceleration : 0.0;
    };
    double time = time_to(norm(world.gravity));
    for (const Wall& wall : world.walls)
        if (wall.motion == WallMotion::piston)
            time = std::max(time, time_to(std::abs(wall.force) / wall.mass));
    return time;
}

bool is_at_rest(const World& world, double speed, double since) {
    if (since <= patience(world, speed))
        return false;
    double fastest = world.largest_speed();
    for (const Wall& wall : world.walls)
        if (wall.motion == WallMotion::piston)
            fastest = std::max(fastest, norm(wall.velocity));
    return fastest < speed;
}

/// `held`: steps for which it has to last.
bool is_balanced(const World& world, const ContactForces& forces, double wanted, std::int64_t steps,
                 std::int64_t held, StageMemory& memory) {
    const bool balanced = force_balance(world, view(world, forces)).worst() < wanted;
    if (!balanced)
        memory.balanced_since = 0;
    else if (memory.balanced_since == 0)
        memory.balanced_since = steps;
    return balanced && steps - memory.balanced_since >= held;
}

constexpr std::int64_t least_steps_to_rest = 10;

} // namespace

double StopConditions::end_time() const {
    constexpr double never = std::numeric_limits<double>::max();
    const double end = stage.duration ? begin + *stage.duration : never;
    return extended_until && *extended_until > end ? never : end;
}

double StopConditions::share_done(double time, std::int64_t steps) const {
    return std::max(stage.duration ? (time - begin) / *stage.duration : 0.0,
                    stage.steps ? static_cast<double>(steps) / static_cast<double>(*stage.steps) : 0.0);
}

double StopConditions::share_done(const World& world, std::int64_t steps) const {
    const double share = share_done(world.clock.time, steps), since = world.clock.time - begin;
    if (!stage.until_fraction || !stage.growth.any())
        return share;
    // How long equal particles of the mean volume would still have to grow.
    const double goal = *stage.until_fraction * region_volume(world.box(), world.walls);
    const double factor = std::pow(goal / most_solid_volume(world), 1.0 / world.dimension());
    const double radius =
        std::pow(world.sizes.mean_volume / grain_volume(1, world.dimension()), 1.0 / world.dimension());
    const auto& [rate, relative_rate] = stage.growth;
    const double left = rate > 0 ? (factor - 1) * radius / rate : std::log(factor) / relative_rate;
    return left > 0 ? std::max(share, since / (since + left)) : 1.0;
}

StageEnd StopConditions::reason_to_end(const World& world, const ContactForces& forces, std::int64_t steps,
                                       StageMemory& memory, std::optional<double> spring_energy) const {
    if (world.clock.time >= end_time())
        return StageEnd::duration;
    // Looked at in any case: what a run that goes on without the extension finds must not depend on it.
    const bool look = look_at_forces(steps);
    const bool balanced = look && stage.until_balance &&
                          is_balanced(world, forces, *stage.until_balance, steps,
                                      (wanted_looks - 1) * steps_between_looks, memory);
    if (extended_until)
        return StageEnd::none;
    if (stage.steps && steps >= *stage.steps)
        return StageEnd::steps;
    if (stage.until_fraction && reaches_fraction(world, *stage.until_fraction, memory))
        return StageEnd::fraction;
    if (balanced)
        return StageEnd::balance;
    if (stage.until_speed && steps >= least_steps_to_rest &&
        is_at_rest(world, *stage.until_speed, world.clock.time - begin))
        return StageEnd::rest;
    if (look && (stage.until_energy_ratio || stage.until_coordination)) {
        const Measures now = measure(world, forces);
        const double ratio = energy_ratio(now.kinetic_energy, spring_energy.value_or(0.0)).value_or(HUGE_VAL);
        if (stage.until_energy_ratio && ratio < *stage.until_energy_ratio)
            return StageEnd::energy_ratio;
        if (stage.until_coordination && now.coordination >= *stage.until_coordination)
            return StageEnd::coordination;
    }
    return StageEnd::none;
}

} // namespace tamp
