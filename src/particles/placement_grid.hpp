#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generate_parts.hpp"

namespace tamp::generators {

/// Finds out whether a particle would overlap those placed before. Cells are at least as wide as the largest
/// diameter, so that only a cell and its neighbours need to be looked at: it must be asked for no larger
/// ones. `smallest_diameter` is that of all particles it will be asked for.
///
/// In a crowd nearly all tries fail, so failing has to be quick: each cell is cut into 64 parts, and one bit
/// a part tells that no centre can ever lie in it, because all of it is too close to some particle even for
/// the smallest.
class PlacementGrid {
public:
    PlacementGrid(const Region& region, double smallest_diameter, double largest_diameter,
                  std::size_t particle_count);

    /// Starts to load what is_free will look at first: told of several positions at once, it need not wait
    /// for memory at each.
    void prefetch(const Vec3& position) const;

    bool is_free(const Vec3& position, double radius) const;
    void insert(const Vec3& position, double radius);

    double largest_radius() const { return largest_radius_; }

private:
    static constexpr std::uint32_t nothing = 0xffffffff;

    /// Half a cache line. The radius is rounded up, which at most keeps particles 1e-7 of it too far apart.
    struct Placed {
        Vec3 position;
        float radius;
        std::uint32_t next; ///< of the same cell
    };

    /// Along one direction: a cell, how far its particles are to be moved to become the images next to a
    /// given coordinate, and the square of the distance between that coordinate and the cell.
    struct Slice {
        std::int64_t cell;
        double shift;
        double distance_squared;
    };
    using Slices = std::array<Slice, 3>; ///< the own cell, the nearer neighbour, the farther one

    /// Along one direction: a part of a cell, and the square of how far its farther end is from a given
    /// coordinate.
    struct CoveredPart {
        std::int64_t part;
        double distance_squared;
    };

    struct Axis {
        double lower = 0, length = 0, edge = 0;
        std::int64_t count = 1; ///< of cells
        int part_bits = 0;      ///< 2^part_bits parts make a cell
        double parts_per_length = 0;
        bool wraps = false, used = false;

        std::int64_t cell(double coordinate) const;
        std::int64_t part(double coordinate) const; ///< counted over all cells
        Slices slices(double coordinate) const;
        std::vector<CoveredPart> covered_parts(double coordinate, double reach) const;
    };

    std::size_t cell_index(std::int64_t x, std::int64_t y, std::int64_t z) const;
    std::uint64_t part_bit(std::int64_t x, std::int64_t y, std::int64_t z) const;
    void block_parts(const Vec3& position, double reach);
    bool overlaps(std::size_t cell, const Vec3& position, double radius) const;

    std::array<Axis, 3> axes_;
    double smallest_radius_, largest_radius_;
    std::vector<std::uint64_t> blocked_parts_; ///< of each cell, one bit a part
    std::vector<std::uint32_t> first_in_cell_;
    std::vector<Placed> placed_;
};

} // namespace tamp::generators
