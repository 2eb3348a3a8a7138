#pragma once

#include <cstdint>

#include "tamp/domain/partition.hpp"
#include "tamp/domain/tile_grid.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/store.hpp"

namespace tamp {

/// Owned particles to the owners of their tiles, after wrapping them into the box. Copies are dropped.
/// Returns how many particles left the region for good, on this rank.
std::int64_t migrate(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                     ParticleStore& store);

/// Appends copies of the particles that this rank's tiles reach on other ranks.
void fetch_copies(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                  ParticleStore& store);

} // namespace tamp
