#pragma once

#include <limits>
#include <span>

#include "tamp/laws/rigid/law_set.hpp"
#include "tamp/particles/body.hpp"
#include "tamp/solver/law_batches.hpp"

namespace tamp {

/// A wall as the solver sees it. The contacts of a free wall each see a share of its mass or inertia.
struct WallState {
    Vec3 normal{0, 0, 1};
    Vec3 velocity{0, 0, 0};
    double inverse_share = 0; ///< (number of contacts)/mass along the normal; zero if it cannot move freely
    bool flat = true;         ///< its contacts have its normal
    bool turns = false;
    Vec3 axis{0, 0, 1};            ///< that it turns about
    double turn_speed = 0;         ///< rad/s
    double inverse_turn_share = 0; ///< (number of contacts)/inertia; zero if it cannot turn freely

    Vec3 spin() const { return turn_speed * axis; }
};

/// Sums over the contacts of one tile. They are added in the tile's own order, and tiles are added exactly.
struct ResidualSums {
    double residual = 0;  ///< how far contacts are from their laws: |natural map|, or laws.hpp's distance
    double largest = 0;   ///< the largest of them
    double approach = 0;  ///< the fastest one beyond contact, -(u_n + max(c, 0)), m/s
    double fast = 0;      ///< number of those that are faster than KernelLaws::approach_limit
    double normal = 0;    ///< |p_n|, at least the cohesive strength
    double loaded = 0;    ///< number of contacts with p_n != 0, or with cohesion
    Vec3 stress{0, 0, 0}; ///< p_a n_a for each axis: the diagonal of the stress up to the branch length
    Vec3 virial{0, 0, 0}; ///< p_a b_a, b the branch
    double violation = 0; ///< u_n + c of contacts that bear something: zero once solved
    Vec3 reach{0, 0, 0};  ///< n_a b_a of the same contacts
};

/// The laws of a run. `kappa` = inertia_ratio(dimension).
struct KernelLaws {
    KernelLaws(double inertia, rigid::LawSet laws = {}, rigid::TorqueOptions torques = {})
        : kappa(inertia), set(laws), options(torques) {}

    double kappa;
    rigid::LawSet set;
    rigid::TorqueOptions options;
    double momentum = 0;                                             ///< of this sweep
    double approach_limit = std::numeric_limits<double>::infinity(); ///< m/s; looks count what is faster
};

/// One pass over batches in order, or in the order that `order` gives. `rows` begin where `batches` do.
///
/// With rows of earlier impulses it is a pass with momentum: contacts start from
///   x = y + laws.momentum (y - y_before),
/// y being their impulses after the last sweep and y_before those after the sweep before it (torques alike).
/// The bodies are to have the velocities of x already, see `advance`. Returns the sum of |change|^2 over the
/// contacts, the change from x; torques count over the radius. Without momentum it returns 0.
double relax(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
             const LawBatches& rows = {});
double relax_backward(std::span<Body> bodies, std::span<ContactBatch> batches, const KernelLaws& laws,
                      const LawBatches& rows = {});
double relax_in_order(std::span<Body> bodies, std::span<ContactBatch> batches,
                      std::span<const std::int32_t> order, const KernelLaws& laws,
                      const LawBatches& rows = {});
double relax_walls(std::span<Body> bodies, std::span<WallBatch> batches, std::span<const WallState> walls,
                   const KernelLaws& laws, const LawBatches& rows = {});
double relax_walls_backward(std::span<Body> bodies, std::span<WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws,
                            const LawBatches& rows = {});

/// Velocities are affine in the impulses: those of x are v + momentum (v - v_before). `earlier` becomes v.
void advance(std::span<Body> bodies, std::span<Body> earlier, double momentum);
/// Of these bodies alone.
void advance(std::span<Body> bodies, std::span<Body> earlier, std::span<const std::int32_t> pushed,
             double momentum);

/// Gives the bodies the impulses that the batches start from.
void apply(std::span<Body> bodies, std::span<const ContactBatch> batches, const KernelLaws& laws,
           const LawBatches& rows = {});
void apply_walls(std::span<Body> bodies, std::span<const WallBatch> batches, const KernelLaws& laws,
                 const LawBatches& rows = {});

ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches,
                      const KernelLaws& laws, const LawBatches& rows = {});
ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls, const KernelLaws& laws,
                            const LawBatches& rows = {});

} // namespace tamp
