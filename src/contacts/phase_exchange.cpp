#include "tamp/contacts/phase_exchange.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "tamp/domain/migrate.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

constexpr int first_tag = 100;
constexpr std::uint32_t only_here = 1u << 31; // no other rank holds the body
constexpr int width = 6;                      // velocity and surface velocity; masses never change

/// A body that another rank will receive in a phase.
struct Notice {
    std::uint64_t id;
    std::int64_t phase;
};

using Lists = std::map<int, std::vector<std::int32_t>>;

} // namespace

PhaseExchange::PhaseExchange(const Communicator& communicator, const TileGrid& grid,
                             const Partition& partition, const LocalTiles& tiles, const ParticleStore& store,
                             const PairCandidates& pairs, const WallCandidates& walls) {
    const auto phase_count = static_cast<std::size_t>(grid.phases());
    boundary_.resize(phase_count);
    interior_.resize(phase_count);
    std::vector<Lists> to(phase_count), from(phase_count);
    std::vector<std::uint32_t> listed(store.size(), 0); // bit by phase: each body is sent once a phase
    const Holders holders(grid, partition);

    const auto list = [&](std::size_t phase, std::int32_t body) {
        const auto i = static_cast<std::size_t>(body);
        if (listed[i] & only_here)
            return false;
        const Int3 tile = grid.tile_of(store.reference[i]);
        bool sent = false;
        holders.each(tile, grid.cell_of(store.reference[i], tile), [&](int rank) {
            if (rank == communicator.rank())
                return;
            sent = true;
            if (!(listed[i] >> phase & 1u))
                to[phase][rank].push_back(body);
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
        if (communicator.size() > 1) {
            for (std::int32_t c = pairs.tile_begin[s]; c < pairs.tile_begin[s + 1]; ++c) {
                sent |= list(phase, pairs.first[static_cast<std::size_t>(c)]);
                sent |= list(phase, pairs.second[static_cast<std::size_t>(c)]);
            }
            for (std::int32_t c = walls.tile_begin[s]; c < walls.tile_begin[s + 1]; ++c)
                sent |= list(phase, walls.body[static_cast<std::size_t>(c)]);
        }
        (sent ? boundary_ : interior_)[phase].push_back(slot);
    }
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        order_.insert(order_.end(), boundary_[phase].begin(), boundary_[phase].end());
        order_.insert(order_.end(), interior_[phase].begin(), interior_[phase].end());
    }

    if (communicator.size() > 1) {
        std::map<int, std::vector<Notice>> notices;
        for (std::size_t phase = 0; phase < phase_count; ++phase)
            for (const auto& [rank, bodies] : to[phase])
                for (const std::int32_t body : bodies)
                    notices[rank].push_back(
                        {store.id[static_cast<std::size_t>(body)], static_cast<std::int64_t>(phase)});
        const auto arrived = sparse_exchange(communicator, notices);
        std::unordered_map<std::uint64_t, std::int32_t> index;
        if (!arrived.empty()) {
            index.reserve(store.size());
            for (std::size_t i = 0; i < store.size(); ++i)
                index.emplace(store.id[i], static_cast<std::int32_t>(i));
        }
        for (const auto& [rank, list_of_rank] : arrived)
            for (const Notice& notice : list_of_rank)
                from[static_cast<std::size_t>(notice.phase)][rank].push_back(index.at(notice.id));
    }
    exchanges_.reserve(phase_count);
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        exchanges_.emplace_back(communicator, first_tag + static_cast<int>(phase), width, to[phase],
                                from[phase]);
        for (const auto& message : exchanges_.back().outgoing()) {
            ++messages_;
            bytes_ += static_cast<std::int64_t>(message.buffer.size() * sizeof(double));
        }
    }
}

void PhaseExchange::start(int phase, std::span<const Body> bodies) {
    NeighbourExchange& exchange = exchanges_[static_cast<std::size_t>(phase)];
    for (auto& message : exchange.outgoing()) {
        double* out = message.buffer.data();
        for (const std::int32_t item : message.items) {
            const Body& body = bodies[static_cast<std::size_t>(item)];
            *out++ = body.velocity.x, *out++ = body.velocity.y, *out++ = body.velocity.z;
            *out++ = body.surface.x, *out++ = body.surface.y, *out++ = body.surface.z;
        }
    }
    exchange.start();
}

void PhaseExchange::finish(int phase, std::span<Body> bodies) {
    NeighbourExchange& exchange = exchanges_[static_cast<std::size_t>(phase)];
    exchange.finish();
    for (const auto& message : exchange.incoming()) {
        const double* in = message.buffer.data();
        for (const std::int32_t item : message.items) {
            Body& body = bodies[static_cast<std::size_t>(item)];
            body.velocity = {in[0], in[1], in[2]};
            body.surface = {in[3], in[4], in[5]};
            in += width;
        }
    }
}

} // namespace tamp
