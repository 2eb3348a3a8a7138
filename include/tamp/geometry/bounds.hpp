#pragma once

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

    /// Whether the point is closer to the box than `reach` along every axis.
    bool within(const Vec3& point, double reach) const {
        for (int axis = 0; axis < 3; ++axis)
            if (!(point[axis] >= lower[axis] - reach && point[axis] <= upper[axis] + reach))
                return false;
        return true;
    }
};

} // namespace tamp
