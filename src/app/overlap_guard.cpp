#include "tamp/app/overlap_guard.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/world/overlap.hpp"

namespace tamp {
namespace {

std::string when(const World& world) {
    return fmt::format("after step {} (t = {:.6g} s)", world.totals.steps, world.clock.time);
}

std::string remedy(const std::string& last_checkpoint) {
    return last_checkpoint.empty()
               ? "There is no checkpoint of an earlier step: correct the case and run it again"
               : fmt::format("The last good state is in {0}; to go on from there with other settings: tamp "
                             "resume {0} --force --output FOLDER --set KEY=VALUE",
                             last_checkpoint);
}

void check_room(const World& world, const std::string& last_checkpoint) {
    const bool moving = std::ranges::any_of(world.walls, [](const Wall& wall) {
        return wall.motion == WallMotion::driven || wall.motion == WallMotion::piston;
    });
    if (!moving || has_room(world.box(), world.walls))
        return;
    std::string names;
    for (const Wall& wall : world.walls)
        if (wall.motion == WallMotion::driven || wall.motion == WallMotion::piston)
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", wall.name);
    throw NumericalError(
        fmt::format("the walls have passed each other and leave no room {}; moving: {}. Stop "
                    "them earlier, for example by the stage's duration or until_fraction. {}",
                    when(world), names, remedy(last_checkpoint)));
}

void check_overlap(const World& world, const DeepestOverlap& deepest, double limit,
                   const std::string& last_checkpoint) {
    if (limit == 0 || deepest.share <= limit)
        return;
    throw NumericalError(fmt::format(
        "{} overlap by {:.3g} m {}: {:.3g} of a diameter, more than time.max_overlap = {}. Either a wall "
        "pushes on where particles cannot give way (stop it earlier, or push by force or stress instead of "
        "velocity), or the contacts are not resolved (rigid grains: a smaller time.max_step or time.step, a "
        "smaller "
        "solver.tolerance, a larger solver.max_sweeps; soft grains: a larger stiffness, a slower piston, "
        "more "
        "viscosity). {}",
        partners_text(deepest, world), deepest.depth, when(world), deepest.share, limit,
        remedy(last_checkpoint)));
}

} // namespace

bool OverlapGuard::should_save(const World& world, const StepReport& report,
                               const std::string& last_checkpoint) {
    check_room(world, last_checkpoint);
    // No share of a diameter can be larger than this; not finite counts as large.
    const double most = report.overlap / world.sizes.smallest;
    if (most < 0.25 * limit_)
        saved_ = false;
    if (limit_ == 0 || most <= 0.5 * limit_)
        return false;
    const DeepestOverlap deepest = deepest_overlap(world);
    check_overlap(world, deepest, limit_, last_checkpoint);
    if (saved_ || deepest.share <= 0.5 * limit_)
        return false;
    return saved_ = true;
}

void OverlapGuard::check(const World& world, const std::string& last_checkpoint) const {
    check_room(world, last_checkpoint);
    if (limit_ > 0)
        check_overlap(world, deepest_overlap(world), limit_, last_checkpoint);
}

} // namespace tamp
