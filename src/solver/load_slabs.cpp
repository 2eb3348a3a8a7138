#include "tamp/solver/load_slabs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tamp {
namespace {

/// More would hardly be more exact, and cost longer messages.
constexpr int most_slabs = 16;
/// A wall belongs to an axis if its normal is nearer to it than this cosine.
constexpr double along = 0.5;
/// Slabs that bear less than this share of the largest impulse do not tie what is above them to what is
/// below.
constexpr double least_share = 1e-3;
/// A wall lies across an axis if its normal is nearer to it than this cosine.
constexpr double across = 0.99;
/// Of its height, below which a slab counts as beyond the walls.
constexpr double least_filled = 1e-6;
/// Of all mass: faces have no less.
constexpr double least_mass = 1e-9;

/// How much a wall lies across an axis, with the sign of its normal; nothing if it has many normals.
double facing(const Wall& wall, int axis) { return wall.is_flat() ? wall.normal[axis] : 0.0; }

bool is_curved(const Wall& wall) { return !wall.is_flat() && wall.motion != WallMotion::removed; }

} // namespace

void LoadSlabs::plan(const Communicator& communicator, const TileGrid& grid, const LocalTiles& tiles,
                     const ParticleStore& store) {
    dimension_ = grid.box().dimension;
    for (int axis = 0; axis < dimension_; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        Layers& layers = layers_[axis];
        layers.tiles = grid.size()[a];
        periodic_[axis] = grid.box().periodic(axis);
        const int together = (layers.tiles + most_slabs - 1) / most_slabs;
        const int count = (layers.tiles + together - 1) / together;
        layers.lower = grid.box().lower[axis];
        layers.height = grid.box().length(axis) / layers.tiles * together;
        layers.area = grid.box().volume() / grid.box().length(axis);
        layers.slab.clear();
        std::vector<ExactSum> masses(static_cast<std::size_t>(count));
        std::int64_t fixed = 0, fixed_below = 0, free = 0;
        for (int slot = 0; slot < tiles.owned(); ++slot) {
            layers.slab.push_back(grid.tile(tiles.tile(slot))[a] / together);
            ExactSum& mass = masses[static_cast<std::size_t>(layers.slab.back())];
            for (std::int32_t i = tiles.begin(slot); i < tiles.end(slot); ++i)
                if (const double inverse = store.body[static_cast<std::size_t>(i)].inverse_mass; inverse > 0)
                    ++free, mass.add(1 / inverse);
                else
                    ++fixed, fixed_below += 2 * layers.slab.back() < count ? 1 : -1;
        }
        communicator.sum(std::span<ExactSum>(masses));
        layers.fixed = communicator.sum(fixed) > 0;
        layers.fixed_below = communicator.sum(fixed_below);
        layers.count = communicator.sum(free);
        layers.mass.clear();
        for (const ExactSum& mass : masses)
            layers.mass.push_back(mass.value());
    }
}

void LoadSlabs::begin(std::span<const Wall> walls, const Vec3& gravity) {
    walls_ = walls;
    loads_.clear();
    for (int axis = 0; axis < dimension_; ++axis) {
        if (periodic_[axis])
            continue;
        bool loaded = std::abs(gravity[axis]) > 0.1 * norm(gravity);
        for (const Wall& wall : walls)
            loaded = loaded || (std::abs(facing(wall, axis)) > along &&
                                (wall.motion == WallMotion::piston || norm(wall.velocity) > 0));
        if (loaded)
            loads_.push_back({axis, std::abs(gravity[axis])});
    }
}

StaticLoad LoadSlabs::static_load() const {
    double down = 0; // along the axis that gravity acts along most
    for (const Load& load : loads_)
        down = std::max(down, load.acceleration);
    StaticLoad largest;
    for (const auto& [axis, acceleration] : loads_) {
        const Layers& layers = layers_[axis];
        const double mass = std::accumulate(layers.mass.begin(), layers.mass.end(), 0.0);
        double push = 0;
        bool held = layers.fixed;
        for (const Wall& wall : walls_) {
            held = held || is_curved(wall);
            if (std::abs(facing(wall, axis)) <= along)
                continue;
            held = true;
            if (wall.motion == WallMotion::piston)
                push = std::max(push, std::abs(wall.force));
        }
        const double weight = acceleration == down ? mass * acceleration : 0.0;
        const double pressure = (weight + push) / layers.area;
        if (held && pressure > largest.pressure)
            largest = {mass / layers.area, pressure,
                       mass / static_cast<double>(std::max<std::int64_t>(1, layers.count))};
    }
    return largest;
}

