#pragma once

#include <numeric>
#include <vector>

namespace tamp {

/// Energy that went where since the start of a run, J.
struct EnergyFlows {
    double collisions = 0; ///< dissipated by inelastic contacts
    double friction = 0, rolling = 0, torsion = 0;
    double cohesion = 0;    ///< dissipated by contacts that are pulled open
    double gravity = 0;     ///< work of gravity: minus the change of potential energy while it stays as it is
    double integration = 0; ///< lost to the scheme: positions follow the velocity at a step's end
    double left = 0;        ///< kinetic energy of the particles that left the region
    // Of soft grains.
    double elastic = 0;    ///< stored by springs more than at the start
    double dashpots = 0;   ///< dissipated by all of them
    double hysteresis = 0; ///< dissipated by normal springs that yield
    double background = 0; ///< dissipated by the background friction
    double growth = 0;     ///< work of radii that grow, and kinetic energy of the mass that they add
    double ahead = 0;      ///< kinetic energy that velocities have gained beyond the moment of the rest
    bool soft = false;
    std::vector<double> walls;                        ///< work of each wall on the particles
    bool with_torques = false, with_cohesion = false; ///< the case has such laws

    double dissipated() const {
        return collisions + friction + rolling + torsion + cohesion + dashpots + hysteresis + background;
    }
    double work_of_walls() const { return std::accumulate(walls.begin(), walls.end(), 0.0); }
    /// What the kinetic energy has changed by: to round-off, or, for soft grains, to the integration error.
    double expected_change() const {
        return gravity - integration + work_of_walls() + growth + ahead - dissipated() - elastic - left;
    }
};

} // namespace tamp
