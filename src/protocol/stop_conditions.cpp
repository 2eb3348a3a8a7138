#include "tamp/protocol/stop_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tamp/measure/agitation.hpp"
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

/// Whether something lasts for so many steps; `since`: the step in which it was first found to hold, 0: it
/// did not.
bool lasts(bool holds, std::int64_t steps, std::int64_t held, std::int64_t& since) {
    if (!holds)
        since = 0;
    else if (since == 0)
        since = steps;
    return holds && steps - since >= held;
}

/// All particles together; not before gravity and the forces on free walls had time to make them faster.
bool is_slow(const World& world, const Agitation& agitation, double speed, double since) {
    return since > patience(world, speed) && agitation.speed() < speed;
}

bool is_calm(const World& world, const Agitation& agitation, double energy, double since) {
    return agitation.mass > 0 && is_slow(world, agitation, std::sqrt(2 * energy / agitation.mass), since);
}

bool is_quasi_static(const World& world, const Agitation& agitation, double number, double since) {
    return agitation.inertial_time > 0 &&
           is_slow(world, agitation, number * agitation.diameter / agitation.inertial_time, since);
}

std::size_t wall_named(const World& world, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(world.walls, name, &Wall::name) - world.walls.begin());
}

/// From the wall to the farthest corner of what the walls leave of the box, along its normal.
double height_before(const World& world, const std::string& name) {
    const std::size_t w = wall_named(world, name);
    if (w == world.walls.size())
        return 0;
    const Wall& wall = world.walls[w];
    const double depth = region_body(world.box(), world.walls).least_distance({wall.point, -wall.normal});
    return std::isfinite(depth) ? -depth : 0.0;
}

bool is_pressed(const World& world, const StressLimit& limit) {
    const std::size_t w = wall_named(world, limit.wall);
    if (w == world.walls.size())
        return false;
    const double area = stress_area(world.box(), world.walls, w);
    return area > 0 && limit.bound.holds(world.walls[w].pressing_force() / area);
}

/// What several limits ask about the same moment, found once.
class Looks {
public:
    Looks(const World& world, const ContactForces& forces) : world_(world), forces_(forces) {}

    const Measures& measures() {
        if (!measures_)
            measures_ = measure(world_, forces_);
        return *measures_;
    }
    const View& contacts() {
        if (!view_)
            view_ = view(world_, forces_);
        return *view_;
    }
    const Agitation& motion() {
        if (!agitation_)
            agitation_ = agitation(world_, contacts());
        return *agitation_;
    }

private:
    const World& world_;
    const ContactForces& forces_;
    std::optional<Measures> measures_;
    std::optional<View> view_;
    std::optional<Agitation> agitation_;
};

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

StageMemory StopConditions::memory_at_begin(const World& world) const {
    StageMemory memory;
    if (stage.until_strain)
        memory.height = height_before(world, stage.until_strain->wall);
    return memory;
}

namespace {

/// Limits that have to hold for a while, and whether they have.
struct Lasting {
    bool balanced = false, calm = false, slow = false, pressed = false;
};

/// `held`: steps for which those that are looked at have to hold.
Lasting lasting(const Stage& stage, const World& world, Looks& now, bool look, std::int64_t steps,
                std::int64_t held, double since, StageMemory& memory) {
    Lasting result;
    if (look && stage.until_balance)
        result.balanced = lasts(force_balance(world, now.contacts()).worst() < *stage.until_balance, steps,
                                held, memory.balanced_since);
    if (look && stage.until_kinetic_energy)
        result.calm = lasts(is_calm(world, now.motion(), *stage.until_kinetic_energy, since), steps, held,
                            memory.calm_since);
    if (look && stage.until_inertial_number)
        result.slow = lasts(is_quasi_static(world, now.motion(), *stage.until_inertial_number, since), steps,
                            held, memory.slow_since);
    if (stage.until_stress)
        result.pressed = lasts(is_pressed(world, *stage.until_stress), steps, stage.until_stress->steps - 1,
                               memory.pressed_since);
    return result;
}

/// Whether energies are low enough compared with those of springs.
bool energy_is_low(double kinetic, std::optional<double> of_springs, double wanted) {
    return energy_ratio(kinetic, of_springs.value_or(0.0)).value_or(HUGE_VAL) < wanted;
}

bool is_strained(const World& world, const StrainLimit& limit, StageMemory& memory) {
    const double height = height_before(world, limit.wall);
    if (memory.height == 0) // the limit came into a stage that was under way
        memory.height = height;
    return memory.height > 0 && limit.holds(1 - height / memory.height);
}

/// One way for a stage to end.
struct Limit {
    StageEnd end;
    bool wanted;
    bool at_looks; ///< only then it is asked for, since it costs much
    std::function<bool()> holds;
};

/// The first of them that holds; or, if all have to, whether they do.
StageEnd reason_of(std::span<const Limit> limits, bool look, bool all) {
    bool any = false;
    for (const Limit& limit : limits) {
        if (!limit.wanted)
            continue;
        any = true;
        const bool holds = (look || !limit.at_looks) && limit.holds();
        if (holds != all)
            return all ? StageEnd::none : limit.end;
    }
    return any && all ? StageEnd::all : StageEnd::none;
}

} // namespace

StageEnd StopConditions::reason_to_end(const World& world, const ContactForces& forces, std::int64_t steps,
                                       StageMemory& memory, std::optional<double> spring_energy) const {
    if (world.clock.time >= end_time())
        return StageEnd::duration;
    const double since = world.clock.time - begin;
    Looks now(world, forces);
    // Looked at in any case: what a run that goes on without the extension finds must not depend on it.
    const bool look = look_at_forces(steps);
    const Lasting held =
        lasting(stage, world, now, look, steps, (wanted_looks - 1) * steps_between_looks, since, memory);
    if (extended_until)
        return StageEnd::none;
    if (stage.steps && steps >= *stage.steps)
        return StageEnd::steps;

    const Limit limits[] = {
        {StageEnd::fraction, stage.until_fraction.has_value(), false,
         [&] { return reaches_fraction(world, *stage.until_fraction, memory); }},
        {StageEnd::balance, stage.until_balance.has_value(), true, [&] { return held.balanced; }},
        {StageEnd::rest, stage.until_speed.has_value(), false,
         [&] { return steps >= least_steps_to_rest && is_at_rest(world, *stage.until_speed, since); }},
        {StageEnd::energy_ratio, stage.until_energy_ratio.has_value(), true,
         [&] {
             return energy_is_low(now.measures().kinetic_energy, spring_energy, *stage.until_energy_ratio);
         }},
        {StageEnd::coordination, stage.until_coordination.has_value(), true,
         [&] { return now.measures().coordination >= *stage.until_coordination; }},
        {StageEnd::strain, stage.until_strain.has_value(), false,
         [&] { return is_strained(world, *stage.until_strain, memory); }},
        {StageEnd::stress, stage.until_stress.has_value(), false, [&] { return held.pressed; }},
        {StageEnd::kinetic_energy, stage.until_kinetic_energy.has_value(), true, [&] { return held.calm; }},
        {StageEnd::inertial_number, stage.until_inertial_number.has_value(), true, [&] { return held.slow; }},
        {StageEnd::count, stage.until_count.has_value(), true,
         [&] { return stage.until_count->holds(static_cast<double>(now.measures().particles)); }},
        {StageEnd::mass, stage.until_mass.has_value(), true,
         [&] { return stage.until_mass->holds(now.motion().mass); }},
    };
    return reason_of(limits, look, stage.until_all);
}

} // namespace tamp
