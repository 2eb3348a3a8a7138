#pragma once

#include <cstdint>
#include <string>

#include "tamp/world/world.hpp"

namespace tamp {

/// The contact that is pressed together most.
struct DeepestOverlap {
    double share = 0;                        ///< overlap over the smaller diameter; 0: nothing overlaps
    double depth = 0;                        ///< m
    std::uint64_t particle = 0, partner = 0; ///< ids; `partner` of a wall: see `wall_partner`
};

/// Over all particles that are not fixed, where they are now; neighbours must have been searched. The same on
/// every rank and on any number of ranks. Collective.
DeepestOverlap deepest_overlap(const World& world);

/// "particles 3 and 8", "particle 3 and the wall 'lid'".
std::string partners_text(const DeepestOverlap& overlap, const World& world);

} // namespace tamp
