#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tamp/contacts/lists.hpp"

namespace tamp {

/// What one rank relaxes in each phase of a sweep, and which bodies it then sends to whom. Needs no word from
/// other ranks: `PhaseExchange` carries it out, and `count_sweep` counts it for ranks that do not exist.
struct SweepPlan {
    struct Phase {
        /// Slots of owned tiles with contacts: those that write bodies with copies elsewhere, and the others.
        std::vector<int> boundary, interior;
        /// By rank: the bodies that the phase may have written and that the rank holds copies of.
        std::map<int, std::vector<std::int32_t>> to;
    };

    /// Numbers sent for a body: velocity and surface velocity; masses never change.
    static constexpr int width = 6;
    static constexpr std::int64_t body_bytes = width * sizeof(double);

    std::vector<Phase> phases;
};

SweepPlan plan_sweep(const TileGrid& grid, const Partition& partition, int rank, const LocalTiles& tiles,
                     const ParticleStore& store, const PairList& pairs, const WallList& walls);

} // namespace tamp
