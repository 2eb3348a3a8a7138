#include "tamp/app/growth_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/app/soft_check.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/boundaries/region.hpp"
#include "tamp/particles/limits.hpp"

namespace tamp {
namespace {

/// Keys of one stage, as messages name them.
class StageKeys {
public:
    StageKeys(const Case& settings, std::size_t stage) : settings_(settings), stage_(stage) {}

    std::string named(const char* key) const {
        return settings_.named(fmt::format("stage[{}].{}", stage_, key));
    }
    std::string growth() const {
        return named(settings_.stages[stage_].growth.rate > 0 ? "growth_rate" : "relative_growth_rate");
    }

private:
    const Case& settings_;
    std::size_t stage_;
};

void check_pace(const Growth& growth, const StageKeys& keys, const StartSizes& sizes, double step) {
    constexpr double most = 1e-3;
    const double radius = 0.5 * sizes.growing.smallest;
    if (const double share = growth.speed(radius) * step / (2 * radius); share > most)
        throw InputError(
            fmt::format("{}: radii would grow by {:.2g} of the smallest diameter in a step of {:.3g} s, and "
                        "grains would be pushed into each other faster than they can move apart; grow at "
                        "most {:.2g} of it in a step, better much less",
                        keys.growth(), share, step, most));
}

/// The volume fraction after growth. `region`: m^3 (m^2).
double fraction_after(const Grown& grown, const StartSizes& start, int dimension, double region) {
    return static_cast<double>(start.count) * grown_sizes(start, grown, dimension).mean_volume / region;
}

/// How long radii grow until a volume fraction is reached, at most `longest`.
double time_until(double fraction, const Growth& growth, const Grown& before, const StartSizes& start,
                  int dimension, double region, double longest) {
    const auto reached = [&](double time) {
        return fraction_after(before.then(growth.over(time)), start, dimension, region) >= fraction;
    };
    if (!reached(longest))
        return longest;
    double early = 0, late = longest;
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = 0.5 * (early + late);
        (reached(middle) ? late : early) = middle;
    }
    return late;
}

bool moves(const Wall& wall) {
    return wall.motion == WallMotion::piston || wall.motion == WallMotion::driven;
}

} // namespace

void check_growth(const Case& settings, std::span<const Grain> grains, std::span<const Wall> walls) {
    if (std::ranges::none_of(settings.stages, [](const Stage& stage) { return stage.growth.any(); }))
        return;
    const int dimension = settings.box.dimension;
    const StartSizes sizes = start_sizes(grains, dimension, &settings.materials);
    const double step = soft_outlook(settings, sizes).time_step;
    const double region = region_volume(settings.box, walls);
    bool known = std::ranges::none_of(walls, moves); // what has become of sizes and region so far
    Grown grown;
    for (std::size_t i = 0; i < settings.stages.size(); ++i) {
        const Stage& stage = settings.stages[i];
        const StageKeys keys(settings, i);
        known = known && stage.walls.empty();
        if (!stage.growth.any())
            continue;
        if (sizes.growing.share == 0)
            throw InputError(fmt::format("{}: nothing grows, since all particles are of fixed materials; "
                                         "remove it, or add particles that move",
                                         keys.growth()));
        check_pace(stage.growth, keys, sizes, step);
        if (!known)
            continue;
        const double now = fraction_after(grown, sizes, dimension, region);
        if (stage.until_fraction && now >= *stage.until_fraction)
            throw InputError(
                fmt::format("{}: particles only grow, and the volume fraction is {:.4f} already; give more "
                            "than that",
                            keys.named("until_fraction"), now));
        // Who waits for something else stops growing nobody knows when.
        if (stage.until_balance || stage.until_speed || stage.until_energy_ratio ||
            stage.until_coordination) {
            known = false;
            continue;
        }
        double time = stage.duration.value_or(HUGE_VAL);
        if (stage.steps)
            time = std::min(time, static_cast<double>(*stage.steps) * step);
        if (stage.until_fraction)
            time = time_until(*stage.until_fraction, stage.growth, grown, sizes, dimension, region, time);
        grown = grown.then(stage.growth.over(time));
        const StartSizes after = grown_sizes(sizes, grown, dimension);
        if (const double fraction = fraction_after(grown, sizes, dimension, region); !(fraction <= 1))
            throw InputError(
                fmt::format("{}: particles would grow to diameters of up to {:.3g} m and fill {:.3g} of the "
                            "region between the walls; grow slower or for a shorter time, or add "
                            "until_fraction",
                            keys.growth(), after.largest, fraction));
        for (const BoxFault& fault : box_faults(settings.box, after.largest))
            throw InputError(
                fmt::format("{}: particles would grow too large: {}", keys.growth(), fault.what));
    }
}

} // namespace tamp
