#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tamp/geometry/box.hpp"
#include "tamp/particles/generator.hpp"

/// What the generators share; not for other modules.
namespace tamp::generators {

/// More than any rank could hold while it picks its share; also keeps indices within 32 bits.
constexpr double largest_particle_count = 4e9;

/// The region that is filled. In two dimensions the third direction is not used.
struct Region {
    Vec3 lower, upper;
    std::array<bool, 3> wraps{}; ///< periodic and as long as the box: particles see their images
    int dimension;

    Region(const GeneratorSettings& settings, const Box& box);

    /// How much of its volume is free for points.
    double free_share(const FreeSpace& is_free) const;
    bool wraps_along(int axis) const { return wraps[static_cast<std::size_t>(axis)]; }
    double length(int axis) const { return upper[axis] - lower[axis]; }
    double volume() const { return length(0) * length(1) * (dimension == 3 ? length(2) : 1.0); }
};

/// Radii of the particles first_id, first_id + 1, ... until `count` or, without a count, `fraction` of this
/// volume is reached; without both, or when they ask for more, as many as `limit`.
struct Radii {
    std::vector<double> values;
    double volume = 0;     ///< of all of them
    bool complete = false; ///< all that was asked for
};
Radii draw_radii(const GeneratorSettings& settings, double volume, int dimension, std::uint64_t seed,
                 std::uint64_t first_id, double limit);

/// Places for particles of these radii, in the same order.
std::vector<Vec3> random_positions(const GeneratorSettings& settings, const Region& region,
                                   const std::vector<double>& radii, double volume, std::uint64_t seed,
                                   std::uint64_t first_id, const FreeSpace& is_free);

/// Sites of a square or cubic lattice that fills the region from below, the last direction slowest.
struct Lattice {
    std::array<std::int64_t, 3> counts{1, 1, 1};
    Vec3 spacing{0, 0, 0};
    Vec3 first{0, 0, 0};
    Vec3 largest_shift{0, 0, 0}; ///< of a particle from its site

    Lattice(const GeneratorSettings& settings, const Region& region);

    double site_count() const; ///< a double: may be more than integers hold
    Vec3 site(std::int64_t index) const;
};

} // namespace tamp::generators
