#pragma once

#include <cstdint>

#include "tamp/base/pack.hpp"
#include "tamp/particles/body.hpp"

namespace tamp {
inline namespace TAMP_PACKS {

/// Eight bodies in registers: component by component, one lane a body.
struct Bodies {
    Pack::Raw column[8];

    PackVec3 velocity() const { return {column[0], column[1], column[2]}; }
    Pack inverse_mass() const { return column[3]; }
    PackVec3 surface() const { return {column[4], column[5], column[6]}; }
    Pack inverse_radius() const { return column[7]; }

    void set(const PackVec3& velocity, const PackVec3& surface) {
        column[0] = velocity.x.raw, column[1] = velocity.y.raw, column[2] = velocity.z.raw;
        column[4] = surface.x.raw, column[5] = surface.y.raw, column[6] = surface.z.raw;
    }
};

inline Bodies gather(const Body* bodies, const std::int32_t* index) {
    Bodies result;
    for (int lane = 0; lane < lanes; ++lane)
        result.column[lane] = *reinterpret_cast<const Pack::Raw*>(bodies + index[lane]);
    transpose(result.column);
    return result;
}

inline void scatter(Bodies& values, Body* bodies, const std::int32_t* index) {
    transpose(values.column);
    for (int lane = 0; lane < lanes; ++lane)
        *reinterpret_cast<Pack::Raw*>(bodies + index[lane]) = values.column[lane];
}

} // namespace TAMP_PACKS
} // namespace tamp
