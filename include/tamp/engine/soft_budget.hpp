#pragma once

#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/store.hpp"
#include "tamp/soft/heat_sums.hpp"
#include "tamp/soft/settings.hpp"
#include "tamp/world/energy_flows.hpp"

namespace tamp {

/// Follows the energy of soft grains through every step, exactly summed: the same bits on any number of
/// ranks. Walls are outside: a piston's own energy does not count.
///
/// All flows are work along the way from x_(n-1) to x_n, with the mean of the forces at both ends. This is
/// how a leapfrog step adds up forces: the work that changed the velocities, in another order. Hence the
/// budget closes but for terms of second order in the step, which do not add up, and for what friction
/// springs lose when a contact turns. Velocities are half a step ahead of positions; `ahead` says what this
/// means for the kinetic energy.
class SoftBudget {
public:
    /// What contacts add to.
    soft::HeatSums& heats() { return heats_; }

    /// After forces were found, before they act. `moved_for`: s, the step that led here.
    void fall(const ParticleStore& store, const Vec3& gravity, double moved_for);
    void push_walls(std::span<const Wall> walls, double moved_for);
    /// Velocities before and after a kick.
    void begin_kick(const ParticleStore& store);
    void end_kick(const ParticleStore& store, const SoftSettings& settings, double kick);
    /// After walls got the velocities with which they will move.
    void note_walls(std::span<const Wall> walls);
    /// Around a growth of radii.
    void begin_growth(const ParticleStore& store) { add_kinetic(store, -1); }
    void end_growth(const ParticleStore& store) { add_kinetic(store, 1); }
    void leave(double kinetic_energy) { sums_[left].add(kinetic_energy); }

    /// Collective.
    EnergyFlows flows(const Communicator& communicator) const;
    /// All sums over all ranks, exactly, and what was noted of walls. Collective.
    std::vector<std::int64_t> words(const Communicator& communicator) const;
    /// Restores what `words` saved, the same on every rank.
    void restore(const Communicator& communicator, std::span<const std::int64_t> words, std::size_t walls);

private:
    enum { gravity, background, left, ahead, sum_count };
    struct WallNote {
        Vec3 reaction{0, 0, 0}, velocity{0, 0, 0};
        double moment = 0, turn_speed = 0; ///< about the axis that it turns about, N m and rad/s
    };

    void add_kinetic(const ParticleStore& store, double sign);
    std::vector<ExactSum> sums_over_ranks(const Communicator& communicator) const;

    soft::HeatSums heats_;
    std::array<ExactSum, sum_count> sums_;
    std::vector<double> walls_; ///< work of each on the particles, J; the same on every rank
    std::vector<WallNote> noted_;
    std::vector<Body> before_;
};

} // namespace tamp
