#include "tamp/contacts/phase_exchange.hpp"

#include <map>
#include <unordered_map>
#include <utility>

#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

constexpr int first_tag = 100;

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
    SweepPlan plan = plan_sweep(grid, partition, communicator.rank(), tiles, store, pairs, walls);
    const std::size_t phase_count = plan.phases.size();
    std::vector<Lists> from(phase_count);
    for (SweepPlan::Phase& phase : plan.phases) {
        order_.insert(order_.end(), phase.boundary.begin(), phase.boundary.end());
        order_.insert(order_.end(), phase.interior.begin(), phase.interior.end());
        boundary_.push_back(std::move(phase.boundary));
        interior_.push_back(std::move(phase.interior));
    }

    if (communicator.size() > 1) {
        std::map<int, std::vector<Notice>> notices;
        for (std::size_t phase = 0; phase < phase_count; ++phase)
            for (const auto& [rank, bodies] : plan.phases[phase].to)
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
        exchanges_.emplace_back(communicator, first_tag + static_cast<int>(phase), SweepPlan::width,
                                plan.phases[phase].to, from[phase]);
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
            in += SweepPlan::width;
        }
    }
}

} // namespace tamp
