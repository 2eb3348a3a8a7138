#include "tamp/solver/sweep_plan.hpp"

#include "tamp/domain/holders.hpp"

namespace tamp {
namespace {

constexpr std::uint32_t only_here = 1u << 31; // no other rank holds the body

} // namespace

SweepPlan plan_sweep(const TileGrid& grid, const Partition& partition, int rank, const LocalTiles& tiles,
                     const ParticleStore& store, const PairList& pairs, const WallList& walls) {
    SweepPlan plan;
    plan.phases.resize(static_cast<std::size_t>(grid.phases()));
    std::vector<std::uint32_t> listed(store.size(), 0); // bit by phase: each body is sent once a phase
    const Holders holders(grid, partition);
    const PrivateTiles private_tiles(grid, partition, rank);

    const auto list = [&](std::size_t phase, std::int32_t body) {
        const auto i = static_cast<std::size_t>(body);
        if (listed[i] & only_here)
            return false;
        const Int3 tile = grid.tile_of(store.reference[i]);
        bool sent = false;
        holders.each(tile, grid.cell_of(store.reference[i], tile), [&](int holder) {
            if (holder == rank)
                return;
            sent = true;
            if (!(listed[i] >> phase & 1u))
                plan.phases[phase].to[holder].push_back(body);
        });
        listed[i] |= sent ? 1u << phase : only_here;
        return sent;
    };
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        const auto s = static_cast<std::size_t>(slot);
        const auto phase = static_cast<std::size_t>(grid.parity(grid.tile(tiles.tile(slot))));
        if (pairs.tile_begin[s] == pairs.tile_begin[s + 1] && walls.tile_begin[s] == walls.tile_begin[s + 1])
            continue;
        bool sent = false;
        if (partition.ranks() > 1 && !private_tiles.contain_pairs_of(tiles.tile(slot))) {
            for (std::int32_t c = pairs.tile_begin[s]; c < pairs.tile_begin[s + 1]; ++c) {
                sent |= list(phase, pairs.first[static_cast<std::size_t>(c)]);
                sent |= list(phase, pairs.second[static_cast<std::size_t>(c)]);
            }
            for (std::int32_t c = walls.tile_begin[s]; c < walls.tile_begin[s + 1]; ++c)
                sent |= list(phase, walls.body[static_cast<std::size_t>(c)]);
        }
        (sent ? plan.phases[phase].boundary : plan.phases[phase].interior).push_back(slot);
    }
    return plan;
}

} // namespace tamp
