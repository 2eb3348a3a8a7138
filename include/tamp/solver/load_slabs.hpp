#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/domain/local_tiles.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/solver/kernel.hpp"

namespace tamp {

/// What a support bears when all is at rest.
struct StaticLoad {
    double mass = 0;     ///< of particles over the cross-section of the box, kg/m^2 (2-D: kg/m)
    double pressure = 0; ///< by their weight and by pistons, Pa (2-D: N/m)
    double grain = 0;    ///< mass of a particle in the mean, kg
};

/// Tells how wrong the forces of a deep packing still are, from one look at its contacts.
///
/// A sweep leaves small violations u_n + c < 0 in every contact. Over the layers of a packing they add up to
/// a velocity that the packing should not have, and what it takes to stop that is missing in the forces.
/// Space is cut into slabs across the direction of the load. For each slab k with
///   P_k   power of the contact impulses on what is wrong: sum of p_n (u_n + c), and of p_t.u_t where the
///         contact sticks; zero once solved
///   I_k   impulse that it transmits: sum of p_a b_a over the contacts (b: branch), over its height
/// the impulses nearly balance, so by virtual power its two faces approach by w_k = P_k/I_k more than they
/// should, whatever grains do in between. These add up to wrong velocities of the slabs above, counted from
/// the wall that holds the packing, and the momentum of these is the impulse that is missing there.
class LoadSlabs {
public:
    /// After a search: tiles, and the mass in them. Collective.
    void plan(const Communicator& communicator, const TileGrid& grid, const LocalTiles& tiles,
              const ParticleStore& store);
    /// A new solve: along which axes there is a load. Periodic directions have no support that could miss it.
    void begin(std::span<const Wall> walls, const Vec3& gravity);

    bool loaded() const { return !loads_.empty(); }
    /// What rests on the support of a load, where it is most: along gravity or a piston, if something holds
    /// it there. Taken over the cross-section of the whole box: it is too small where walls leave less.
    StaticLoad static_load() const;
    /// Room for the sums of one look, two for each slab.
    std::size_t sum_count() const;
    /// Adds the contacts of a tile.
    void add(int slot, const ResidualSums& tile, std::span<ExactSum> sums) const;
    /// From the sums over all ranks and the normal impulses of the walls: the largest missing impulse over
    /// the largest one.
    double error(std::span<const ExactSum> sums, std::span<const double> wall_impulses) const;
    /// The largest impulse that slabs transmit, over the cross-section of the box, Pa s (2-D: N s/m).
    double pressing(std::span<const ExactSum> sums) const;

private:
    struct Layers {
        int tiles = 1;            ///< along the axis
        double height = 1;        ///< of a slab, m
        double area = 1;          ///< of the box across the axis, m^2 (2-D: m)
        std::vector<double> mass; ///< of each slab, kg
        std::int64_t count = 0;   ///< of particles that have it
        std::vector<int> slab;    ///< of each slot
        /// Particles that never move hold a packing as a wall does: how many more of them are in the lower
        /// half than in the upper one, and whether there are any.
        std::int64_t fixed_below = 0;
        bool fixed = false;
    };
    struct Load {
        int axis;
        double acceleration; ///< of gravity along it, m/s^2
    };
    struct Slab {
        double mass, approach, impulse; ///< approach: of its faces, m/s
        bool bears;                     ///< enough to tie what is above it to what is below
    };
    static double missing_in(std::span<const Slab> slabs, bool held, double bottom_mass, double top_mass);
    double error_along(const Load& load, std::span<const ExactSum> sums,
                       std::span<const double> wall_impulses) const;

    int dimension_ = 3;
    bool periodic_[3] = {false, false, false};
    Layers layers_[3];
    std::vector<Load> loads_;
    std::span<const Wall> walls_;
};

} // namespace tamp
