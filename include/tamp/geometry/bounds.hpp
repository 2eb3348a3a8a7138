#pragma once

#include <algorithm>
#include <limits>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// An axis-aligned box around a surface, infinite where the surface is unbounded. Nothing yet: lower > upper.
struct Bounds {
    Vec3 lower{infinity, infinity, infinity};
    Vec3 upper{-infinity, -infinity, -infinity};

    static constexpr double infinity = std::numeric_limits<double>::infinity();

    void include(const Vec3& point) {
        for (int axis = 0; axis < 3; ++axis) {
            lower[axis] = point[axis] < lower[axis] ? point[axis] : lower[axis];
            upper[axis] = point[axis] > upper[axis] ? point[axis] : upper[axis];
        }
    }

    /// Whether the point is in the box or not farther from it than `reach`.
    bool within(const Vec3& point, double reach) const {
        Vec3 beyond{0, 0, 0};
        for (int axis = 0; axis < 3; ++axis)
            beyond[axis] = std::max({lower[axis] - point[axis], point[axis] - upper[axis], 0.0});
        return dot(beyond, beyond) <= reach * reach;
    }
};

} // namespace tamp
