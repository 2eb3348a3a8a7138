#pragma once

#include "tamp/solver/batch.hpp"

namespace tamp {

/// Along the wall's normal, of all contacts of the batch.
inline double normal_impulse(const WallBatch& batch, const Vec3& normal) {
    return sum_lanes(Pack::load(batch.impulse[0]) * Pack(normal.x) +
                     Pack::load(batch.impulse[1]) * Pack(normal.y) +
                     Pack::load(batch.impulse[2]) * Pack(normal.z));
}

} // namespace tamp
