#pragma once

#include <cstdint>
#include <numbers>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// One particle as it travels: made by generators, sent when it migrates, written to files.
struct Grain {
    std::uint64_t id = 0;
    Vec3 position{0, 0, 0};
    double radius = 0;
    Vec3 velocity{0, 0, 0};
    Vec3 spin{0, 0, 0}; ///< angular velocity, rad/s
    std::int64_t material = 0;

    friend bool operator==(const Grain&, const Grain&) = default;
};

/// Volume of a sphere; area of a disc.
inline double grain_volume(double radius, int dimension) {
    return dimension == 3 ? 4.0 / 3.0 * std::numbers::pi * radius * radius * radius
                          : std::numbers::pi * radius * radius;
}

} // namespace tamp
