#include "tamp/measure/coarse_grain.hpp"

#include <array>

#include "tamp/base/fixed_sum.hpp"
#include "tamp/measure/tensor.hpp"

namespace tamp {
namespace {

/// What is summed in every cell.
enum Column { volume, number, mass, momentum, way = 6, ends = 9, stress, column_count = 16 };

constexpr double least_number = 1e-3; ///< of particles in a cell that averages are made of

/// Sums in cells, and what becomes of them.
class CoarseGrain {
public:
    CoarseGrain(const CoarseGrainInput& input, const CellGrid& grid, std::span<const CellShare> shares)
        : in_(input), grid_(grid), shares_(shares), sums_(grid.count(), bounds(), terms()) {
        add_particles();
        add_contacts();
        in_.world.communicator.sum(sums_.words());
    }

    std::vector<Quantity> quantities() {
        const int dimension = in_.view.box.dimension;
        const auto per_volume = [&, whole = 1 / grid_.cell_volume()](std::size_t cell) {
            if (in_.cell_volumes.empty())
                return whole;
            return in_.cell_volumes[cell] > 0 ? 1 / in_.cell_volumes[cell] : 0.0;
        };
        add("volume_fraction", "1", "volume of particles per volume", 1,
            [&](std::size_t cell, std::size_t) { return sums_.value(volume, cell) * per_volume(cell); });
        const std::vector<double> velocity =
            add("velocity", "m/s", "mean weighted by mass", 3,
                [&](std::size_t cell, std::size_t k) { return per(momentum + k, mass, cell); });
        if (in_.displacements)
            add("displacement", "m", "way since the start, mean weighted by mass", 3,
                [&](std::size_t cell, std::size_t k) { return per(way + k, mass, cell); });
        const FixedSums squares = fluctuations(velocity);
        add("temperature", "m^2/s^2",
            "mean square of a component of the velocity relative to the mean velocity, weighted by mass", 1,
            [&](std::size_t cell, std::size_t) {
                return counts(cell) && sums_.value(mass, cell) > 0
                           ? squares.value(0, cell) / (dimension * sums_.value(mass, cell))
                           : 0.0;
            });
        add("coordination", "1", "contacts a particle, walls included", 1,
            [&](std::size_t cell, std::size_t) { return per(ends, number, cell); });
        add("contact_stress", stress_unit(dimension),
            "xx, yy, zz, xy, yz, xz; force times the part of the branch inside, per volume; positive in "
            "compression; branches as at the start of the step, when forces were found",
            6, [&](std::size_t cell, std::size_t k) {
                return sums_.value(stress + k, cell) * per_volume(cell);
            });
        return std::move(list_);
    }

private:
    std::array<double, column_count> bounds() {
        const Extremes& e = in_.extremes;
        std::array<double, column_count> largest;
        largest[volume] = e.volume;
        largest[number] = 1;
        largest[mass] = e.mass;
        std::fill_n(largest.begin() + momentum, 3, e.mass * e.speed);
        double furthest = 0;
        if (in_.displacements)
            for (const Vec3& displacement : *in_.displacements)
                raise(furthest, norm(displacement));
        std::fill_n(largest.begin() + way, 3, e.mass * in_.world.communicator.max(furthest));
        largest[ends] = e.coordination;
        std::fill_n(largest.begin() + stress, 6, e.force * e.branch);
        return largest;
    }
    std::int64_t terms() const { return std::max(in_.extremes.particles, in_.extremes.contacts()); }

    void add_particles() {
        const ParticleView& particles = in_.view.particles;
        const int dimension = in_.view.box.dimension;
        for (const auto& [i, cell, share] : shares_) {
            const double m = share * in_.masses[i];
            sums_.add(volume, cell, share * grain_volume(particles.radius[i], dimension));
            sums_.add(number, cell, share);
            sums_.add(mass, cell, m);
            for (std::size_t k = 0; k < 3; ++k)
                sums_.add(momentum + k, cell, m * particles.velocity[i][static_cast<int>(k)]);
            if (in_.displacements)
                for (std::size_t k = 0; k < 3; ++k)
                    sums_.add(way + k, cell, m * (*in_.displacements)[i][static_cast<int>(k)]);
            sums_.add(ends, cell, share * particles.coordination[i]);
        }
    }

