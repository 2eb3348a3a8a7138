#include "tamp/protocol/stop_conditions.hpp"

#include <limits>

#include "tamp/measure/measures.hpp"

namespace tamp {
namespace {

bool reaches_fraction(const World& world, double wanted, SolidVolume& solid) {
    if (solid.volume == 0 || solid.lost != world.totals.lost) {
        solid.lost = world.totals.lost;
        solid.volume = volume_fraction(world) * region_volume(world.box(), world.walls);
    }
    return solid.volume / region_volume(world.box(), world.walls) >= wanted;
}

bool is_at_rest(const World& world, double speed, double since) {
    // What has just begun to fall is not at rest: give gravity the time to make it faster than that.
    const double gravity = norm(world.setup.gravity);
    const double patience = gravity > 0 ? 2 * speed / gravity : 0;
    return since > patience && world.largest_speed() < speed;
}

constexpr std::int64_t least_steps_to_rest = 10;

} // namespace

double StopConditions::end_time() const {
    constexpr double never = std::numeric_limits<double>::max();
    const double end = stage.duration ? begin + *stage.duration : never;
    return extended_until && *extended_until > end ? never : end;
}

std::string StopConditions::reason_to_end(const World& world, std::int64_t steps, SolidVolume& solid) const {
    if (world.clock.time >= end_time())
        return "its duration";
    if (extended_until)
        return {};
    if (stage.steps && steps >= *stage.steps)
        return "its steps";
    if (stage.until_fraction && reaches_fraction(world, *stage.until_fraction, solid))
        return "the volume fraction";
    if (stage.until_speed && steps >= least_steps_to_rest &&
        is_at_rest(world, *stage.until_speed, world.clock.time - begin))
        return "rest";
    return {};
}

} // namespace tamp
