#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tamp/mpi/neighbour_exchange.hpp"
#include "tamp/solver/block_exchange.hpp"
#include "tamp/solver/sweep_plan.hpp"

namespace tamp {

/// When ranks tell each other what they did to bodies that they share.
enum class ExchangeRhythm {
    phase, ///< after every phase of a sweep
    sweep, ///< once a sweep: the block scheme
    step   ///< once a step: forces of soft grains
};

/// What happens between the phases of a sweep: the bodies that a phase may have written go to the ranks that
/// hold copies of them. Planned at every search for neighbours. A phase relaxes the pairs of the tiles of one
/// parity, and the wall contacts of the particles in these tiles: nobody else touches those in that phase.
class PhaseExchange {
public:
    PhaseExchange(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                  const LocalTiles& tiles, const ParticleStore& store, const PairList& pairs,
                  const WallList& walls, ExchangeRhythm rhythm = ExchangeRhythm::phase);

    int phases() const { return static_cast<int>(boundary_.size()); }

    /// Owned tiles of a phase: those that write bodies with copies elsewhere come first, and are to be
    /// relaxed before `start`; the others while the messages travel.
    std::span<const int> boundary_tiles(int phase) const {
        return boundary_[static_cast<std::size_t>(phase)];
    }
    std::span<const int> interior_tiles(int phase) const {
        return interior_[static_cast<std::size_t>(phase)];
    }

    /// All of them as they are relaxed: the order in which batches should lie in memory. Phase by phase; in
    /// the other rhythms the boundary tiles of all phases come first.
    std::span<const int> tile_order() const { return order_; }

    // In the rhythm of phases.
    void start(int phase, std::span<const Body> bodies);
    void wait(int phase) { exchanges_[static_cast<std::size_t>(phase)].finish(); }
    void take(int phase, std::span<Body> bodies);

    /// The one exchange in the rhythm of steps. Its items are six numbers of each shared body that a boundary
    /// tile of this rank may touch; each goes to all ranks that hold the body.
    NeighbourExchange& once() { return exchanges_.front(); }
    /// How many of the tiles of `tile_order` come before that exchange.
    std::size_t boundary_count() const { return boundary_count_; }

    /// In the rhythm of sweeps; else nothing.
    BlockExchange* block() { return block_ ? &*block_ : nullptr; }
    const BlockExchange* block() const { return block_ ? &*block_ : nullptr; }

    /// What this rank sends after a phase.
    std::span<const NeighbourExchange::Message> outgoing(int phase) const {
        return exchanges_[static_cast<std::size_t>(phase)].outgoing();
    }
    /// Bytes that this rank sends in one sweep, and messages.
    std::int64_t bytes() const { return bytes_; }
    std::int64_t messages() const { return messages_; }

private:
    std::vector<NeighbourExchange> exchanges_; ///< one a phase, or one a sweep
    std::optional<BlockExchange> block_;
    std::vector<std::vector<int>> boundary_, interior_;
    std::vector<int> order_;
    std::size_t boundary_count_ = 0;
    std::int64_t bytes_ = 0, messages_ = 0;
};

} // namespace tamp
