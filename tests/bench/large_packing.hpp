#pragma once

#include "scaling_model/sweep_count.hpp"

namespace tamp {

/// A bed of about `particles` spheres (diameters 9 to 10 mm) on a floor with periodic sides, made tile by
/// tile on demand, so that it may be as large as a cluster's: a body-centred lattice that is turned against
/// the axes, so that tiles differ as little and as irregularly as in a settled bed. Of the eight neighbours
/// of a sphere five touch, as with friction; nothing falls and nothing is solved. Tiles hold as many
/// particles as a run would give them (64 to 512 by their number), or `tile_particles`.
CountedPacking large_packing(std::int64_t particles, double tile_particles = 0);

/// Particles in each tile: what a run deals tiles out by before it has measured anything. Collective.
std::vector<std::int64_t> tile_costs(const Communicator& world, const CountedPacking& packing);

} // namespace tamp
