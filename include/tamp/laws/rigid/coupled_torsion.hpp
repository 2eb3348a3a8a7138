#pragma once

#include "tamp/base/pack.hpp"

/// Sliding and torsion friction that share one limit.
///
/// A contact area that slides and spins at once can bear less force than one that slides only, and less
/// torque than one that spins only (Farkas, Bartels, Unger and Wolf, Frictional coupling between sliding and
/// spinning motion). Their exact limit curve has no closed form for all pressure profiles; the ellipse
///   (|x|/X)^2 + (z/Z)^2 <= 1,   x = p_t, z = tau_n, X = mu p_n, Z = mu_n p_n
/// has its end points and stays within a few per cent of it. The velocity (u_t, Omega_n) is normal to the
/// limit surface, so that the one-contact problem is again a minimum of a convex function, over the
/// ellipsoid. With the multiplier l >= 0 its solution is x = -f/(a + l/X^2), z = -h/(b + l/Z^2) (f, h:
/// velocities without the contact's own x and z), and l is the root of a function of one variable. Newton's
/// method on the reciprocal of its square root comes from one side and needs a few steps.
namespace tamp::rigid {

template <class T>
struct SlidingAndTorsion {
    Vector3<T> sliding;
    T torsion;
};

inline constexpr int newton_steps = 12;

template <class T>
SlidingAndTorsion<T> slide_and_twist(const Vector3<T>& free_u, const T& free_omega, const T& a, const T& b,
                                     const T& slip_limit, const T& twist_limit) {
    // In units in which the limits are one; a limit of zero leaves no force at all.
    const T slip = larger(slip_limit, T(1e-40)), turn = larger(twist_limit, T(1e-40));
    const T alpha = a * slip * slip, beta = b * turn * turn;
    const Vector3<T> f = slip * free_u;
    const T h = turn * free_omega;
    const T f_square = dot(f, f), h_square = h * h;
    T multiplier(0.0);
    for (int i = 0; i < newton_steps; ++i) {
        const T q = T(1.0) / (alpha + multiplier), r = T(1.0) / (beta + multiplier);
        const T square = f_square * q * q + h_square * r * r;
        const T slope = f_square * q * q * q + h_square * r * r * r;
        // d(square^-1/2) = square^-3/2 slope; the goal is 1.
        const T step = square * (square_root(square) - T(1.0)) / larger(slope, T(1e-300));
        const T next = larger(multiplier + step, T(0.0)), change = next - multiplier;
        multiplier = next;
        if (!any(change > T(1e-15) * next))
            break;
    }
    const T q = T(1.0) / (alpha + multiplier), r = T(1.0) / (beta + multiplier);
    const Vector3<T> x = -q * f;
    const T z = -h * r;
    // Rounding, and contacts that never slip.
    const T size = square_root(dot(x, x) + z * z);
    const T scale = select(size > T(1.0), T(1.0) / size, T(1.0));
    return {select(slip_limit > T(0.0), slip * scale, T(0.0)) * x,
            select(twist_limit > T(0.0), turn * scale * z, T(0.0))};
}

} // namespace tamp::rigid
