#pragma once

#include <string>

#include "tamp/soft/pair_laws.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp::soft {

/// The shortest time that a step has to resolve, and what has it.
struct ShortestTime {
    double contact_time = 0; ///< s: half a period of the fastest mode, or the viscous time m/gamma
    std::string mode{};      ///< "sliding between 'glass' and 'steel'"
};

/// Of all pairs of materials, for the smallest particles of the case. Laws that stiffen with the overlap
/// count with the stiffness at `overlap_share` of the smallest diameter.
ShortestTime shortest_time(const MaterialTable& materials, const StartSizes& sizes, int dimension);
inline constexpr double overlap_share = 0.02;

/// A bound of the force of one contact: at an overlap of a largest diameter, with friction, N.
double largest_force(const MaterialTable& materials, const StartSizes& sizes, int dimension);

} // namespace tamp::soft
