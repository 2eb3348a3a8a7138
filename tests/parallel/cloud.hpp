#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tamp/base/random.hpp"
#include "tamp/contacts/history.hpp"
#include "tamp/domain/holders.hpp"
#include "tamp/domain/migrate.hpp"
#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/solver/rigid_history.hpp"

/// Random clouds of particles, spread over the ranks as the engine spreads them.
namespace tamp::test {

/// Any mix of boundaries, two or three dimensions, a corner that is not the origin.
inline Box random_box(Random& random, double shortest, double longest) {
    Box box;
    box.dimension = random.below(3) == 0 ? 2 : 3;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = random.uniform(-5, 5);
        box.upper[axis] = box.lower[axis] + random.uniform(shortest, longest);
        box.boundary[static_cast<std::size_t>(axis)] = static_cast<Boundary>(random.below(3));
    }
    if (box.dimension == 2) {
        box.lower.z = box.upper.z = 0;
        box.boundary[2] = Boundary::open;
    }
    return box;
}

inline Vec3 random_position(Random& random, const Box& box) {
    Vec3 position{0, 0, 0};
    for (int axis = 0; axis < box.dimension; ++axis)
        position[axis] = random.uniform(box.lower[axis], box.upper[axis]);
    return box.wrapped(position);
}

/// They overlap as chance wants it. Ids are neither dense nor in the order of space.
inline std::vector<Grain> random_grains(Random& random, const Box& box, std::size_t count, double smallest,
                                        double largest) {
    std::vector<Grain> grains(count);
    for (std::size_t i = 0; i < count; ++i)
        grains[i] = {.id = 3 * i + 1,
                     .position = random_position(random, box),
                     .radius = i == 0 ? largest : random.uniform(smallest, largest)};
    return grains;
}

inline Partition random_partition(Random& random, const TileGrid& grid, int ranks) {
    std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()));
    for (auto& cost : costs)
        cost = static_cast<std::int64_t>(random.below(4)); // none for some tiles
    return Partition(costs, ranks);
}

/// What one rank holds of a cloud.
class Cloud {
public:
    /// `grains` are all particles, known to every rank. They first go to any rank, and migrate from there.
    Cloud(const Communicator& communicator, const TileGrid& tile_grid, const Partition& tile_partition,
          const std::vector<Grain>& grains,
          const std::vector<ColumnInfo>& history = RigidHistory::columns({}),
          const std::vector<ColumnInfo>& attributes = {})
        : grid(tile_grid), partition(tile_partition),
          store(MaterialTable({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}}), tile_grid.box().dimension,
                attributes),
          lists(history), communicator_(communicator) {
        std::vector<Grain> mine;
        for (const Grain& grain : grains)
            if (mix(grain.id) % static_cast<std::uint64_t>(communicator.size()) ==
                static_cast<std::uint64_t>(communicator.rank()))
                mine.push_back(grain);
        store.resize(mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i)
            store.set(i, mine[i]);
        store.owned = mine.size();
    }

    /// A search for neighbours. Returns how many particles were lost on this rank.
    std::int64_t search(double largest_diameter, double skin, std::span<const Wall> walls = {}) {
        grid.set_cells(largest_diameter + skin);
        const std::int64_t lost = migrate(communicator_, grid, partition, store);
        fetch_copies(communicator_, grid, partition, store);
        tiles.emplace(grid, partition, communicator_.rank(), store);
        lists.pairs = find_pairs(grid, *tiles, store, skin);
        lists.walls = find_wall_contacts(*tiles, store, walls, skin);
        lists.reset_history();
        return lost;
    }

    TileGrid grid;
    Partition partition;
    ParticleStore store;
    std::optional<LocalTiles> tiles;
    ContactLists lists;

    /// Of the pairs, and of the contacts with walls.
    std::span<Vec3> impulses() { return lists.pair_history.vectors(0); }
    std::span<Vec3> wall_impulses() { return lists.wall_history.vectors(0); }

private:
    const Communicator& communicator_;
};

/// What all ranks have, on rank 0, in order; nothing elsewhere.
template <class T>
std::vector<T> gather_sorted(const Communicator& communicator, const std::vector<T>& mine) {
    std::vector<T> all;
    for (const auto& [rank, items] : sparse_exchange(communicator, std::map<int, std::vector<T>>{{0, mine}}))
        all.insert(all.end(), items.begin(), items.end());
    std::sort(all.begin(), all.end());
    return all;
}

/// A candidate pair: tile, place in the tile's list, ids.
using PairRecord = std::array<std::uint64_t, 4>;

inline std::vector<PairRecord> pair_records(const Cloud& cloud) {
    std::vector<PairRecord> records;
    const PairList& pairs = cloud.lists.pairs;
    for (int slot = 0; slot < cloud.tiles->owned(); ++slot) {
        const auto s = static_cast<std::size_t>(slot);
        for (std::int32_t c = pairs.tile_begin[s]; c < pairs.tile_begin[s + 1]; ++c)
            records.push_back(
                {static_cast<std::uint64_t>(cloud.tiles->tile(slot)),
                 static_cast<std::uint64_t>(c - pairs.tile_begin[s]),
                 cloud.store.id[static_cast<std::size_t>(pairs.first[static_cast<std::size_t>(c)])],
                 cloud.store.id[static_cast<std::size_t>(pairs.second[static_cast<std::size_t>(c)])]});
    }
    return records;
}

} // namespace tamp::test
