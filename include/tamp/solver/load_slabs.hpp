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

/// How the impulses of a solve changed the velocities of a tile's particles, by a = v - v_free.
struct TileChange {
    double mass = 0;
    Vec3 momentum{0, 0, 0}; ///< sum of m a
    double energy = 0;      ///< sum of m |a|^2
};

/// Tells how wrong the forces of a deep packing still are, from one look at its contacts.
///
/// A sweep leaves small violations u_n + c < 0 in every contact. Over the layers of a packing they add up to
/// a velocity that the packing should not have, and what it takes to stop that is missing in the forces.
/// Space is cut into slabs across the direction of the load, of height h. For each slab k with
///   R_k   sum of u_n + c over its contacts that bear something, zero once solved
///   Q_k   sum of n_a b_a over the same contacts (b: branch)
///   I_k   impulse that it transmits: sum of p_a b_a, over h
///   K_k   sum of m |a|^2 over its particles, without the mean a of their tiles along the load
/// its two faces approach by w_k = h R_k/Q_k more than they should. Weighted with p_n this would be virtual
/// power, and exact for impulses in balance; but few contacts bear most of the load, and chance has more to
/// say: in running packings all contacts alike told more.
///
/// The faces have the masses of half the slabs beside them. The impulse J_k that is missing in slab k
/// accelerates the faces apart:
///   D_k = (J_k - J_(k+1))/M_k,   D_k - D_(k-1) = -w_k - softness K_k/I_k^2 J_k
/// with D = 0 at the wall that holds the packing. The last term is because more impulse through a slab does
/// not only push its faces. In a packing that moves, contacts throw grains about and aside; as impulses now
/// do it, J more of them would take the energy K (J/I)^2/2 for it. The contacts find ways that take less:
/// hence `softness`. At rest all a are those of gravity, and K = 0. Without this term, loose packings in
/// motion would seem to miss several times what they do.
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
    /// Room for the sums of one look, `sums_of_slab` for each slab.
    std::size_t sum_count() const;
    /// Adds the contacts of a tile.
    void add(int slot, const ResidualSums& tile, std::span<ExactSum> sums) const;
    /// Adds its particles.
    void add(int slot, const TileChange& tile, std::span<ExactSum> sums) const;
    /// From the sums over all ranks and the normal impulses of the walls: the largest missing impulse over
    /// the largest one.
    double error(std::span<const ExactSum> sums, std::span<const double> wall_impulses) const;
    /// The largest impulse that slabs transmit, over the cross-section of the box, Pa s (2-D: N s/m).
    double pressing(std::span<const ExactSum> sums) const;

    static constexpr std::size_t sums_of_slab = 4;
    /// See above; chosen, as `unseen`, on 18 packings and found good on others, see test_missing_force.cpp.
    static constexpr double softness = 0.15;
    /// What is missing in packings, over what is seen of it: contacts that slide or open add to it.
    static constexpr double unseen = 1.4;

private:
    enum { violation_sum, reach_sum, virial_sum, energy_sum };
    struct Layers {
        int tiles = 1;            ///< along the axis
        double lower = 0;         ///< where the lowest slab begins
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
        double mass, impulse;
        double approach = 0; ///< of its faces, m/s
        double yield = 0;    ///< so much more for each impulse that is missing, 1/kg
        bool bears = false;  ///< enough to tie what is above it to what is below
    };
    /// What lies on the slabs, and what they lie on, besides their own mass.
    struct Ends {
        bool held;
        double bottom_mass, top_mass;
    };
    static double missing_in(std::span<const Slab> slabs, const Ends& ends);
    std::vector<Slab> slabs_along(const Load& load, std::span<const ExactSum> sums) const;
    void find_approach(const Load& load, std::span<const ExactSum> sums, double largest,
                       std::span<Slab> slabs) const;
    double filled_height(const Load& load, std::size_t slab) const;
    double error_along(const Load& load, std::span<const ExactSum> sums,
                       std::span<const double> wall_impulses) const;

    int dimension_ = 3;
    bool periodic_[3] = {false, false, false};
    Layers layers_[3];
    std::vector<Load> loads_;
    std::span<const Wall> walls_;
};

} // namespace tamp
