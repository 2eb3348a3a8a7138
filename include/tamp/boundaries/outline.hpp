#pragma once

#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"

namespace tamp {

/// A closed or open line that shows where the particles may be.
struct OutlineLine {
    std::vector<Vec3> points;
    int wall = -1; ///< index of the wall; -1: edge of the box
};

/// The edges of the box, and for each wall that is left the polygon (2-D: the line) that it cuts out of the
/// box. Planes that miss the box or coincide with one of its faces give none. Other
/// shapes give their edges and rims.
std::vector<OutlineLine> outline(const Box& box, std::span<const Wall> walls);

} // namespace tamp
