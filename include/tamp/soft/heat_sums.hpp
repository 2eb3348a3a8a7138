#pragma once

#include <array>

#include "tamp/base/exact_sum.hpp"

namespace tamp::soft {

/// Where the energy of contacts goes.
enum Heat {
    elastic, ///< stored more than before, by all springs
    dashpots,
    hysteresis, ///< lost by normal springs with a memory, and by cohesion that ends at a jump
    sliding,
    rolling,
    torsion,
    growth, ///< work of radii that grow
    heat_count
};

/// Sums since the start of a run, J. Exact: they depend neither on the order of contacts nor on ranks.
using HeatSums = std::array<ExactSum, heat_count>;

} // namespace tamp::soft
