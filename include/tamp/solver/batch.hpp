#pragma once

#include <cstdint>

#include "tamp/base/pack.hpp"

namespace tamp {

inline void set_lane(double (&values)[3][lanes], int lane, const Vec3& v) {
    values[0][lane] = v.x, values[1][lane] = v.y, values[2][lane] = v.z;
}

inline Vec3 lane_of(const double (&values)[3][lanes], int lane) {
    return {values[0][lane], values[1][lane], values[2][lane]};
}

inline namespace TAMP_PACKS {

inline PackVec3 load(const double (&from)[3][lanes]) {
    return {Pack::load(from[0]), Pack::load(from[1]), Pack::load(from[2])};
}

inline void store(const PackVec3& value, double (&to)[3][lanes]) {
    value.x.store(to[0]), value.y.store(to[1]), value.z.store(to[2]);
}

} // namespace TAMP_PACKS

/// Eight contacts that share no body: what one step of a sweep relaxes at once. 576 bytes, read and (impulse)
/// written once a sweep. Unused lanes are null contacts between two rest bodies that stay open for ever.
struct alignas(64) ContactBatch {
    std::int32_t first[lanes];
    std::int32_t second[lanes];
    double normal[3][lanes];
    double closing_speed[lanes]; ///< g+/dt
    double friction[lanes];
    double impulse[3][lanes];
};

/// Eight contacts of different particles with one wall, which is side 1.
struct alignas(64) WallBatch {
    std::int32_t body[lanes];
    std::int32_t wall;
    alignas(64) double normal[3][lanes];
    double closing_speed[lanes];
    double friction[lanes];
    double impulse[3][lanes];
    double arm[3][lanes]; ///< m; see `Wall::arm`; of walls that turn
};

/// A closing speed that no contact reaches: marks null contacts.
inline constexpr double never_closes = 1e200;

} // namespace tamp
