#pragma once

#include <span>
#include <vector>

#include "tamp/contacts/sweep_plan.hpp"
#include "tamp/mpi/neighbour_exchange.hpp"

namespace tamp {

/// What happens between the phases of a sweep: the bodies that a phase may have written go to the ranks that
/// hold copies of them. Planned at every search for neighbours. A phase relaxes the pairs of the tiles of one
/// parity, and the wall contacts of the particles in these tiles: nobody else touches those in that phase.
class PhaseExchange {
public:
    PhaseExchange(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                  const LocalTiles& tiles, const ParticleStore& store, const PairCandidates& pairs,
                  const WallCandidates& walls);

    int phases() const { return static_cast<int>(exchanges_.size()); }

    /// Owned tiles of a phase: those that write bodies with copies elsewhere come first, and are to be
    /// relaxed before `start`; the others while the messages travel.
    std::span<const int> boundary_tiles(int phase) const {
        return boundary_[static_cast<std::size_t>(phase)];
    }
    std::span<const int> interior_tiles(int phase) const {
        return interior_[static_cast<std::size_t>(phase)];
    }

    /// All of them, phase by phase: the order in which batches should lie in memory.
    std::span<const int> tile_order() const { return order_; }

    void start(int phase, std::span<const Body> bodies);
    void finish(int phase, std::span<Body> bodies);

    /// What this rank sends after a phase.
    std::span<const NeighbourExchange::Message> outgoing(int phase) const {
        return exchanges_[static_cast<std::size_t>(phase)].outgoing();
    }
    /// Bytes that this rank sends in one sweep, and messages.
    std::int64_t bytes() const { return bytes_; }
    std::int64_t messages() const { return messages_; }

private:
    std::vector<NeighbourExchange> exchanges_;
    std::vector<std::vector<int>> boundary_, interior_;
    std::vector<int> order_;
    std::int64_t bytes_ = 0, messages_ = 0;
};

} // namespace tamp
