#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tamp/world/contact_forces.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// xx, yy, zz, xy, yz, xz
using SymmetricTensor = std::array<double, 6>;

/// The particles that this rank owns, a column a quantity.
struct ParticleView {
    std::vector<std::uint64_t> id;
    std::vector<Vec3> position;         ///< m, inside the box along periodic directions
    std::vector<double> radius;         ///< m
    std::vector<double> mass;           ///< kg; density times volume, also of particles that are held fixed
    std::vector<Vec3> velocity;         ///< m/s
    std::vector<Vec3> angular_velocity; ///< rad/s
    std::vector<std::int32_t> material;
    ColumnTable attributes;                 ///< what particles have beside these
    std::vector<std::int32_t> coordination; ///< contacts that carry a force, walls included
    std::vector<SymmetricTensor> stress;    ///< Pa (2-D: N/m), contacts only, per volume of the particle
    std::vector<Vec3> contact_force;        ///< N, sum over its contacts, walls included

    std::size_t size() const { return id.size(); }
    /// Mean of the normal stresses.
    double pressure(std::size_t i, int dimension) const {
        return (stress[i][0] + stress[i][1] + stress[i][2]) / dimension;
    }
};

/// The contacts of this rank that carry a force, each on one rank only, with the geometry in which that force
/// was found: see ForceGeometry. Particles have moved on by one step since.
struct ContactView {
    std::vector<std::uint64_t> first, second; ///< ids; `second` of a wall: see `wall_partner`
    std::vector<Vec3> from, to;           ///< m; centre of the first, centre of the second (nearest image)
                                          ///< or foot on the wall: `from` is inside the box
    std::vector<Vec3> normal;             ///< from first to second
    std::vector<double> gap;              ///< m; negative: overlap
    std::vector<Vec3> force;              ///< N, on second
    std::vector<double> normal_force;     ///< N; negative: tension
    std::vector<double> tangential_force; ///< N
    std::vector<double> mobilisation;     ///< tangential force over its limit; 0 where the limit is zero
    /// What the engine remembers of the contact beside its force, as seen from the first to the second.
    ColumnTable history;

    std::size_t size() const { return first.size(); }
    bool with_wall(std::size_t c) const { return is_wall(second[c]); }
    /// At its limit of friction. With cohesion the limit is that of the bond after the step, and with coupled
    /// torsion the limit without torsion: contacts that have just bonded, or that twist, may slide unseen.
    bool sliding(std::size_t c) const { return mobilisation[c] > 1 - 1e-6; }
};

/// What observers see of a state: measures, snapshots and pictures start from this. Stresses are positive in
/// compression.
struct View {
    double time = 0, time_step = 0;
    std::int64_t step = 0;
    Box box;
    ParticleView particles;
    ContactView contacts;
};

/// Collective. Sums over the contacts of a particle do not depend on their order, so that every number is the
/// same on any number of ranks; the order of the columns is not.
View view(const World& world, const ContactForces& forces);

} // namespace tamp
