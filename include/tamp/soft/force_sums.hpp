#pragma once

#include <cmath>
#include <cstdint>

#include "tamp/base/vec3.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"

namespace tamp::soft {

/// Force and torque/radius on a particle, in units of `ForceUnit`; of a wall, torque/`wall_lever`. Integers
/// do not care in which order contacts are added, and on which rank: that is why a soft run has the same bits
/// on any number of ranks.
struct alignas(64) ForceSum {
    std::int64_t force[4] = {0, 0, 0, 0}; ///< the last one is not used
    std::int64_t turn[4] = {0, 0, 0, 0};
};
static_assert(sizeof(ForceSum) == 64);

/// One unit is a power of two, so that scaling rounds nothing but the last bit. The largest force of a case
/// is 2^-10 of what the integers hold: a particle may have hundreds of contacts like that. Its forces are
/// then accurate to 2^-52 of the largest one.
struct ForceUnit {
    double per_newton = 1, newton = 1;
    double largest = 0; ///< N; larger forces of a contact cannot be added

    ForceUnit() = default;
    explicit ForceUnit(double largest_force) {
        int exponent = 0;
        (void)std::frexp(largest_force, &exponent); // largest_force < 2^exponent
        per_newton = std::ldexp(1.0, 52 - exponent);
        newton = std::ldexp(1.0, exponent - 52);
        largest = std::ldexp(1.0, exponent);
    }

    /// Of three sums.
    Vec3 value(const std::int64_t* sum) const {
        return {newton * static_cast<double>(sum[0]), newton * static_cast<double>(sum[1]),
                newton * static_cast<double>(sum[2])};
    }
};

/// No particle touches a wall further away from its point than this, m: the length that turns torques on the
/// wall into forces, so that they are summed in the same unit.
inline double wall_lever(const Box& box, const Wall& wall) {
    const Vec3 edges = box.upper - box.lower, middle = 0.5 * (box.lower + box.upper);
    return norm(edges) + norm(wall.point - middle);
}

} // namespace tamp::soft
