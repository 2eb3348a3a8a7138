#include "tamp/solver/phase_exchange.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "tamp/domain/holders.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

constexpr int first_tag = 100;
constexpr int width = SweepPlan::width;

/// A body that another rank will receive, and in which exchange of the sweep.
struct Notice {
    std::uint64_t id;
    std::int64_t exchange;
};

using Lists = std::map<int, std::vector<std::int32_t>>;

/// What is sent to each rank in any of the phases.
Lists merged(const std::vector<Lists>& phases) {
    Lists all;
    for (const Lists& phase : phases)
        for (const auto& [rank, bodies] : phase)
            all[rank].insert(all[rank].end(), bodies.begin(), bodies.end());
    for (auto& [rank, bodies] : all) {
        std::ranges::sort(bodies);
        bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    }
    return all;
}

/// Finds the bodies that other ranks hold too by their ids.
class SharedBodies {
public:
    SharedBodies(const PrivateTiles& private_tiles, const LocalTiles& tiles, const ParticleStore& store) {
        for (int slot = 0; slot < tiles.count(); ++slot)
            if (!private_tiles.contains(tiles.tile(slot)))
                for (std::int32_t i = tiles.begin(slot); i < tiles.end(slot); ++i)
                    bodies_.emplace_back(store.id[static_cast<std::size_t>(i)], i);
        std::ranges::sort(bodies_);
    }

    std::int32_t at(std::uint64_t id) const {
        const auto found =
            std::ranges::lower_bound(bodies_, id, {}, &std::pair<std::uint64_t, std::int32_t>::first);
        if (found == bodies_.end() || found->first != id)
            throw std::logic_error("PhaseExchange: another rank sends a body that is not held here");
        return found->second;
    }

private:
    std::vector<std::pair<std::uint64_t, std::int32_t>> bodies_;
};

} // namespace

PhaseExchange::PhaseExchange(const Communicator& communicator, const TileGrid& grid,
                             const Partition& partition, const LocalTiles& tiles, const ParticleStore& store,
                             const PairList& pairs, const WallList& walls, ExchangeRhythm rhythm) {
    SweepPlan plan = plan_sweep(grid, partition, communicator.rank(), tiles, store, pairs, walls);
    const std::size_t phase_count = plan.phases.size();
    std::vector<Lists> to;
    for (SweepPlan::Phase& phase : plan.phases) {
        boundary_.push_back(std::move(phase.boundary));
        interior_.push_back(std::move(phase.interior));
        to.push_back(std::move(phase.to));
    }
    const auto append = [&](const std::vector<int>& slots) {
        order_.insert(order_.end(), slots.begin(), slots.end());
    };
    if (rhythm != ExchangeRhythm::phase)
        std::ranges::for_each(boundary_, append);
    boundary_count_ = order_.size();
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        if (rhythm == ExchangeRhythm::phase)
            append(boundary_[phase]);
        append(interior_[phase]);
    }

    if (rhythm != ExchangeRhythm::phase)
        to = {merged(to)};
    std::vector<Lists> from(to.size());

    if (communicator.size() > 1) {
        std::map<int, std::vector<Notice>> notices;
        for (std::size_t i = 0; i < to.size(); ++i)
            for (const auto& [rank, bodies] : to[i])
                for (const std::int32_t body : bodies)
                    notices[rank].push_back(
                        {store.id[static_cast<std::size_t>(body)], static_cast<std::int64_t>(i)});
        const auto arrived = sparse_exchange(communicator, notices);
        const SharedBodies shared(PrivateTiles(grid, partition, communicator.rank()), tiles, store);
        for (const auto& [rank, list_of_rank] : arrived)
            for (const Notice& notice : list_of_rank)
                from[static_cast<std::size_t>(notice.exchange)][rank].push_back(shared.at(notice.id));
    }
    exchanges_.reserve(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        exchanges_.emplace_back(communicator, first_tag + static_cast<int>(i), width, to[i], from[i]);
        for (const auto& message : exchanges_.back().outgoing()) {
            ++messages_;
            bytes_ += static_cast<std::int64_t>(message.buffer.size() * sizeof(double));
        }
    }
    if (rhythm == ExchangeRhythm::sweep)
        block_.emplace(exchanges_.front(), communicator.rank(), store.body.size());
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

void PhaseExchange::take(int phase, std::span<Body> bodies) {
    for (const auto& message : exchanges_[static_cast<std::size_t>(phase)].incoming()) {
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
