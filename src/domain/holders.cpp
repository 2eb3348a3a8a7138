#include "tamp/domain/holders.hpp"

namespace tamp {

PrivateTiles::PrivateTiles(const TileGrid& grid, const Partition& partition, int rank)
    : grid_(grid), first_(partition.begin(rank)) {
    const auto own = [&](int tile) { return partition.owner(tile) == rank; };
    for (int tile = first_; tile < partition.end(rank); ++tile)
        private_.push_back(all_corners(tile, -1, own)); // those whose pairs may reach it
}

bool PrivateTiles::contain_pairs_of(int tile) const {
    return all_corners(tile, 1, [&](int corner) { return contains(corner); });
}

template <class F>
bool PrivateTiles::all_corners(int tile, int direction, F&& f) const {
    for (int corner = 0; corner < grid_.phases(); ++corner) {
        Int3 at;
        Vec3 shift;
        if (grid_.neighbour(grid_.tile(tile), TileGrid::corner_offset(corner, direction), at, shift) &&
            !f(grid_.number(at)))
            return false;
    }
    return true;
}

} // namespace tamp
