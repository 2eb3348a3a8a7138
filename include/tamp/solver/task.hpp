#pragma once

#include <cstdint>
#include <span>

#include "tamp/solver/contact_set.hpp"
#include "tamp/solver/kernel.hpp"
#include "tamp/solver/phase_exchange.hpp"

namespace tamp {

/// What one solve works on. All of it belongs to the caller, who updated the contacts in the exchange's tile
/// order.
struct SolveTask {
    std::span<Body> bodies;
    ContactSet& contacts;
    PhaseExchange& exchange;
    const LocalTiles& tiles; ///< tells the global number of each slot
    KernelLaws laws;
    std::int64_t step = 0; ///< decides random orders

    /// Of all tiles of this rank.
    std::span<WallBatch> wall_batches() const { return contacts.wall_batches(exchange.tile_order()); }
    LawBatches wall_law_batches() const { return contacts.wall_law_batches(exchange.tile_order()); }
};

} // namespace tamp
