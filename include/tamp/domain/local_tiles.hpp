#pragma once

#include <cstdint>
#include <vector>

#include "tamp/domain/partition.hpp"
#include "tamp/domain/tile_grid.hpp"
#include "tamp/particles/store.hpp"

namespace tamp {

/// The tiles that one rank knows, in slots: the tiles that it owns (empty ones too: a tile owns pairs between
/// its forward neighbours), then those that it holds copies of. Particles are sorted by slot, cell and id;
/// here is where each cell begins.
class LocalTiles {
public:
    /// Sorts the store, whose owned particles come first, and remembers the positions as reference.
    LocalTiles(const TileGrid& grid, const Partition& partition, int rank, ParticleStore& store);

    int owned() const { return owned_; }
    int count() const { return static_cast<int>(tile_.size()); }
    int tile(int slot) const { return tile_[static_cast<std::size_t>(slot)]; }
    /// The slot of a tile, or -1.
    int slot(int tile) const { return slot_[static_cast<std::size_t>(tile)]; }

    std::int32_t begin(int slot, int cell) const { return begin_[index(slot, cell)]; }
    std::int32_t end(int slot, int cell) const { return begin_[index(slot, cell) + 1]; }
    std::int32_t begin(int slot) const { return begin_[index(slot, 0)]; }
    std::int32_t end(int slot) const { return begin_[index(slot + 1, 0)]; }

private:
    std::size_t index(int slot, int cell) const {
        return static_cast<std::size_t>(slot) * static_cast<std::size_t>(cells_) +
               static_cast<std::size_t>(cell);
    }

    int owned_ = 0, cells_ = 1;
    std::vector<int> tile_, slot_;
    std::vector<std::int32_t> begin_;
};

} // namespace tamp
