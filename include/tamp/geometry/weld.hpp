#pragma once

#include <span>
#include <vector>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// Points made one where they coincide.
struct WeldedPoints {
    std::vector<Vec3> points;  ///< in ascending order of x, then y, then z
    std::vector<int> index_of; ///< for each of the given points
};

/// Points closer than `tolerance` become one, and so do chains of such points. Of each chain the point with
/// the smallest coordinates stays, so that the order in which they are given does not matter.
WeldedPoints welded(std::span<const Vec3> given, double tolerance);

} // namespace tamp
