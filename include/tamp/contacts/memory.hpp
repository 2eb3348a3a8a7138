#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "tamp/contacts/candidates.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// The impulse of a contact that outlives a search for neighbours. Keyed by the ids of its particles.
struct MemoryRecord {
    std::uint64_t first, second; ///< second: wall_memory + index for a wall
    Vec3 impulse;
};
/// The same of a contact whose laws remember more.
struct LawMemoryRecord : MemoryRecord {
    Vec3 torque;
    rigid::Bond bond;
};
inline constexpr std::uint64_t wall_memory = std::uint64_t{1} << 63;

/// Sends every record to the rank that will own its contact under `partition`. To be called before particles
/// migrate. `kept` is empty: its room is used for the result.
template <class Record>
std::pmr::vector<Record> carry_memory(const Communicator& communicator, const TileGrid& grid,
                                      const Partition& partition, const ParticleStore& store,
                                      const PairCandidates& pairs, const WallCandidates& walls,
                                      std::pmr::vector<Record> kept = {});

/// Gives what is remembered to the candidates that a new search found, and says how many got something. Takes
/// memory from where the records have theirs.
template <class Record>
std::size_t recall_memory(const std::pmr::vector<Record>& records, const ParticleStore& store,
                          PairCandidates& pairs, WallCandidates& walls);

} // namespace tamp
