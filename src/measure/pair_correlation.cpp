#include "tamp/measure/pair_correlation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "tamp/base/random.hpp"
#include "tamp/measure/cell_grid.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// Where a particle is.
struct Sample {
    std::uint64_t id;
    Vec3 position;
};

/// Particles of this rank sorted into cells, to find those near a point.
class Bins {
public:
    Bins(const ParticleView& particles, int dimension, double wanted_edge) : dimension_(dimension) {
        if (particles.size() == 0)
            return;
        lower_ = upper_ = particles.position.front();
        for (const Vec3& at : particles.position)
            for (int axis = 0; axis < dimension; ++axis) {
                lower_[axis] = std::min(lower_[axis], at[axis]);
                upper_[axis] = std::max(upper_[axis], at[axis]);
            }
        // No more cells than a few a particle, however thin the particles are spread.
        double volume = 1;
        for (int axis = 0; axis < dimension; ++axis)
            volume *= (upper_[axis] - lower_[axis]) / wanted_edge + 1;
        if (!std::isfinite(volume))
            return; // a state that is no more worth measuring
        const double grow =
            std::pow(std::max(1.0, volume / (4.0 * static_cast<double>(particles.size()))), 1.0 / dimension);
        for (int axis = 0; axis < dimension; ++axis) {
            per_edge_[axis] = 1 / (grow * wanted_edge);
            cells_[static_cast<std::size_t>(axis)] =
                1 + static_cast<int>(std::min((upper_[axis] - lower_[axis]) * per_edge_[axis], 1000.0));
        }
        begin_.assign(index(cells_[0] - 1, cells_[1] - 1, cells_[2] - 1) + 2, 0);
        for (const Vec3& at : particles.position)
            ++begin_[cell_of(at) + 1];
        for (std::size_t c = 1; c < begin_.size(); ++c)
            begin_[c] += begin_[c - 1];
        sorted_.resize(particles.size());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t i = 0; i < particles.size(); ++i)
            sorted_[next[cell_of(particles.position[i])]++] = {particles.id[i], particles.position[i]};
    }

    /// Calls `look(particle)` for all within `range` of a point, and for some more.
    template <class Look>
    void near(const Vec3& point, double range, Look&& look) const {
        if (sorted_.empty())
            return;
        Int3 first{0, 0, 0}, last{0, 0, 0};
        for (int axis = 0; axis < dimension_; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            if (point[axis] + range < lower_[axis] || point[axis] - range > upper_[axis])
                return;
            first[a] = along(axis, point[axis] - range);
            last[a] = along(axis, point[axis] + range);
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y)
                for (std::size_t k = begin_[index(first[0], y, z)]; k < begin_[index(last[0], y, z) + 1]; ++k)
                    look(sorted_[k]);
    }

private:
    int along(int axis, double x) const {
        const double cell = std::floor((x - lower_[axis]) * per_edge_[axis]);
        const double last = cells_[static_cast<std::size_t>(axis)] - 1;
        return cell > 0 ? static_cast<int>(std::min(cell, last)) : 0; // NaN is put first
    }
    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(cells_[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(cells_[0]) +
               static_cast<std::size_t>(x);
    }
    std::size_t cell_of(const Vec3& at) const {
        return index(along(0, at.x), along(1, at.y), dimension_ == 3 ? along(2, at.z) : 0);
    }

    int dimension_;
    Vec3 lower_{0, 0, 0}, upper_{0, 0, 0}, per_edge_{0, 0, 0};
    Int3 cells_{1, 1, 1};
    std::vector<std::size_t> begin_;
    std::vector<Sample> sorted_;
};

/// What the particles fill of the region; its whole length along periodic directions.
Region filled_part(const World& world, const View& view) {
    Region region = region_of(view.box, world.walls);
    std::array<double, 6> ends;
    ends.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < view.particles.size(); ++i)
        for (int axis = 0; axis < view.box.dimension; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const double at = view.particles.position[i][axis], radius = view.particles.radius[i];
            ends[a] = std::max(ends[a], at + radius);
            ends[a + 3] = std::max(ends[a + 3], radius - at);
        }
    world.communicator.max(std::span<double>(ends));
    for (int axis = 0; axis < view.box.dimension; ++axis)
        if (!view.box.periodic(axis)) {
            const auto a = static_cast<std::size_t>(axis);
            region.upper[axis] = std::min(region.upper[axis], ends[a]);
            region.lower[axis] = std::max(region.lower[axis], -ends[a + 3]);
        }
    return region;
}

class Neighbourhoods {
public:
    Neighbourhoods(const World& world, const View& view, const MeasureSettings& settings)
        : world_(world), view_(view), settings_(settings), region_(filled_part(world, view)),
          range_(settings.pair_range * world.sizes.mean),
          counts_(static_cast<std::size_t>(settings.pair_bins) + 1, 0) {
        for (int axis = 0; axis < view.box.dimension; ++axis)
            range_ = std::min(range_, view.box.periodic(axis) ? 0.5 * view.box.length(axis)
                                                              : 0.25 * std::max(0.0, region_.length(axis)));
    }

