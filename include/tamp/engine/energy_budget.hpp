#pragma once

#include <array>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/domain/local_tiles.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/store.hpp"
#include "tamp/solver/contact_set.hpp"
#include "tamp/solver/work.hpp"
#include "tamp/world/energy_flows.hpp"

namespace tamp {

/// Follows the energy through every step, exactly summed: the same bits on any number of ranks. Walls are
/// outside: a piston's own energy does not count.
class EnergyBudget {
public:
    /// Before anything changes velocities.
    void begin_step(const ParticleStore& store, std::span<const Wall> walls);
    /// After the solve, before particles move.
    void end_step(const ParticleStore& store, const LocalTiles& tiles, ContactSet& contacts,
                  std::span<const Wall> walls, const Vec3& gravity, double time_step);
    void leave(double kinetic_energy) { sums_[left].add(kinetic_energy); }

    /// Collective.
    EnergyFlows flows(const Communicator& communicator) const;

    /// All sums over all ranks, exactly. Collective.
    std::vector<std::int64_t> words(const Communicator& communicator) const;
    /// Restores the sums that `words` saved, the same on every rank.
    void restore(const Communicator& communicator, std::span<const std::int64_t> words);

private:
    std::vector<ExactSum> sums_over_ranks(const Communicator& communicator) const;

    enum { pushing, pulling, sliding, rolling, torsion, gravity, integration, left, sum_count };

    std::vector<Body> before_;
    std::vector<WallVelocities> wall_before_;
    std::array<ExactSum, sum_count> sums_; ///< of this rank
    std::vector<ExactSum> walls_;
};

} // namespace tamp
