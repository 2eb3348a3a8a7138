#include "tamp/world/start_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "tamp/base/exact_sum.hpp"

namespace tamp {

StartSizes start_sizes(std::span<const Grain> grains, int dimension, const MaterialTable* materials) {
    StartSizes sizes{.count = static_cast<std::int64_t>(grains.size())};
    StartSizes::Growing& growing = sizes.growing;
    std::int64_t count = 0;
    ExactSum diameters; // time steps follow from their mean: it must not depend on the order of a file
    for (const Grain& grain : grains) {
        sizes.smallest = std::min(sizes.smallest, 2 * grain.radius);
        sizes.largest = std::max(sizes.largest, 2 * grain.radius);
        diameters.add(2 * grain.radius);
        sizes.mean_volume += grain_volume(grain.radius, dimension) / static_cast<double>(grains.size());
        if (materials && (*materials)[static_cast<int>(grain.material)].fixed) {
            growing.smallest_of_others = std::min(growing.smallest_of_others, 2 * grain.radius);
            continue;
        }
        ++count;
        growing.smallest = std::min(growing.smallest, 2 * grain.radius);
        growing.largest = std::max(growing.largest, 2 * grain.radius);
        growing.mean_radius += grain.radius;
        growing.mean_square += grain.radius * grain.radius;
        growing.mean_cube += grain.radius * grain.radius * grain.radius;
    }
    const auto all = static_cast<double>(std::max<std::int64_t>(1, sizes.count)),
               those = static_cast<double>(std::max<std::int64_t>(1, count));
    sizes.mean = diameters.value() / all;
    growing.share = static_cast<double>(count) / all;
    growing.mean_radius /= those, growing.mean_square /= those, growing.mean_cube /= those;
    return sizes;
}

StartSizes grown_sizes(const StartSizes& start, const Grown& grown, int dimension) {
    if (grown == Grown{} || start.growing.share <= 0)
        return start;
    StartSizes now = start;
    const auto [f, h] = grown;
    const StartSizes::Growing& then = start.growing;
    StartSizes::Growing& growing = now.growing;
    growing.mean_radius = f * then.mean_radius + h;
    growing.mean_square = f * f * then.mean_square + 2 * f * h * then.mean_radius + h * h;
    growing.mean_cube = f * f * f * then.mean_cube + 3 * f * f * h * then.mean_square +
                        3 * f * h * h * then.mean_radius + h * h * h;
    const auto diameter = [&](double before) { return 2 * grown(0.5 * before); };
    // The radius of a particle is rounded in every step. No particle may be larger than what tiles and cells
    // are made for: this covers ten million steps.
    constexpr double room = 1 + 1e-9;
    growing.smallest = diameter(then.smallest);
    growing.largest = diameter(then.largest) * room;
    now.smallest = std::min(growing.smallest, then.smallest_of_others);
    now.largest = std::max(start.largest, growing.largest);
    now.mean += 2 * then.share * (growing.mean_radius - then.mean_radius);
    // The volume of a unit sphere, or disc, times the mean power.
    const double unit = grain_volume(1, dimension);
    now.mean_volume +=
        then.share * unit *
        (dimension == 3 ? growing.mean_cube - then.mean_cube : growing.mean_square - then.mean_square);
    return now;
}

} // namespace tamp
