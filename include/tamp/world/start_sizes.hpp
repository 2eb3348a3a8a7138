#pragma once

#include <cstdint>
#include <span>

#include "tamp/particles/grain.hpp"

namespace tamp {

/// Of the particles that a run started with: what tiles and skins are made for, whoever left since.
struct StartSizes {
    double smallest = 1e300, largest = 0, mean = 0; ///< m, diameters
    double mean_volume = 0;
    std::int64_t count = 0;
};

StartSizes start_sizes(std::span<const Grain> grains, int dimension);

} // namespace tamp