double LoadSlabs::pressing(std::span<const ExactSum> sums) const {
    double largest = 0;
    for (const Load& load : loads_) {
        const Layers& layers = layers_[load.axis];
        for (std::size_t k = 0; k < layers.mass.size(); ++k)
            largest = std::max(largest,
                               sums[sums_of_slab * k + virial_sum].value() / (layers.height * layers.area));
        sums = sums.subspan(sums_of_slab * layers.mass.size());
    }
    return largest;
}

std::size_t LoadSlabs::sum_count() const {
    std::size_t count = 0;
    for (const Load& load : loads_)
        count += sums_of_slab * layers_[load.axis].mass.size();
    return count;
}

void LoadSlabs::add(int slot, const ResidualSums& tile, std::span<ExactSum> sums) const {
    for (const Load& load : loads_) {
        const Layers& layers = layers_[load.axis];
        const auto slab = static_cast<std::size_t>(layers.slab[static_cast<std::size_t>(slot)]);
        const auto of_slab = sums.subspan(sums_of_slab * slab, sums_of_slab);
        of_slab[violation_sum].add(tile.violation);
        of_slab[reach_sum].add(tile.reach[load.axis]);
        of_slab[virial_sum].add(tile.virial[load.axis]);
        sums = sums.subspan(sums_of_slab * layers.mass.size());
    }
}

void LoadSlabs::add(int slot, const TileChange& tile, std::span<ExactSum> sums) const {
    if (tile.mass == 0)
        return;
    for (const Load& load : loads_) {
        const Layers& layers = layers_[load.axis];
        const auto slab = static_cast<std::size_t>(layers.slab[static_cast<std::size_t>(slot)]);
        const double along_load = tile.momentum[load.axis];
        sums[sums_of_slab * slab + energy_sum].add(
            std::max(0.0, tile.energy - along_load * along_load / tile.mass));
        sums = sums.subspan(sums_of_slab * layers.mass.size());
    }
}

double LoadSlabs::error(std::span<const ExactSum> sums, std::span<const double> wall_impulses) const {
    double worst = 0;
    for (const Load& load : loads_) {
        const std::size_t count = sums_of_slab * layers_[load.axis].mass.size();
        worst = std::max(worst, error_along(load, sums.first(count), wall_impulses));
        sums = sums.subspan(count);
    }
    return worst;
}

/// Of a slab, as far as it lies between the walls across the load. Beyond them nothing bears, and it does not
/// matter.
double LoadSlabs::filled_height(const Load& load, std::size_t slab) const {
    const Layers& layers = layers_[load.axis];
    double lower = layers.lower + layers.height * static_cast<double>(slab), upper = lower + layers.height;
    for (const Wall& wall : walls_) {
        if (wall.is_plane() && wall.normal[load.axis] > across)
            lower = std::max(lower, wall.point[load.axis]);
        if (wall.is_plane() && wall.normal[load.axis] < -across)
            upper = std::min(upper, wall.point[load.axis]);
    }
    return upper - lower > least_filled * layers.height ? upper - lower : layers.height;
}

/// With their masses and impulses.
std::vector<LoadSlabs::Slab> LoadSlabs::slabs_along(const Load& load, std::span<const ExactSum> sums) const {
    const Layers& layers = layers_[load.axis];
    std::vector<Slab> slabs;
    for (std::size_t k = 0; k < layers.mass.size(); ++k)
        slabs.push_back({.mass = layers.mass[k],
                         .impulse = sums[sums_of_slab * k + virial_sum].value() / filled_height(load, k)});
    return slabs;
}

/// Of those that bear.
void LoadSlabs::find_approach(const Load& load, std::span<const ExactSum> sums, double largest,
                              std::span<Slab> slabs) const {
    for (std::size_t k = 0; k < slabs.size(); ++k) {
        Slab& slab = slabs[k];
        const auto of_slab = sums.subspan(sums_of_slab * k, sums_of_slab);
        const double reach = of_slab[reach_sum].value();
        slab.bears = slab.impulse > least_share * largest && reach > 0;
        if (!slab.bears)
            continue;
        slab.approach = of_slab[violation_sum].value() / reach * filled_height(load, k);
        slab.yield = softness * of_slab[energy_sum].value() / (slab.impulse * slab.impulse);
    }
}

