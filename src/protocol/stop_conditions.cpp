#include "tamp/protocol/stop_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamp/measure/force_balance.hpp"
#include "tamp/measure/measures.hpp"

namespace tamp {
namespace {

bool reaches_fraction(const World& world, double wanted, StageMemory& memory) {
    const double region = region_volume(world.box(), world.walls);
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
    double time = time_to(norm(world.setup.gravity));
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

StageEnd StopConditions::reason_to_end(const World& world, const ContactForces& forces, std::int64_t steps,
                                       StageMemory& memory) const {
    if (world.clock.time >= end_time())
        return StageEnd::duration;
    // Looked at in any case: what a run that goes on without the extension finds must not depend on it.
    const bool balanced =
        look_at_forces(steps) && is_balanced(world, forces, *stage.until_balance, steps,
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
    return StageEnd::none;
}

} // namespace tamp
