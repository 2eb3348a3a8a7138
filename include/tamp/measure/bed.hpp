#pragma once

#include "tamp/world/world.hpp"

namespace tamp {

/// Where the particles lie: from the floor to the wall above them, or to their free surface.
///
/// Up is against gravity; without gravity, against the normal of the first piston or driven wall, and along
/// the last axis if there is none. The floor is the lowest point between the walls. The free surface is the
/// plane across `up` above which 1 % of the particles reach, but never more than a quarter of what one layer
/// holds: a few that fly do not count. Where the highest point between the walls is nearer to the surface
/// than a mean diameter, the bed fills the whole region, up to the wall. With gravity along a periodic
/// direction, which has no floor, the bed is the whole region.
struct Bed {
    Vec3 up{0, 0, 1};
    double floor = 0, top = 0;    ///< m, along `up`
    double volume = 0;            ///< m^3 (2-D: m^2) between floor and top
    double volume_fraction = 0;   ///< solid volume below the top over that
    bool reaches_ceiling = false; ///< ends at the wall above it (or at the face of the box), not at a surface

    double height() const { return top - floor; }
};

/// Zero volume without particles. The same bits on any number of ranks. Collective.
Bed measure_bed(const World& world);

} // namespace tamp