double LoadSlabs::error_along(const Load& load, std::span<const ExactSum> sums,
                              std::span<const double> wall_impulses) const {
    const Layers& layers = layers_[load.axis];
    std::vector<Slab> slabs = slabs_along(load, sums);
    double largest = 0;
    for (const Slab& slab : slabs)
        largest = std::max(largest, slab.impulse);
    // What is held below counts from there, and what is held above from there: turned over.
    double below = 0, above = 0, piston_below = 0, piston_above = 0;
    for (std::size_t w = 0; w < walls_.size(); ++w) {
        const Wall& wall = walls_[w];
        double direction = facing(wall, load.axis), impulse = wall_impulses[w];
        if (std::abs(direction) <= along)
            continue;
        if (!wall.is_plane() && impulse < 0) // it has two sides: grains are on the other one
            direction = -direction, impulse = -impulse;
        const bool free = wall.motion == WallMotion::piston;
        (direction > 0 ? (free ? piston_below : below) : (free ? piston_above : above)) +=
            free ? wall.mass : impulse;
        largest = std::max(largest, impulse);
    }
    if (largest <= 0)
        return 0;
    find_approach(load, sums, largest, slabs);
    double top_mass = piston_above, bottom_mass = piston_below; // of pistons
    if (above != below ? above > below : layers.fixed_below < 0) {
        std::ranges::reverse(slabs);
        std::swap(top_mass, bottom_mass);
    }
    const bool held = below > 0 || above > 0 || layers.fixed || std::ranges::any_of(walls_, is_curved);
    const auto bears = [](const Slab& slab) { return slab.bears; };
    double worst = 0;
    for (auto begin = std::ranges::find_if(slabs, bears); begin != slabs.end();) {
        const auto end = std::find_if_not(begin, slabs.end(), bears);
        const auto next = std::find_if(end, slabs.end(), bears);
        const bool lowest = std::none_of(slabs.begin(), begin, bears), highest = next == slabs.end();
        // Contacts belong to the lower tile of two: what lies on the last slab that bears may have none.
        const auto carried = end == slabs.end() ? end : end + 1;
        worst = std::max(
            worst, missing_in({begin, carried}, {held && begin == slabs.begin(), lowest ? bottom_mass : 0.0,
                                                 highest ? top_mass : 0.0}));
        begin = next;
    }
    return unseen * worst / (largest + unseen * worst);
}

/// In slabs that bear on one another, and one that may lie on top: the largest impulse that is missing.
double LoadSlabs::missing_in(std::span<const Slab> slabs, const Ends& ends) {
    const std::size_t count = slabs.size() - (slabs.back().bears ? 0 : 1);
    // Inverse masses of the face below the slabs, and of those above each. None is without mass.
    double all = ends.bottom_mass + ends.top_mass;
    for (const Slab& slab : slabs)
        all += slab.mass;
    if (all == 0)
        return 0;
    const auto inverse = [all](double mass) { return 1 / std::max(mass, least_mass * all); };
    std::vector<double> faces{ends.held ? 0 : inverse(ends.bottom_mass + 0.5 * slabs.front().mass)};
    for (std::size_t k = 0; k + 1 < count; ++k)
        faces.push_back(inverse(0.5 * (slabs[k].mass + slabs[k + 1].mass)));
    faces.push_back(inverse(0.5 * slabs[count - 1].mass + ends.top_mass +
                            (count < slabs.size() ? slabs.back().mass : 0.0)));

    // Each impulse depends on its neighbours: eliminate from below, then put in from above.
    std::vector<double> pivots, sides;
    for (std::size_t k = 0; k < count; ++k) {
        const double share = k > 0 ? faces[k] / pivots[k - 1] : 0.0;
        pivots.push_back(faces[k] + faces[k + 1] + slabs[k].yield - share * faces[k]);
        sides.push_back(-slabs[k].approach + (k > 0 ? share * sides[k - 1] : 0.0));
    }
    double missing = 0, worst = 0;
    for (std::size_t k = count; k-- > 0;) {
        missing = (sides[k] + (k + 1 < count ? faces[k + 1] * missing : 0.0)) / pivots[k];
        worst = std::max(worst, std::abs(missing));
    }
    return worst;
}

} // namespace tamp
