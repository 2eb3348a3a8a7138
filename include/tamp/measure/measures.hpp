#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tamp/boundaries/region.hpp"
#include "tamp/world/contact_forces.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Numbers that describe the whole packing, the same bits on any number of ranks.
struct Measures {
    std::int64_t particles = 0;
    std::int64_t contacts = 0;      ///< that carry a force, walls included
    double coordination = 0;        ///< contacts a particle; a contact of two particles counts for both
    double volume_fraction = 0;     ///< of the region between the walls
    double weight = 0;              ///< N, of all particles
    double kinetic_energy = 0;      ///< J
    double largest_speed = 0;       ///< m/s
    double mean_overlap = 0;        ///< m, over contacts that carry a force
    double largest_overlap = 0;     ///< m
    std::vector<double> wall_force; ///< N, along minus the normal: positive when particles push
};

/// Collective.
Measures measure(const World& world, const ContactForces& forces);

/// Kinetic energy over that of springs: how far grains are from rest. Nothing where springs have none: nobody
/// touches.
inline std::optional<double> energy_ratio(double kinetic, double of_springs) {
    return of_springs > 0 ? std::optional(kinetic / of_springs) : std::nullopt;
}

/// Solid volume over that of the region between the walls. Collective.
double volume_fraction(const World& world);

} // namespace tamp