    void add_contacts() {
        const ContactView& contacts = in_.view.contacts;
        for (std::size_t c = 0; c < contacts.size(); ++c) {
            const SymmetricTensor moment =
                symmetric_dyad(contacts.force[c], contacts.to[c] - contacts.from[c]);
            grid_.cut(contacts.from[c], contacts.to[c], [&](std::size_t cell, double share) {
                for (std::size_t k = 0; k < 6; ++k)
                    sums_.add(stress + k, cell, share * moment[k]);
            });
        }
    }

    FixedSums fluctuations(const std::vector<double>& velocity) {
        const double speed = 2 * in_.extremes.speed;
        const std::array<double, 1> largest{in_.extremes.mass * speed * speed};
        FixedSums squares(grid_.count(), largest, terms());
        for (const auto& [i, cell, share] : shares_) {
            const double* mean = &velocity[3 * std::size_t{cell}];
            const Vec3 v = in_.view.particles.velocity[i] - Vec3{mean[0], mean[1], mean[2]};
            squares.add(0, cell, share * in_.masses[i] * dot(v, v));
        }
        in_.world.communicator.sum(squares.words());
        return squares;
    }

    bool counts(std::size_t cell) const { return sums_.value(number, cell) >= least_number; }
    double per(std::size_t column, std::size_t weight, std::size_t cell) const {
        const double total = sums_.value(weight, cell);
        return counts(cell) && total > 0 ? sums_.value(column, cell) / total : 0.0;
    }

    template <class Value>
    const std::vector<double>& add(const char* name, const char* unit, const char* description,
                                   std::size_t components, Value&& value) {
        Quantity quantity{name, unit, description, {}, {grid_.count()}};
        if (components > 1)
            quantity.shape.push_back(components);
        quantity.values.reserve(grid_.count() * components);
        for (std::size_t cell = 0; cell < grid_.count(); ++cell)
            for (std::size_t k = 0; k < components; ++k)
                quantity.values.push_back(value(cell, k));
        list_.push_back(std::move(quantity));
        return list_.back().values;
    }

    const CoarseGrainInput& in_;
    const CellGrid& grid_;
    std::span<const CellShare> shares_;
    FixedSums sums_;
    std::vector<Quantity> list_;
};

} // namespace

std::vector<CellShare> slab_shares(const CellGrid& grid, int axis, int dimension,
                                   const ParticleView& particles) {
    std::vector<CellShare> shares;
    shares.reserve(3 * particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i)
        grid.spread(
            axis, particles.position[i][axis], particles.radius[i],
            dimension == 3 ? shares_below::sphere : shares_below::disc, [&](int cell, double share) {
                shares.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(cell), share});
            });
    return shares;
}

std::vector<CellShare> tent_shares(const CellGrid& grid, int dimension, double reach,
                                   const ParticleView& particles) {
    std::vector<CellShare> shares;
    shares.reserve(4 * particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3& at = particles.position[i];
        const auto along_x = [&](int y, int z, double part) {
            grid.spread(0, at.x, reach, shares_below::tent, [&](int x, double share) {
                shares.push_back({static_cast<std::uint32_t>(i),
                                  static_cast<std::uint32_t>(grid.index({x, y, z})), part * share});
            });
        };
        const auto along_y = [&](int z, double part) {
            grid.spread(1, at.y, reach, shares_below::tent,
                        [&](int y, double share) { along_x(y, z, part * share); });
        };
        if (dimension == 2)
            along_y(0, 1.0);
        else
            grid.spread(2, at.z, reach, shares_below::tent, along_y);
    }
    return shares;
}

std::vector<Quantity> coarse_grained(const CoarseGrainInput& input, const CellGrid& grid,
                                     std::span<const CellShare> shares) {
    return CoarseGrain(input, grid, shares).quantities();
}

} // namespace tamp
