#pragma once

#include "tamp/base/pack.hpp"

/// Rolling friction [000 eq. 1.38-1.41] together with sliding friction: one contact, solved exactly.
///
/// The 6x6 reduced mass of a pair of spheres is diagonal in the normal and in the torsion direction. Sliding
/// and rolling are coupled unless the spheres are equal: a tangential impulse at the contact turns a small
/// sphere more than a large one, and a sphere more than a plane. With x = p_t, y = n x tau (tau: impulse of
/// the contact torque on particle 2), u_t the sliding velocity and s = n x Omega the rolling velocity (Omega
/// = omega2 - omega1),
///   du_t = a dx + c dy      a = (1 + kappa)(1/m1 + 1/m2)
///   ds   = c dx + b dy      b = kappa (1/(m1 r1^2) + 1/(m2 r2^2)),  c = kappa (1/(m2 r2) - 1/(m1 r1))
/// in both tangential directions alike. The normal impulse does not depend on x and y, so that Coulomb's law
/// for both, |x| <= X = mu p_n and |y| <= Y = mu_t p_n with sliding and rolling against force and torque, is
/// the minimum of a convex quadratic function over two discs:
///   both stick        x*, y* from the 2x2 system;
///   sliding or not    x = x* cut to its disc, y from x: right if |y| <= Y, because with y eliminated the
///                     function is isotropic in x;
///   rolling or not    the same with x and y exchanged;
///   both slip         else: alternating cuts, which converge to the minimum; in two dimensions at once.
namespace tamp::rigid {

template <class T>
struct SlidingAndRolling {
    Vector3<T> sliding; ///< x
    Vector3<T> rolling; ///< y
};

/// The vector, or what is left of it within a disc.
template <class T>
Vector3<T> cut(const Vector3<T>& v, const T& radius) {
    const T size = square_root(dot(v, v));
    return select(size > radius, radius / larger(size, T(1e-300)), T(1.0)) * v;
}

inline constexpr int most_cuts = 100;

/// `u` and `s` are the velocities with the present x and y in them.
template <class T>
SlidingAndRolling<T> slide_and_roll(const SlidingAndRolling<T>& now, const Vector3<T>& u, const Vector3<T>& s,
                                    const T& a, const T& b, const T& c, const T& slip_limit,
                                    const T& roll_limit) {
    const Vector3<T> free_u = u - a * now.sliding - c * now.rolling;
    const Vector3<T> free_s = s - c * now.sliding - b * now.rolling;
    const T inverse_a = T(1.0) / a, inverse_b = T(1.0) / b;
    const T determinant = T(1.0) / (a * b - c * c);
    const Vector3<T> sticking_x = determinant * (c * free_s - b * free_u);
    const Vector3<T> sticking_y = determinant * (c * free_u - a * free_s);
    const auto rolling_from = [&](const Vector3<T>& x) { return -inverse_b * (free_s + c * x); };
    const auto sliding_from = [&](const Vector3<T>& y) { return -inverse_a * (free_u + c * y); };
    const T slip_square = slip_limit * slip_limit, roll_square = roll_limit * roll_limit;

    const Vector3<T> slide_x = cut(sticking_x, slip_limit), slide_y = rolling_from(slide_x);
    const Vector3<T> roll_y = cut(sticking_y, roll_limit), roll_x = sliding_from(roll_y);
    const auto roll_sticks = !(dot(slide_y, slide_y) > roll_square);
    const auto slide_sticks = !(dot(roll_x, roll_x) > slip_square);
    SlidingAndRolling<T> result{select(roll_sticks, slide_x, cut(roll_x, slip_limit)),
                                select(roll_sticks, slide_y, roll_y)};
    // Where nothing may hold the rolling, what is above is right already.
    const auto both = (!(roll_sticks | slide_sticks)) & (roll_limit > T(0.0));
    if (!any(both))
        return result;
    // In a sweep the present value is the best guess.
    result.sliding = select(both, cut(now.sliding, slip_limit), result.sliding);
    for (int i = 0; i < most_cuts; ++i) {
        const Vector3<T> y = cut(rolling_from(result.sliding), roll_limit);
        const Vector3<T> x = cut(sliding_from(y), slip_limit);
        const Vector3<T> change = x - result.sliding;
        const auto moved = both & (dot(change, change) > T(1e-30) * slip_square);
        result = {select(both, x, result.sliding), select(both, y, result.rolling)};
        if (!any(moved))
            break;
    }
    return result;
}

} // namespace tamp::rigid
