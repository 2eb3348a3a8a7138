#pragma once

#include <cstdint>
#include <span>

#include "tamp/materials/material.hpp"
#include "tamp/particles/grain.hpp"
#include "tamp/particles/growth.hpp"

namespace tamp {

/// Of the particles that a run started with: what tiles and skins are made for, whoever left since.
struct StartSizes {
    double smallest = 1e300, largest = 0, mean = 0; ///< m, diameters
    double mean_volume = 0;
    std::int64_t count = 0;

    /// Of those that may grow: all that are not held fixed.
    struct Growing {
        double share = -1;                 ///< of the count; negative: not known
        double smallest = 1e300;           ///< m, diameter
        double largest = 0;                ///< m, diameter
        double smallest_of_others = 1e300; ///< m, diameter
        // Mean powers of their radii, which tell what growth makes of the mean volume.
        double mean_radius = 0, mean_square = 0, mean_cube = 0;
    } growing{};
};

/// Without materials all particles count as growing.
StartSizes start_sizes(std::span<const Grain> grains, int dimension,
                       const MaterialTable* materials = nullptr);

/// What growth made of the sizes at the start. Found from these alone: the same bits on every rank, in a step
/// as after a restart.
StartSizes grown_sizes(const StartSizes& start, const Grown& grown, int dimension);

} // namespace tamp
