#pragma once

#include "tamp/base/vec3.hpp"

namespace tamp {

/// What the solver knows of a particle: one cache line.
///
/// `surface` is w = r omega. With l1 = r1 n and l2 = -r2 n the velocity at the contact [000 eq. 1.14] becomes
///   u = v2 - v1 - (w1 + w2) x n,
/// and an impulse p on particle 2 (-p on 1) changes w of both by -kappa/m (n x p), kappa = m r^2 / I.
struct alignas(64) Body {
    Vec3 velocity{0, 0, 0};
    double inverse_mass = 1;
    Vec3 surface{0, 0, 0};
    double inverse_radius = 1;
};
static_assert(sizeof(Body) == 64);

/// kappa = m r^2 / I: I = 2/5 m r^2 for spheres, 1/2 m r^2 for discs.
inline double inertia_ratio(int dimension) { return dimension == 3 ? 2.5 : 2.0; }

} // namespace tamp
