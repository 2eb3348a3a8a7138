#include "tamp/measure/distributions.hpp"

#include <algorithm>

#include "tamp/measure/coarse_grain.hpp"
#include "tamp/measure/contact_distributions.hpp"
#include "tamp/measure/pair_correlation.hpp"

namespace tamp {
namespace {

/// From the box, not from what walls leave of it just now, and from sizes before they grew: results keep
/// their shapes, also over a restart.
int cells_along(const World& world, int axis, int wanted, double diameters, int most) {
    const double fit = world.box().length(axis) / (diameters * world.sizes_at_start.mean);
    return wanted > 0 ? wanted : static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(most)));
}

/// What slanted walls leave of slabs across an axis; none if there are no such walls.
std::vector<double> slab_volumes(const World& world, const Region& region, int axis, std::size_t count) {
    std::vector<double> volumes;
    if (volume_between(region, world.walls) == region.volume())
        return volumes;
    const double thickness = region.length(axis) / static_cast<double>(count);
    for (std::size_t k = 0; k < count; ++k) {
        Region slab = region;
        slab.lower[axis] = region.lower[axis] + thickness * static_cast<double>(k);
        slab.upper[axis] = slab.lower[axis] + thickness;
        volumes.push_back(volume_between(slab, world.walls));
    }
    return volumes;
}

std::vector<Quantity> profile(CoarseGrainInput input, const MeasureSettings& settings) {
    const Box& box = input.view.box;
    const int axis =
        settings.profile_axis >= 0 ? std::min(settings.profile_axis, box.dimension - 1) : box.dimension - 1;
    Int3 cells{1, 1, 1};
    cells[static_cast<std::size_t>(axis)] = cells_along(input.world, axis, settings.profile_bins, 1, 1000);
    const Region region = region_of(box, input.world.walls);
    const CellGrid grid(box, region, cells);
    input.cell_volumes = slab_volumes(input.world, region, axis, grid.count());
    std::vector<Quantity> list =
        coarse_grained(input, grid, slab_shares(grid, axis, box.dimension, input.view.particles));
    list.insert(list.begin(), {"position",
                               "m",
                               std::string("middle of the slabs along ") + "xyz"[axis],
                               grid.centres(axis),
                               {grid.count()}});
    for (Quantity& quantity : list)
        quantity.name = "profile/" + quantity.name;
    return list;
}

void append(std::vector<Quantity>& to, std::vector<Quantity> more) {
    std::ranges::move(more, std::back_inserter(to));
}

} // namespace

void Distributions::follow(const World& world, const View& view) {
    (void)displacements_.update(world.communicator, view);
}

std::vector<Quantity> Distributions::measure(const World& world, const View& view) const {
    const std::vector<double> masses = masses_of(world, view.particles);
    const Extremes extremes = extremes_of(world, view, masses);
    std::vector<Quantity> list = contact_distributions(world, view, extremes, settings_);
    append(list, profile({world, view, extremes, masses, nullptr}, settings_));
    if (settings_.pair_bins > 0)
        append(list, pair_correlation(world, view, settings_));
    return list;
}

Fields Distributions::fields(const World& world, const View& view) {
    const std::vector<double> masses = masses_of(world, view.particles);
    const Extremes extremes = extremes_of(world, view, masses);
    const std::vector<Vec3> displacements = displacements_.update(world.communicator, view);
    Int3 cells{1, 1, 1};
    for (int axis = 0; axis < view.box.dimension; ++axis) {
        int& along = cells[static_cast<std::size_t>(axis)];
        along = cells_along(world, axis, settings_.grid_cells[static_cast<std::size_t>(axis)], 3, 32);
    }
    const CellGrid grid(view.box, region_of(view.box, world.walls), cells);
    Fields fields{
        grid.field_grid(),
        coarse_grained({world, view, extremes, masses, &displacements}, grid,
                       tent_shares(grid, view.box.dimension,
                                   settings_.coarse_graining_width * world.sizes.mean, view.particles))};
    for (Quantity& quantity : fields.values) {
        std::vector<std::size_t> shape{static_cast<std::size_t>(cells[2]), static_cast<std::size_t>(cells[1]),
                                       static_cast<std::size_t>(cells[0])};
        shape.insert(shape.end(), quantity.shape.begin() + 1, quantity.shape.end());
        quantity.shape = std::move(shape);
    }
    return fields;
}

} // namespace tamp
