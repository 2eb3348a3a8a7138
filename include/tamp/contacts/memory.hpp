#pragma once

#include <cstdint>
#include <vector>

#include "tamp/contacts/candidates.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// The impulse of a contact that outlives a search for neighbours. Keyed by the ids of its particles.
struct MemoryRecord {
    std::uint64_t first, second; ///< second: wall_memory + index for a wall
    Vec3 impulse;
};
inline constexpr std::uint64_t wall_memory = std::uint64_t{1} << 63;

/// Sends every impulse to the rank that will own its contact under `partition`. To be called before particles
/// migrate.
std::vector<MemoryRecord> carry_memory(const Communicator& communicator, const TileGrid& grid,
                                       const Partition& partition, const ParticleStore& store,
                                       const PairCandidates& pairs, const WallCandidates& walls);

/// Gives the impulses to the candidates that a new search found.
void recall_memory(const std::vector<MemoryRecord>& records, const ParticleStore& store,
                   PairCandidates& pairs, WallCandidates& walls);

} // namespace tamp
