#pragma once

#include <array>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/contacts/contact_set.hpp"
#include "tamp/domain/local_tiles.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/store.hpp"

namespace tamp {

/// Energy that went where since the start of a run, J.
struct EnergyFlows {
    double collisions = 0; ///< dissipated by inelastic contacts
    double friction = 0, rolling = 0, torsion = 0;
    double cohesion = 0;       ///< dissipated by contacts that are pulled open
    double gravity = 0;        ///< work of gravity: minus the change of potential energy
    double integration = 0;    ///< lost to the scheme: positions follow the velocity at a step's end
    double left = 0;           ///< kinetic energy of the particles that left the region
    std::vector<double> walls; ///< work of each wall on the particles

    double dissipated() const { return collisions + friction + rolling + torsion + cohesion; }
    double work_of_walls() const;
    /// What the kinetic energy has changed by, to round-off.
    double expected_change() const { return gravity - integration + work_of_walls() - dissipated() - left; }
};

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
    /// Goes on from these, the same on every rank.
    void restore(const Communicator& communicator, std::span<const std::int64_t> words);

private:
    std::vector<ExactSum> sums_over_ranks(const Communicator& communicator) const;

    enum { pushing, pulling, sliding, rolling, torsion, gravity, integration, left, sum_count };

    std::vector<Body> before_;
    std::vector<Vec3> wall_before_;
    std::array<ExactSum, sum_count> sums_; ///< of this rank
    std::vector<ExactSum> walls_;
};

} // namespace tamp
