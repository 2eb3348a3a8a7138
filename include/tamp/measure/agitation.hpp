#pragma once

#include <optional>

#include "tamp/measure/view.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// How much a packing moves, compared with what its contacts bear.
struct Agitation {
    double kinetic_energy = 0; ///< J, with spins
    double mass = 0;           ///< kg, of the particles that are free to move
    double pressure = 0;       ///< Pa (2-D: N/m), mean of the normal components of the contact stress
    double inertial_time = 0; ///< s; in which the pressure moves a mean particle by its diameter d: sqrt(m/(P
                              ///< d)) (2-D: sqrt(m/P)); 0 without a pressure
    double diameter = 0;      ///< m; d

    /// Of all particles, root of the mean square by mass, m/s; spins count as what they add to the energy.
    double speed() const;
    /// The way that particles make in the inertial time at that speed, in diameters: I = speed t/d. Nothing
    /// while contacts bear no pressure.
    std::optional<double> inertial_number() const;
};

/// The same bits on any number of ranks. Collective.
Agitation agitation(const World& world, const View& view);

} // namespace tamp
