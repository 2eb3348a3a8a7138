#include "tamp/app/start_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "tamp/app/rigid_outlook.hpp"
#include "tamp/app/soft_check.hpp"
#include "tamp/laws/rigid/cohesion.hpp"

namespace tamp {
namespace {

/// Who of a material may be touched: its particles, of mean size, else its walls.
struct Partner {
    double count = 0;     ///< of particles
    double curvature = 0; ///< 1/radius, 1/m; 0: a wall
    double inverse_mass = 0;
    double inverse_moving_mass = 0; ///< the same, but 0 for what is held fixed
    bool walls = false;

    bool exists() const { return count > 0 || walls; }
};

std::vector<Partner> partners(const Case& settings, std::span<const Grain> grains) {
    std::vector<Partner> result(static_cast<std::size_t>(settings.materials.size()));
    std::vector<double> radii(result.size());
    for (const Grain& grain : grains) {
        const auto material = static_cast<std::size_t>(grain.material);
        ++result[material].count;
        radii[material] += grain.radius;
    }
    for (const Wall& wall : settings.walls)
        result[static_cast<std::size_t>(wall.material)].walls = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i].count == 0)
            continue;
        const Material& material = settings.materials[static_cast<int>(i)];
        const double radius = radii[i] / result[i].count;
        result[i].curvature = 1 / radius;
        result[i].inverse_mass = 1 / grain_mass(material.density, radius, settings.box.dimension);
        result[i].inverse_moving_mass = material.fixed ? 0 : result[i].inverse_mass;
    }
    return result;
}

/// Empty if all is well. `mass` is the reduced one; `step` the longest, or a fixed one.
std::string warning_of(const Cohesion& cohesion, double force, double mass, double step, bool fixed) {
    const std::string step_text = fmt::format("{} of {:.3g} s", fixed ? "a step" : "the largest step", step);
    if (!cohesion.has_range())
        return fmt::format(
            "has no range: contacts that open slower than {:.3g} m/s close again at {} (force "
            "{:.3g} N, reduced mass {:.3g} kg), and that speed is proportional to the step; give "
            "cohesion_energy or cohesion_range, or {}",
            force * step / mass, step_text, force, mass,
            fixed ? "compare only runs with the same step" : "fix the step with time.step");
    const double range = rigid::cohesion_range(cohesion, force);
    const double crossing = std::sqrt(2 * mass * range / force);
    if (step <= crossing)
        return {};
    return fmt::format(
        "has a range of {:.3g} m, which its force of {:.3g} N crosses in {:.3g} s (reduced mass "
        "{:.3g} kg), less than {}: contacts open within one step; make {} smaller than that, or "
        "the energy or range larger",
        range, force, crossing, mass, step_text, fixed ? "time.step" : "time.max_step");
}

/// Particles of files that are told to move and never will.
std::vector<std::string> fixed_and_moving(const Case& settings, std::span<const Grain> grains) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(settings.materials.size()));
    for (const Grain& grain : grains)
        if (settings.materials[static_cast<int>(grain.material)].fixed &&
            (grain.velocity != Vec3{0, 0, 0} || grain.spin != Vec3{0, 0, 0}))
            ++counts[static_cast<std::size_t>(grain.material)];
    std::vector<std::string> warnings;
    for (int i = 0; i < settings.materials.size(); ++i)
        if (const std::int64_t count = counts[static_cast<std::size_t>(i)]; count > 0)
            warnings.push_back(
                fmt::format("{} particles of '{}' have a velocity or a spin, which has no effect: the "
                            "material is fixed",
                            count, settings.materials[i].name));
    return warnings;
}

/// Every motion that a case gives to a wall, in itself or in a stage.
std::vector<WallCommand> wall_motions(const Case& settings) {
    std::vector<WallCommand> motions;
    for (const Wall& wall : settings.walls) {
        WallCommand& motion = motions.emplace_back();
        motion.wall = wall.name, motion.motion = wall.motion, motion.velocity = wall.velocity;
        motion.mass = wall.mass, motion.force = wall.force, motion.moment = wall.rotation.moment;
    }
    for (const Stage& stage : settings.stages)
        motions.insert(motions.end(), stage.walls.begin(), stage.walls.end());
    return motions;
}

