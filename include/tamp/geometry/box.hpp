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
    Vec3 nearest(const Vec3& difference) const;

    /// The image inside the box; open and walled directions stay as they are.
    Vec3 wrapped(Vec3 position) const {
        for (int axis = 0; axis < dimension; ++axis)
            if (periodic(axis)) {
                position[axis] -= length(axis) * std::floor((position[axis] - lower[axis]) / length(axis));
                if (position[axis] - lower[axis] >= length(axis) || position[axis] < lower[axis])
                    position[axis] = lower[axis]; // rounding put it on the upper face
            }
        return position;
    }
};

/// `Box::nearest` for loops: no branch and no division.
class NearestImage {
public:
    explicit NearestImage(const Box& box) {
        for (int axis = 0; axis < box.dimension; ++axis)
            if (box.periodic(axis)) {
                length_[axis] = box.length(axis);
                inverse_[axis] = 1.0 / box.length(axis);
            }
    }

    Vec3 operator()(const Vec3& d) const {
        return {d.x - length_.x * std::nearbyint(d.x * inverse_.x),
                d.y - length_.y * std::nearbyint(d.y * inverse_.y),
                d.z - length_.z * std::nearbyint(d.z * inverse_.z)};
    }

private:
    Vec3 length_{0, 0, 0}, inverse_{0, 0, 0}; ///< zero along directions that are not periodic
};

inline Vec3 Box::nearest(const Vec3& difference) const { return NearestImage(*this)(difference); }

} // namespace tamp
