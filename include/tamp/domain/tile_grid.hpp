#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tamp/geometry/box.hpp"

namespace tamp {

/// The tile edge that suits a case: 64 to 512 particles a tile in a dense packing, so that small cases still
/// have several tiles a rank in every phase and large ones full batches. Set by the case alone, never by the
/// ranks.
double suitable_tile_edge(std::int64_t particles, double mean_volume, int dimension);

/// How many tiles and cells a grid may have at most: both are tables that every rank keeps, and a box that is
/// much larger than its particles would fill the memory with empty ones.
struct GridLimits {
    std::int64_t tiles = std::numeric_limits<std::int32_t>::max();
    std::int64_t cells = std::numeric_limits<std::int32_t>::max(); ///< of all tiles together
};

/// Far above what particles need that fill a hundredth of their box or more: only in emptier ones tiles and
/// cells are made larger. Set by the case alone, never by the ranks.
GridLimits grid_limits(std::int64_t particles);

/// Space cut into tiles, and tiles into the cells of the neighbour search. Tiles are numbered along Hilbert's
/// curve.
class TileGrid {
public:
    /// Tiles are about `wanted_edge` long, never shorter than `least_edge`; even in number along periodic
    /// directions. Where that would make more tiles than the limits allow, they are longer.
    TileGrid(const Box& box, double wanted_edge, double least_edge, const GridLimits& limits = {});

    const Box& box() const { return box_; }
    Int3 size() const { return size_; }
    int count() const { return static_cast<int>(order_.size()); }
    /// Along directions with several tiles: pairs may not reach further than this.
    double shortest_edge() const;

    /// The tile of a position; a position past a walled face belongs to the last tile there.
    Int3 tile_of(const Vec3& position) const;
    /// Position of a tile on the curve.
    int number(Int3 tile) const { return number_[linear(tile)]; }
    Int3 tile(int number) const { return order_[static_cast<std::size_t>(number)]; }
    int parity(Int3 tile) const { return (tile[0] & 1) | (tile[1] & 1) << 1 | (tile[2] & 1) << 2; }
    int phases() const { return 1 << box_.dimension; }

    /// The tile at `tile + offset`, wrapped, with the shift that its particles need to be seen from there;
    /// false if there is none. `offset` is -1, 0 or 1 along each axis.
    bool neighbour(Int3 tile, Int3 offset, Int3& result, Vec3& shift) const;

    /// The offset from a tile to one of the 2^d tiles around its forward corner (`direction` 1) or backward
    /// corner (-1). Bit k of `corner`, 0 to `phases() - 1`, is a step along axis k; 0 is the tile itself.
    static Int3 corner_offset(int corner, int direction) {
        return {direction * (corner & 1), direction * (corner >> 1 & 1), direction * (corner >> 2 & 1)};
    }

    /// Cells at least `cut_off` long for the search that follows, longer where the limits demand it.
    void set_cells(double cut_off);
    Int3 cells() const { return cells_; }
    int cell_count() const { return cells_[0] * cells_[1] * cells_[2]; }
    int cell_of(const Vec3& position, Int3 tile) const;
    Int3 cell_coordinates(int cell) const {
        return {cell % cells_[0], cell / cells_[0] % cells_[1], cell / (cells_[0] * cells_[1])};
    }

    /// Particles left the region through an open direction, or through a wall.
    bool outside(const Vec3& position) const;

private:
    std::size_t linear(Int3 t) const {
        const auto wide = [](int n) { return static_cast<std::size_t>(n); };
        return (wide(t[2]) * wide(size_[1]) + wide(t[1])) * wide(size_[0]) + wide(t[0]);
    }

    // Two tiles along each periodic side and one cell a tile there always are.
    double tile_limit() const { return static_cast<double>(std::max<std::int64_t>(8, limits_.tiles)); }
    double cell_limit() const { return static_cast<double>(std::max<std::int64_t>(count(), limits_.cells)); }

    Box box_;
    GridLimits limits_;
    Int3 size_{1, 1, 1}, cells_{1, 1, 1};
    Vec3 edge_{1, 1, 1};
    std::vector<int> number_;
    std::vector<Int3> order_;
};

} // namespace tamp
