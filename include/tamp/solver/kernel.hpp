#pragma once

#include <span>

#include "tamp/contacts/batch.hpp"
#include "tamp/particles/body.hpp"

namespace tamp {

/// A wall as the solver sees it. A piston's contacts each see a share of its mass, see
/// `WallState::inverse_share`.
struct WallState {
    Vec3 normal{0, 0, 1};
    Vec3 velocity{0, 0, 0};
    double inverse_share =
        0; ///< (number of contacts)/mass along the normal; zero for walls that are not free
};

/// Sums over the contacts of one tile. They are added in the tile's own order, and tiles are added exactly.
struct ResidualSums {
    double residual = 0;  ///< |natural map|
    double largest = 0;   ///< largest |natural map|
    double normal = 0;    ///< p_n
    double loaded = 0;    ///< number of contacts with p_n > 0
    Vec3 stress{0, 0, 0}; ///< p_a n_a for each axis: the diagonal of the stress up to the branch length
};

/// One pass over batches in order, or in the order that `order` gives. `kappa` = inertia_ratio(dimension).
void relax(std::span<Body> bodies, std::span<ContactBatch> batches, double kappa);
void relax_backward(std::span<Body> bodies, std::span<ContactBatch> batches, double kappa);
void relax_in_order(std::span<Body> bodies, std::span<ContactBatch> batches,
                    std::span<const std::int32_t> order, double kappa);
void relax_walls(std::span<Body> bodies, std::span<WallBatch> batches, std::span<const WallState> walls,
                 double kappa);
void relax_walls_backward(std::span<Body> bodies, std::span<WallBatch> batches,
                          std::span<const WallState> walls, double kappa);

/// Gives the bodies the impulses that the batches start from.
void apply(std::span<Body> bodies, std::span<const ContactBatch> batches, double kappa);
void apply_walls(std::span<Body> bodies, std::span<const WallBatch> batches, std::span<const WallState> walls,
                 double kappa);

ResidualSums residual(std::span<const Body> bodies, std::span<const ContactBatch> batches);
ResidualSums residual_walls(std::span<const Body> bodies, std::span<const WallBatch> batches,
                            std::span<const WallState> walls);

} // namespace tamp
