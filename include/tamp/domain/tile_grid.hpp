#pragma once

#include <cstdint>
#include <vector>

#include "tamp/geometry/box.hpp"

namespace tamp {

/// The tile edge that suits a case: 64 to 512 particles a tile in a dense packing, so that small cases still
/// have several tiles a rank in every phase and large ones full batches. Set by the case alone, never by the
/// ranks.
double suitable_tile_edge(std::int64_t particles, double mean_volume, int dimension);

/// Space cut into tiles, and tiles into the cells of the neighbour search. Tiles are numbered along Hilbert's
/// curve.
class TileGrid {
public:
    /// Tiles are about `wanted_edge` long, never shorter than `least_edge`; even in number along periodic
    /// directions.
    TileGrid(const Box& box, double wanted_edge, double least_edge);

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

    /// Cells at least `cut_off` long for the search that follows.
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

    Box box_;
    Int3 size_{1, 1, 1}, cells_{1, 1, 1};
    Vec3 edge_{1, 1, 1};
    std::vector<int> number_;
    std::vector<Int3> order_;
};

} // namespace tamp
