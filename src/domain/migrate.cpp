#include "tamp/domain/migrate.hpp"

#include <map>

#include "tamp/domain/holders.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

using Rows = std::vector<std::uint64_t>; // as ParticleStore::append_row makes them

void append(ParticleStore& store, const std::vector<std::pair<int, Rows>>& arrived) {
    const std::size_t width = store.row_words();
    std::size_t next = store.size();
    std::size_t count = next;
    for (const auto& [rank, rows] : arrived)
        count += rows.size() / width;
    store.resize(count);
    for (const auto& [rank, rows] : arrived)
        for (std::size_t at = 0; at < rows.size(); at += width)
            store.set(next++, std::span(rows).subspan(at, width));
}

} // namespace

std::int64_t migrate(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                     ParticleStore& store) {
    std::map<int, Rows> leaving;
    std::vector<std::int32_t> staying;
    staying.reserve(store.owned);
    std::int64_t lost = 0;
    for (std::size_t i = 0; i < store.owned; ++i) {
        Vec3& centre = store.sphere[i].centre;
        centre = grid.box().wrapped(centre);
        if (grid.outside(centre)) {
            ++lost;
            continue;
        }
        const int owner = partition.owner(grid.number(grid.tile_of(centre)));
        if (owner == communicator.rank())
            staying.push_back(static_cast<std::int32_t>(i));
        else
            store.append_row(i, leaving[owner]);
    }
    if (staying.size() < store.owned)
        store.keep(staying);
    else
        store.resize(store.owned);
    append(store, sparse_exchange(communicator, leaving));
    store.owned = store.size();
    return lost;
}

void fetch_copies(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                  ParticleStore& store) {
    if (communicator.size() == 1)
        return;
    const Holders holders(grid, partition);
    const PrivateTiles private_tiles(grid, partition, communicator.rank());
    std::map<int, Rows> copies;
    for (std::size_t i = 0; i < store.owned; ++i) {
        const Vec3& centre = store.sphere[i].centre;
        const Int3 tile = grid.tile_of(centre);
        if (private_tiles.contains(grid.number(tile)))
            continue;
        holders.each(tile, grid.cell_of(centre, tile), [&](int rank) {
            if (rank != communicator.rank())
                store.append_row(i, copies[rank]);
        });
    }
    append(store, sparse_exchange(communicator, copies));
}

} // namespace tamp
