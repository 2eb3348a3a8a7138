#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "generate_parts.hpp"
#include "placement_grid.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"
#include "tamp/particles/limits.hpp"
#include "tamp/particles/size_distribution.hpp"

namespace tamp::generators {

namespace {

constexpr int largest_try_count = 10000;
constexpr const char* remedy =
    "use a lower fraction, fewer particles or a larger region, or generator = \"lattice\", "
    "which packs more closely";

void check_width(const Region& region, double largest) {
    for (int axis = 0; axis < region.dimension; ++axis)
        if (region.length(axis) < largest * (1 - 1e-12)) // 0.3 - 0.2 is less than 0.1
            throw InputError(
                fmt::format("the region is {:g} wide along {}, less than the largest diameter, {:g}; use a "
                            "wider region or smaller particles",
                            region.length(axis), "xyz"[axis], largest));
}

// Who asks for far too much shall not wait for many tries to fail.
void check_fraction(double fraction, bool equal_sizes, std::size_t count, int dimension) {
    const RandomPlacementLimits limits = random_placement_limits(dimension);
    if (fraction > (equal_sizes ? limits.hopeless : limits.hopeless_if_mixed) && count > 1000)
        throw InputError(
            fmt::format("a volume fraction of {:.4g} is out of reach of random placement, which stops at "
                        "about {} for equal particles; {}",
                        fraction, limits.jammed, remedy));
}

Vec3 draw_position(const Region& region, double radius, Random& random) {
    Vec3 position{0, 0, 0};
    for (int axis = 0; axis < region.dimension; ++axis) {
        const double margin = region.wraps_along(axis) ? 0.0 : radius;
        position[axis] = random.uniform(region.lower[axis] + margin, region.upper[axis] - margin);
    }
    return position;
}

} // namespace

std::vector<Vec3> random_positions(const GeneratorSettings& settings, const Region& region,
                                   const std::vector<double>& radii, double room, std::uint64_t seed,
                                   std::uint64_t first_id, const FreeSpace& is_free) {
    const double smallest = smallest_diameter(settings.size), largest = largest_diameter(settings.size);
    double volume = 0;
    for (const double radius : radii)
        volume += grain_volume(radius, region.dimension);
    check_width(region, largest);
    check_fraction(volume / room, smallest == largest, radii.size(), region.dimension);

    // Large ones first: later there is no hole for them among many small ones. Equal ones in the order of
    // their ids.
    std::vector<std::uint32_t> order;
    order.resize(radii.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return radii[a] > radii[b]; });

    // A grid for every octave of sizes, or the many small ones would crowd cells as wide as the few large.
    std::vector<PlacementGrid> grids;
    std::vector<Vec3> positions(radii.size());
    double placed_volume = 0;
    for (std::size_t placed = 0; placed < order.size(); ++placed) {
        const std::uint32_t k = order[placed];
        if (grids.empty() || radii[k] < 0.5 * grids.back().largest_radius()) {
            const auto end = std::find_if(order.begin() + static_cast<std::ptrdiff_t>(placed), order.end(),
                                          [&](std::uint32_t i) { return radii[i] < 0.5 * radii[k]; });
            const auto count = static_cast<std::size_t>(end - order.begin()) - placed;
            grids.emplace_back(region, smallest, 2 * radii[k], count);
        }
        Random random(seed, first_id + k, Purpose::position);
        std::array<Vec3, 8> candidates;
        int tries = 0;
        do {
            if (tries == largest_try_count)
                throw InputError(fmt::format("random placement got stuck after {} of {} particles, at a "
                                             "volume fraction of {:.4g} of {:.4g}; {}",
                                             placed, radii.size(), placed_volume / room, volume / room,
                                             remedy));
            const std::size_t next = static_cast<std::size_t>(tries++) % candidates.size();
            if (next == 0)
                for (Vec3& candidate : candidates) {
                    candidate = draw_position(region, radii[k], random);
                    grids.back().prefetch(candidate);
                }
            positions[k] = candidates[next];
        } while ((is_free && !is_free(positions[k], radii[k])) ||
                 !std::ranges::all_of(
                     grids, [&](const PlacementGrid& grid) { return grid.is_free(positions[k], radii[k]); }));
        grids.back().insert(positions[k], radii[k]);
        placed_volume += grain_volume(radii[k], region.dimension);
    }
    return positions;
}

} // namespace tamp::generators
