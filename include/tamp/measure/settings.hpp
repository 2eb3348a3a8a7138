#pragma once

#include "tamp/base/vec3.hpp"

namespace tamp {

/// What is measured of distributions, profiles and fields. Zero mostly means: chosen from the case, never
/// from the state, so that the shape of a result stays as it is through a run.
struct MeasureSettings {
    int profile_axis = -1; ///< 0, 1 or 2; -1: the last dimension
    int profile_bins = 0;  ///< 0: as many as mean diameters fit into the box, 1000 at most

    int force_bins = 60;
    double largest_force = 6; ///< of P(f), in mean forces
    int mobilisation_bins = 20;
    int overlap_bins = 40;

    double pair_range = 5;   ///< of g(r), in mean diameters; less in a box that is too small for it
    int pair_bins = 100;     ///< 0: no pair correlation
    int pair_samples = 4000; ///< particles whose neighbourhood is counted, about

    Int3 grid_cells{0, 0,
                    0}; ///< 0 along an axis: about three mean diameters of the box a cell, 32 cells at most
    /// Half the width of the tent that spreads a particle over the grid, in mean diameters; 0: a particle
    /// counts where its centre is.
    double coarse_graining_width = 1;
};

} // namespace tamp
