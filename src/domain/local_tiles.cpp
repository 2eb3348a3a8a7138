#include "tamp/domain/local_tiles.hpp"

#include <algorithm>
#include <set>

namespace tamp {

LocalTiles::LocalTiles(const TileGrid& grid, const Partition& partition, int rank, ParticleStore& store)
    : owned_(partition.end(rank) - partition.begin(rank)), cells_(grid.cell_count()),
      slot_(static_cast<std::size_t>(grid.count()), -1) {
    for (int tile = partition.begin(rank); tile < partition.end(rank); ++tile)
        tile_.push_back(tile);

    std::vector<int> tile_of(store.size());
    std::set<int> foreign;
    for (std::size_t i = 0; i < store.size(); ++i) {
        tile_of[i] = grid.number(grid.tile_of(store.sphere[i].centre));
        if (i >= store.owned)
            foreign.insert(tile_of[i]);
    }
    tile_.insert(tile_.end(), foreign.begin(), foreign.end());
    for (std::size_t s = 0; s < tile_.size(); ++s)
        slot_[static_cast<std::size_t>(tile_[s])] = static_cast<int>(s);

    // Counting sort by slot and cell, then by id inside each cell: the same order on any number of ranks.
    std::vector<std::size_t> key(store.size());
    begin_.assign(index(count(), 0) + 1, 0);
    for (std::size_t i = 0; i < store.size(); ++i) {
        const int tile = tile_of[i];
        key[i] = index(slot(tile), grid.cell_of(store.sphere[i].centre, grid.tile(tile)));
        ++begin_[key[i] + 1];
    }
    for (std::size_t k = 1; k < begin_.size(); ++k)
        begin_[k] += begin_[k - 1];
    std::vector<std::int32_t> order(store.size());
    std::vector<std::int32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < store.size(); ++i)
        order[static_cast<std::size_t>(next[key[i]]++)] = static_cast<std::int32_t>(i);
    const auto by_id = [&](std::int32_t a, std::int32_t b) {
        return store.id[static_cast<std::size_t>(a)] < store.id[static_cast<std::size_t>(b)];
    };
    for (std::size_t k = 0; k + 1 < begin_.size(); ++k)
        if (begin_[k + 1] - begin_[k] > 1)
            std::sort(order.begin() + begin_[k], order.begin() + begin_[k + 1], by_id);

    store.rearrange(order);
    for (std::size_t i = 0; i < store.size(); ++i)
        store.reference[i] = store.sphere[i].centre;
}

} // namespace tamp
