#pragma once

#include <cstdint>

#include "tamp/base/vec3.hpp"
#include "tamp/geometry/grain_volume.hpp"

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

} // namespace tamp
