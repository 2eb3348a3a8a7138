#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tamp {

/// Which rank owns which tiles: pieces of the curve.
class Partition {
public:
    /// Equal pieces by cost, to within a tile. Every rank computes the same from the same costs.
    Partition(std::span<const std::int64_t> tile_costs, int ranks);
    /// From what `pieces` gave.
    explicit Partition(std::span<const std::int64_t> pieces);
    /// The first tile of each rank, and the number of tiles.
    std::vector<std::int64_t> pieces() const { return {begin_.begin(), begin_.end()}; }

    int owner(int tile) const { return owner_[static_cast<std::size_t>(tile)]; }
    int begin(int rank) const { return begin_[static_cast<std::size_t>(rank)]; }
    int end(int rank) const { return begin_[static_cast<std::size_t>(rank) + 1]; }
    int ranks() const { return static_cast<int>(begin_.size()) - 1; }
    int tiles() const { return static_cast<int>(owner_.size()); }

    /// Largest cost of a rank over the mean.
    double imbalance(std::span<const std::int64_t> tile_costs) const;

private:
    std::vector<int> begin_, owner_;
};

} // namespace tamp
