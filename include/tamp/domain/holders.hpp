#pragma once

#include <vector>

#include "tamp/domain/partition.hpp"
#include "tamp/domain/tile_grid.hpp"

namespace tamp {

/// The ranks that hold a particle: the owner of its tile, and the owners of the tiles whose pairs may reach
/// it. A pair belongs to the component-wise minimum of its two tiles, so a tile reaches a particle in a tile
/// one step forward only if that particle lies in the first layer of cells behind the common face. Both sides
/// decide by cell, hence alike.
class Holders {
public:
    Holders(const TileGrid& grid, const Partition& partition) : grid_(grid), partition_(partition) {}

    /// Calls `f(rank)` once for each rank that holds a particle of `tile` in `cell`.
    template <class F>
    void each(Int3 tile, int cell, F&& f) const;

private:
    const TileGrid& grid_;
    const Partition& partition_;
};

/// The tiles of a rank whose particles no other rank holds. Most are such: what only concerns shared
/// particles need not look at theirs one by one.
class PrivateTiles {
public:
    PrivateTiles(const TileGrid& grid, const Partition& partition, int rank);

    bool contains(int tile) const {
        return tile >= first_ && tile < first_ + static_cast<int>(private_.size()) &&
               private_[static_cast<std::size_t>(tile - first_)];
    }
    /// All particles of the pairs of a tile: those of the tile and of the ones that it reaches.
    bool contain_pairs_of(int tile) const;

private:
    /// Whether the tiles at the 2^d corners of `tile`, all in the one direction, fulfil `f(number)`.
    template <class F>
    bool all_corners(int tile, int direction, F&& f) const;

    const TileGrid& grid_;
    int first_;
    std::vector<char> private_; ///< by tile of the rank
};

template <class F>
void Holders::each(Int3 tile, int cell, F&& f) const {
    int ranks[8];
    int count = 0;
    const Int3 at = grid_.cell_coordinates(cell);
    // A bit for each axis along which the cell lies behind the first layer: no tile reaches it from there.
    const int beyond = (at[0] > 0) | (at[1] > 0) << 1 | (at[2] > 0) << 2;
    for (int back = 0; back < grid_.phases(); ++back) {
        if (back & beyond)
            continue;
        Int3 reacher;
        Vec3 shift;
        if (!grid_.neighbour(tile, TileGrid::corner_offset(back, -1), reacher, shift))
            continue;
        const int rank = partition_.owner(grid_.number(reacher));
        bool known = false;
        for (int i = 0; i < count; ++i)
            known = known || ranks[i] == rank;
        if (known)
            continue;
        ranks[count++] = rank;
        f(rank);
    }
}

} // namespace tamp
