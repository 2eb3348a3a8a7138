#pragma once

#include <functional>
#include <optional>
#include <span>

#include "tamp/contacts/history.hpp"

namespace tamp {

/// One contact, for those who ask about its limits.
struct TouchingContact {
    int first_material, second_material;
    double reduced_radius; ///< r1 r2/(r1 + r2), m
    double mean_mass;      ///< 2/(1/m1 + 1/m2), also of particles that are held fixed, kg
    double gap;            ///< m; negative: overlap
    const ColumnTable& history;
    std::size_t row;
};

/// The contact forces of the last step, as an engine tells them to whoever looks.
struct ContactForces {
    /// One an entry of the pair list and of the wall list; zero: it bears no force. On side 2, that is on the
    /// particle where side 1 is a wall.
    std::span<const Vec3> pairs, walls;
    double scale = 1; ///< times these they are forces in N: 1/dt, where an engine finds impulses
    double age = 0;   ///< s; since particles were where the forces were found
    std::optional<std::size_t> column{}; ///< of the history, if one is what these are
    /// The largest tangential force, N, that a contact could bear with a normal force.
    std::function<double(const TouchingContact& contact, double normal_force)> sliding_limit;
};

} // namespace tamp
