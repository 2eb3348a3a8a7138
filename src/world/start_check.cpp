#include "tamp/world/start_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/contacts/lists.hpp"
#include "tamp/particles/limits.hpp"

namespace tamp {
namespace {

std::string place(const Grain& grain) {
    return fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g}), radius {:.6g}", grain.id, grain.position.x,
                       grain.position.y, grain.position.z, grain.radius);
}

/// Those of generators have been checked with the case; those of files are known only now.
void check_sizes(const MaterialTable& materials, int dimension, std::span<const Grain> grains) {
    const auto [smallest, largest] = std::ranges::minmax(grains, {}, &Grain::radius);
    if (largest.radius > largest_size_ratio * smallest.radius * (1 + 1e-9))
        throw InputError(fmt::format(
            "the largest diameter, {:.6g} m, is {:.3g} times the smallest, {:.6g} m, but at most {} times is "
            "possible: {} and {}; bring the sizes closer together",
            2 * largest.radius, largest.radius / smallest.radius, 2 * smallest.radius, largest_size_ratio,
            place(smallest), place(largest)));
    for (const Grain& grain : grains)
        if (!std::isnormal(
                grain_mass(materials[static_cast<int>(grain.material)].density, grain.radius, dimension)))
            throw InputError(fmt::format(
                "the mass of {} is beyond the range of numbers; check its radius and the density of '{}'",
                place(grain), materials[static_cast<int>(grain.material)].name));
}

} // namespace

void check_start(const Box& box, const MaterialTable& materials, std::span<const Wall> walls,
                 std::span<const Grain> grains, double largest_overlap) {
    if (grains.empty())
        throw InputError("there are no particles; add a [[particles]] entry or mend the particle file");
    check_sizes(materials, box.dimension, grains);
    const double largest = 2 * std::ranges::max(grains, {}, &Grain::radius).radius;
    const auto count = static_cast<std::int64_t>(grains.size());
    const double edge = suitable_tile_edge(count, grain_volume(0.5 * largest, box.dimension), box.dimension);
    TileGrid grid(box, edge, 1.1 * largest, grid_limits(count));
    grid.set_cells(largest);

    ParticleStore store(materials, box.dimension);
    store.resize(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i) {
        Grain grain = grains[i];
        grain.position = box.wrapped(grain.position);
        grain.id = i;
        if (grid.outside(grain.position))
            throw InputError(
                fmt::format("{} lies outside the domain; move it inside, or make domain.lower and "
                            "domain.upper wider",
                            place(grains[i])));
        store.set(i, grain);
        for (const Wall& wall : walls)
            if (const double gap = wall.gap(grain.position, grain.radius);
                gap < -largest_overlap * 2 * grain.radius && !store.is_fixed(i))
                throw InputError(
                    fmt::format("{} overlaps wall \"{}\" by {:.3g} m; move one of them, or fill a smaller "
                                "region (particles.lower, particles.upper)",
                                place(grains[i]), wall.name, -gap));
    }
    store.owned = grains.size();
    const std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 1);
    const LocalTiles tiles(grid, Partition(costs, 1), 0, store);
    const PairList pairs = find_pairs(grid, tiles, store, 0.0);
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Sphere &a = store.sphere[i], &b = store.sphere[j];
        const double overlap = a.radius + b.radius - norm(box.nearest(b.centre - a.centre));
        if (overlap > largest_overlap * 2 * std::min(a.radius, b.radius))
            throw InputError(
                fmt::format("{} and {} overlap by {:.3g} m; give the [[particles]] entries regions that do "
                            "not overlap, or mend the particle file",
                            place(grains[store.id[i]]), place(grains[store.id[j]]), overlap));
    }
}

} // namespace tamp
