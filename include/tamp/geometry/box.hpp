#pragma once

#include <cmath>

#include "tamp/base/vec3.hpp"

namespace tamp {

enum class Boundary { open, periodic, wall };

/// The simulated region. In two dimensions the third direction is `open` with lower = upper = 0.
struct Box {
    Vec3 lower{0, 0, 0};
    Vec3 upper{1, 1, 1};
    std::array<Boundary, 3> boundary{Boundary::open, Boundary::open, Boundary::open};
    int dimension = 3;

    bool periodic(int axis) const { return boundary[static_cast<std::size_t>(axis)] == Boundary::periodic; }
    double length(int axis) const { return upper[axis] - lower[axis]; }

    /// Area in two dimensions.
    double volume() const { return length(0) * length(1) * (dimension == 3 ? length(2) : 1.0); }

    /// The shortest image of a difference of positions.
    Vec3 nearest(Vec3 difference) const {
        for (int axis = 0; axis < dimension; ++axis)
            if (periodic(axis))
                difference[axis] -= length(axis) * std::nearbyint(difference[axis] / length(axis));
        return difference;
    }

    /// The image inside the box; open and walled directions stay as they are.
    Vec3 wrapped(Vec3 position) const {
        for (int axis = 0; axis < dimension; ++axis)
            if (periodic(axis)) {
                position[axis] -= length(axis) * std::floor((position[axis] - lower[axis]) / length(axis));
                if (position[axis] >= upper[axis] || position[axis] < lower[axis])
                    position[axis] = lower[axis]; // rounding put it on the upper face
            }
        return position;
    }
};

} // namespace tamp