std::vector<std::string> wall_warnings(const Case& settings, std::span<const Grain> grains) {
    double mass = 0;
    for (const Grain& grain : grains)
        mass += grain_mass(settings.materials[static_cast<int>(grain.material)].density, grain.radius,
                           settings.box.dimension);
    std::vector<std::string> warnings;
    for (const WallCommand& motion : wall_motions(settings)) {
        if (motion.motion != WallMotion::piston)
            continue;
        const auto wall = std::ranges::find(settings.walls, motion.wall, &Wall::name);
        const bool one_sided = wall == settings.walls.end() || wall->is_plane();
        if (motion.force < 0 && one_sided && !settings.materials.has_cohesion())
            warnings.push_back(fmt::format("the wall '{}' is pulled away from the particles ({:.3g} N), and "
                                           "nothing sticks to it: it leaves the box; a push is positive",
                                           motion.wall, motion.force));
        constexpr double heavy = 10;
        if (motion.mass > heavy * mass && !grains.empty())
            warnings.push_back(fmt::format(
                "the wall '{}' has {:.3g} times the mass of all particles together ({:.3g} kg): it moves "
                "slowly, and is slow to stop; the mass of one layer of particles is a good choice",
                motion.wall, motion.mass / mass, mass));
    }
    return warnings;
}

/// Whatever waits for rest or balance then has it at once.
bool nothing_moves(const Case& settings, std::span<const Grain> grains) {
    const auto moves = [](const WallCommand& motion) {
        return motion.motion == WallMotion::driven ||
               (motion.motion == WallMotion::turning && motion.moment != 0) ||
               (motion.motion == WallMotion::piston && motion.largest_force() + motion.largest_stress() > 0);
    };
    const auto drives = [](const Stage& stage) { return stage.growth.any() || !stage.gravity.empty(); };
    return norm(settings.gravity) == 0 && std::ranges::none_of(wall_motions(settings), moves) &&
           std::ranges::none_of(settings.stages, drives) &&
           std::ranges::all_of(grains, [](const Grain& grain) {
               return grain.velocity == Vec3{0, 0, 0} && grain.spin == Vec3{0, 0, 0};
           });
}

} // namespace

std::vector<std::string> start_warnings(const Case& settings, std::span<const Grain> grains) {
    std::vector<std::string> warnings = settings.warnings;
    std::ranges::copy(wall_warnings(settings, grains), std::back_inserter(warnings));
    if (nothing_moves(settings, grains) && !grains.empty())
        warnings.push_back("nothing moves: there is no gravity, no particle has a velocity, and no wall is "
                           "driven or pushed; set gravity, for example to [0, 0, -9.81]");
    std::ranges::copy(fixed_and_moving(settings, grains), std::back_inserter(warnings));
    if (settings.engine == EngineKind::soft) {
        if (!grains.empty())
            std::ranges::copy(soft_outlook(settings, start_sizes(grains, settings.box.dimension)).warnings,
                              std::back_inserter(warnings));
        return warnings;
    }
    const std::vector<Partner> all = partners(settings, grains);
    const double step = longest_rigid_step(settings, grains);
    const bool fixed = settings.time.step > 0;
    for (int a = 0; a < settings.materials.size(); ++a)
        for (int b = a; b < settings.materials.size(); ++b) {
            const Partner &first = all[static_cast<std::size_t>(a)],
                          &second = all[static_cast<std::size_t>(b)];
            const Cohesion& cohesion = settings.materials.laws(a, b).cohesion;
            const double inverse_moving_mass = first.inverse_moving_mass + second.inverse_moving_mass;
            const bool meet = first.exists() && second.exists() && inverse_moving_mass > 0;
            // An impulse threshold does not depend on the step.
            if (!meet || cohesion.value == 0 || cohesion.impulse_time > 0)
                continue;
            const double force = rigid::cohesion_force(
                cohesion, {1 / (first.curvature + second.curvature),
                           2 / (first.inverse_mass + second.inverse_mass), norm(settings.gravity)});
            const double mass = 1 / inverse_moving_mass;
            if (const std::string text = warning_of(cohesion, force, mass, step, fixed); !text.empty())
                warnings.push_back(
                    a == b ? fmt::format("cohesion of '{}' {}", settings.materials[a].name, text)
                           : fmt::format("cohesion between '{}' and '{}' {}", settings.materials[a].name,
                                         settings.materials[b].name, text));
        }
    return warnings;
}

} // namespace tamp