    std::vector<Quantity> measure() {
        const std::vector<Sample> samples = choose_samples();
        if (range_ > 0)
            count(samples);
        counts_.back() += static_cast<std::int64_t>(view_.particles.size());
        world_.communicator.sum(std::span<std::int64_t>(counts_));
        return quantities(static_cast<std::int64_t>(samples.size()));
    }

private:
    /// Its neighbourhood is cut by no wall and no surface.
    bool is_inside(const Vec3& at) const {
        for (int axis = 0; axis < view_.box.dimension; ++axis)
            if (!view_.box.periodic(axis) &&
                (at[axis] - region_.lower[axis] < range_ || region_.upper[axis] - at[axis] < range_))
                return false;
        return std::ranges::none_of(world_.walls, [&](const Wall& wall) { return wall.gap(at, range_) < 0; });
    }

    /// The same on every rank, but for their order.
    std::vector<Sample> choose_samples() const {
        const ParticleView& particles = view_.particles;
        std::vector<Sample> mine;
        for (std::size_t i = 0; i < particles.size(); ++i)
            if (is_inside(particles.position[i]))
                mine.push_back({particles.id[i], particles.position[i]});
        const Communicator& communicator = world_.communicator;
        const auto possible = static_cast<double>(communicator.sum(static_cast<std::int64_t>(mine.size())));
        if (possible > settings_.pair_samples) {
            const auto limit = static_cast<std::uint64_t>(settings_.pair_samples / possible * 0x1p53);
            std::erase_if(mine, [&](const Sample& s) { return mix(s.id) >> 11 >= limit; });
        }
        std::map<int, std::vector<Sample>> to;
        for (int rank = 0; rank < communicator.size(); ++rank)
            to[rank] = mine;
        std::vector<Sample> all;
        for (const auto& [rank, samples] : sparse_exchange(communicator, to))
            all.insert(all.end(), samples.begin(), samples.end());
        return all;
    }

    void count(const std::vector<Sample>& samples) {
        const Box& box = view_.box;
        const Bins bins(view_.particles, box.dimension, range_ / 3);
        const double per_width = settings_.pair_bins / range_, square = range_ * range_;
        const std::size_t last = counts_.size() - 2;
        // A little more than the range: whether a pair counts is for its distance alone to say.
        const double search = range_ * (1 + 1e-9);
        Int3 images{0, 0, 0};
        for (int axis = 0; axis < box.dimension; ++axis)
            images[static_cast<std::size_t>(axis)] = box.periodic(axis) ? 1 : 0;
        for (const Sample& sample : samples)
            for (int z = -images[2]; z <= images[2]; ++z)
                for (int y = -images[1]; y <= images[1]; ++y)
                    for (int x = -images[0]; x <= images[0]; ++x) {
                        const Vec3 at =
                            sample.position + Vec3{x * box.length(0), y * box.length(1), z * box.length(2)};
                        bins.near(at, search, [&](const Sample& other) {
                            const Vec3 d = other.position - at;
                            const double r2 = dot(d, d);
                            if (r2 < square && other.id != sample.id)
                                ++counts_[std::min(last,
                                                   static_cast<std::size_t>(std::sqrt(r2) * per_width))];
                        });
                    }
    }

    std::vector<Quantity> quantities(std::int64_t samples) const {
        const auto bins = static_cast<std::size_t>(settings_.pair_bins);
        const double width = range_ / settings_.pair_bins;
        const double density = static_cast<double>(counts_[bins] - 1) / // others than the sample itself
                               volume_between(region_, world_.walls);
        std::vector<double> distances, values;
        for (std::size_t k = 0; k < bins; ++k) {
            const double inner = width * static_cast<double>(k), outer = width * static_cast<double>(k + 1);
            const double shell =
                grain_volume(outer, view_.box.dimension) - grain_volume(inner, view_.box.dimension);
            const double expected = static_cast<double>(samples) * density * shell;
            distances.push_back(0.5 * (inner + outer));
            values.push_back(expected > 0 ? static_cast<double>(counts_[k]) / expected : 0.0);
        }
        return {{"pair_correlation/distance", "m", "middle of the bins", std::move(distances), {bins}},
                {"pair_correlation/value",
                 "1",
                 "density of centres at that distance over the mean density",
                 std::move(values),
                 {bins}},
                {"pair_correlation/samples",
                 "1",
                 "number of particles whose neighbourhood was counted",
                 {static_cast<double>(samples)}}};
    }

    const World& world_;
    const View& view_;
    const MeasureSettings& settings_;
    Region region_;
    double range_;
    std::vector<std::int64_t> counts_; ///< by bin; then the number of particles
};

} // namespace

std::vector<Quantity> pair_correlation(const World& world, const View& view,
                                       const MeasureSettings& settings) {
    return Neighbourhoods(world, view, settings).measure();
}

} // namespace tamp
