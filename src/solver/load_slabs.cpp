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
            loaded = loaded || (std::abs(wall.normal[axis]) > along &&
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
            if (std::abs(wall.normal[axis]) <= along)
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
            largest = std::max(largest, sums[2 * k + 1].value() / (layers.height * layers.area));
        sums = sums.subspan(2 * layers.mass.size());
    }
    return largest;
}

std::size_t LoadSlabs::sum_count() const {
    std::size_t count = 0;
    for (const Load& load : loads_)
        count += 2 * layers_[load.axis].mass.size();
    return count;
}

void LoadSlabs::add(int slot, const ResidualSums& tile, std::span<ExactSum> sums) const {
    for (const Load& load : loads_) {
        const Layers& layers = layers_[load.axis];
        const auto slab = static_cast<std::size_t>(layers.slab[static_cast<std::size_t>(slot)]);
        sums[2 * slab].add(tile.power);
        sums[2 * slab + 1].add(tile.virial[load.axis]);
        sums = sums.subspan(2 * layers.mass.size());
    }
}

double LoadSlabs::error(std::span<const ExactSum> sums, std::span<const double> wall_impulses) const {
    double worst = 0;
    for (const Load& load : loads_) {
        const std::size_t count = 2 * layers_[load.axis].mass.size();
        worst = std::max(worst, error_along(load, sums.first(count), wall_impulses));
        sums = sums.subspan(count);
    }
    return worst;
}

double LoadSlabs::error_along(const Load& load, std::span<const ExactSum> sums,
                              std::span<const double> wall_impulses) const {
    const Layers& layers = layers_[load.axis];
    std::vector<Slab> slabs;
    double largest = 0;
    for (std::size_t k = 0; k < layers.mass.size(); ++k) {
        const double power = sums[2 * k].value(), impulse = sums[2 * k + 1].value() / layers.height;
        slabs.push_back({layers.mass[k], power, impulse, false});
        largest = std::max(largest, impulse);
    }
    // What is held below counts from there, and what is held above from there: turned over.
    double below = 0, above = 0, piston_below = 0, piston_above = 0;
    for (std::size_t w = 0; w < walls_.size(); ++w) {
        const Wall& wall = walls_[w];
        const double direction = wall.normal[load.axis];
        if (std::abs(direction) <= along)
            continue;
        const bool free = wall.motion == WallMotion::piston;
        (direction > 0 ? (free ? piston_below : below) : (free ? piston_above : above)) +=
            free ? wall.mass : wall_impulses[w];
        largest = std::max(largest, wall_impulses[w]);
    }
    if (largest <= 0)
        return 0;
    for (Slab& slab : slabs) {
        slab.bears = slab.impulse > least_share * largest;
        slab.approach = slab.bears ? slab.approach / slab.impulse : 0.0;
    }
    double top_mass = piston_above, bottom_mass = piston_below; // of pistons
    if (above != below ? above > below : layers.fixed_below < 0) {
        std::ranges::reverse(slabs);
        std::swap(top_mass, bottom_mass);
    }
    const bool held = below > 0 || above > 0 || layers.fixed;
    const auto bears = [](const Slab& slab) { return slab.bears; };
    double worst = 0;
    for (auto begin = std::ranges::find_if(slabs, bears); begin != slabs.end();) {
        const auto end = std::find_if_not(begin, slabs.end(), bears);
        const auto next = std::find_if(end, slabs.end(), bears);
        const bool lowest = std::none_of(slabs.begin(), begin, bears), highest = next == slabs.end();
        // Contacts belong to the lower tile of two: what lies on the last slab that bears may have none.
        const auto carried = end == slabs.end() ? end : end + 1;
        worst = std::max(worst, missing_in({begin, carried}, held && begin == slabs.begin(),
                                           lowest ? bottom_mass : 0.0, highest ? top_mass : 0.0));
        begin = next;
    }
    return worst / (largest + worst);
}

/// In slabs that bear on one another: the largest impulse that is missing.
double LoadSlabs::missing_in(std::span<const Slab> slabs, bool held, double bottom_mass, double top_mass) {
    // Velocities that should not be, from the lower end.
    double speed = 0, momentum = 0, mass = top_mass + bottom_mass;
    std::vector<double> momenta;
    for (const Slab& slab : slabs) {
        momenta.push_back(slab.mass * (speed + 0.5 * slab.approach));
        speed += slab.approach;
        momentum += momenta.back();
        mass += slab.mass;
    }
    momentum += top_mass * speed;
    const double drift = held ? 0 : momentum / mass; // nothing holds it: it moves as a whole
    double missing = top_mass * (speed - drift), worst = std::abs(missing);
    for (std::size_t k = slabs.size(); k-- > 0;) {
        missing += momenta[k] - drift * slabs[k].mass;
        worst = std::max(worst, std::abs(missing));
    }
    return worst;
}

} // namespace tamp
