#include "tamp/app/first_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tamp/app/load_case.hpp"
#include "tamp/app/soft_check.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/engine/make_engine.hpp"
#include "tamp/laws/rigid/law_use.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

/// The [[material]] or [[pair]] whose cohesion reaches this far, as a case names it.
std::string who_reaches(const Case& settings, double reach, double smallest_radius) {
    const auto reaches = [&](int a, int b) {
        MaterialTable two({settings.materials[a], settings.materials[b]});
        two.set(0, 1, settings.materials.laws(a, b));
        return rigid::longest_range(two, smallest_radius, settings.box.dimension, norm(settings.gravity)) >=
               reach * (1 - 1e-12);
    };
    for (int i = 0; i < settings.materials.size(); ++i)
        if (reaches(i, i))
            return fmt::format("material[{}]", i);
    for (std::size_t k = 0; k < settings.pairs.size(); ++k)
        if (reaches(settings.pairs[k][0], settings.pairs[k][1]))
            return fmt::format("pair[{}]", k);
    return "material";
}

void check_reach(const Case& settings, const StartSizes& sizes, const EngineNeeds& needs, double skin) {
    const double longest = longest_reach(skin, sizes, needs);
    if (needs.reach <= longest)
        return;
    if (settings.engine == EngineKind::soft) // attraction; the largest cut-off of all pairs decides
        throw InputError(fmt::format("{}: {} reaches over gaps of {:.3g} m, and the neighbour search follows "
                                     "no more than {:.3g} m; give {}",
                                     settings.named("material.attraction_cutoff"), needs.what_reaches,
                                     needs.reach, longest, needs.shorter_reach));
    const std::string owner = who_reaches(settings, needs.reach, 0.5 * sizes.smallest);
    const std::string energy = owner + ".cohesion_energy", range = owner + ".cohesion_range";
    throw InputError(
        fmt::format("{}: {} reaches over gaps of {:.3g} m, and the neighbour search follows no more "
                    "than {:.3g} m; give {}",
                    settings.named(settings.places.contains(energy) ? energy : range), needs.what_reaches,
                    needs.reach, longest, needs.shorter_reach));
}

/// What moves most in the first step: particles, or walls as the first stage has them.
struct Fastest {
    double speed = 0, acceleration = 0;
};

Fastest fastest(const Case& settings, std::span<const Grain> grains) {
    Fastest result{.acceleration = norm(settings.gravity)};
    for (const Grain& grain : grains)
        if (!settings.materials[static_cast<int>(grain.material)].fixed)
            result.speed = std::max(result.speed, norm(grain.velocity));
    std::vector<Wall> walls = settings.walls;
    for (const WallCommand& command : settings.stages.front().walls)
        apply_command(command, walls);
    for (const Wall& wall : walls) {
        result.speed = std::max(result.speed, approach_speed(wall, settings.box));
        if (wall.motion == WallMotion::piston)
            result.acceleration = std::max(result.acceleration, std::abs(wall.force) / wall.mass);
    }
    return result;
}

void check_speed(const Case& settings, const StartSizes& sizes, std::span<const Grain> grains, double skin) {
    const double step = std::min(settings.time.step, settings.stages.front().duration.value_or(HUGE_VAL));
    const auto [speed, acceleration] = fastest(settings, grains);
    const double way = (speed + acceleration * step) * step, longest = 0.5 * skin;
    if (settings.time.step == 0 || way <= longest)
        return;
    const double good = 2 * longest / (speed + std::sqrt(speed * speed + 4 * acceleration * longest));
    throw InputError(fmt::format("{}: in a step of {:.3g} s particles or walls move up to {:.3g} m ({:.2g} "
                                 "mean diameters) at the speed "
                                 "that they start with, {:.3g} m/s, and the neighbour search follows no more "
                                 "than {:.3g} m; choose a step "
                                 "below {:.2g} s, or leave it out so that the step adapts",
                                 settings.named("time.step"), step, way, way / sizes.mean, speed, longest,
                                 good));
}

} // namespace

void check_first_step(const Case& settings, std::span<const Grain> grains) {
    const WorldSetup setup = world_setup(settings);
    const StartSizes sizes = start_sizes(grains, settings.box.dimension);
    const EngineNeeds needs = engine_needs(setup, engine_settings(settings), sizes);
    const double skin = largest_skin(settings.box, settings.neighbours, sizes, needs);
    check_reach(settings, sizes, needs, skin);
    if (settings.engine == EngineKind::soft)
        soft_outlook(settings, sizes); // refuses a step that is too long
    check_speed(settings, sizes, grains, skin);
}

} // namespace tamp
