#pragma once

#include <span>

#include "tamp/particles/store.hpp"
#include "tamp/soft/force_sums.hpp"
#include "tamp/soft/settings.hpp"

namespace tamp::soft {

/// How far and how fast the particles that a rank owns have become.
struct Moved {
    double speed = 0;        ///< largest, m/s; infinite if one is not a number
    double displacement = 0; ///< largest since the last search, m
};

struct StepLengths {
    double kick; ///< s: how long forces act on velocities
    double move; ///< s: how long particles then move
};

/// Velocities v and w = a omega of all particles, copies included, change by the forces of `sums` and by
/// gravity:
///   v += kick (f/m + g - gamma_b v/m),  w += kick kappa/m (q/a - gamma_br w),
/// with the torque q and kappa = m a^2/I; then x += move v. The sums are zero afterwards.
Moved integrate(ParticleStore& particles, std::span<ForceSum> sums, const ForceUnit& unit,
                const Vec3& gravity, const SoftSettings& settings, const StepLengths& lengths);

} // namespace tamp::soft
