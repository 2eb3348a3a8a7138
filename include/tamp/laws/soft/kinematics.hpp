#pragma once

#include "tamp/laws/soft/touch.hpp"

/// Sliding, rolling and torsion of a pair, and how its forces act on both bodies [004 sec. 2.4].
///
/// n points from body 1 to body 2 (i of the seed is 2, j is 1), v = v2 - v1, and w = a omega is the velocity
/// of a surface, as in particles/body.hpp. Both arms end in the middle of the overlap, a' = a - delta/2, so
/// that |x2 - x1| = a1' + a2'.
///   sliding   u = v + n x (a1' omega1 + a2' omega2), less its part along n               [eq. 11-12]
///   rolling   v_r = -a' n x (omega2 - omega1),  a' = a1' a2'/(a1' + a2')                  [eq. 19]
///   torsion   v_o = a' n . (omega2 - omega1), a number                                    [eq. 20]
/// All three vanish where the pair turns as one rigid body. With the normal force f_n, the sliding force f_t,
/// the rolling quasi-force f_r and the torsion quasi-force f_o (each against its velocity),
///   force on 2   F = f_n n + f_t;  on 1 -F
///   torque on 2  q_2 = -a2' n x f_t + a' (n x f_r + f_o n)
///   torque on 1  q_1 = -a1' n x f_t - a' (n x f_r + f_o n).
/// Momentum and angular momentum are conserved, and the power is f_n v.n + f_t.u + f_r.v_r + f_o v_o. The
/// seed writes a_ij without prime in the torques of rolling and torsion and in eq. 20; with a' everywhere
/// force and velocity belong together.
///
/// A wall is a body 1 with inverse radius 0 and w1 = 0; its v1 is that of the wall at the contact.
namespace tamp::soft {

template <class T>
struct Arms {
    T share1, share2;     ///< a'/a of each body, 1
    T inverse1, inverse2; ///< 1/a of each body, 1/m
    T reduced;            ///< a', m
};

template <class T>
Arms<T> arms_of(const T& overlap, const T& inverse_radius1, const T& inverse_radius2) {
    const T half = 0.5 * overlap;
    const T share1 = T(1.0) - half * inverse_radius1, share2 = T(1.0) - half * inverse_radius2;
    // 1/a' = 1/a1' + 1/a2' = (share2/a1 + share1/a2)/(share1 share2)
    const T sum = share2 * inverse_radius1 + share1 * inverse_radius2;
    return {share1, share2, inverse_radius1, inverse_radius2, share1 * share2 / larger(sum, T(tiny))};
}

/// u, m/s; `v` is v2 - v1.
template <class T>
Vector3<T> sliding_velocity(const Vector3<T>& n, const Vector3<T>& v, const Vector3<T>& w1,
                            const Vector3<T>& w2, const Arms<T>& arms) {
    const Vector3<T> u = v + cross(n, arms.share1 * w1 + arms.share2 * w2);
    return u - dot(u, n) * n;
}

/// omega2 - omega1, 1/s
template <class T>
Vector3<T> relative_spin(const Vector3<T>& w1, const Vector3<T>& w2, const Arms<T>& arms) {
    return arms.inverse2 * w2 - arms.inverse1 * w1;
}

/// v_r, m/s
template <class T>
Vector3<T> rolling_velocity(const Vector3<T>& n, const Vector3<T>& spin, const Arms<T>& arms) {
    return arms.reduced * cross(spin, n);
}

/// v_o, m/s
template <class T>
T torsion_velocity(const Vector3<T>& n, const Vector3<T>& spin, const Arms<T>& arms) {
    return arms.reduced * dot(spin, n);
}

/// What a contact does to its bodies. `turn` is torque/radius, N, so that dw/dt = kappa/m turn.
template <class T>
struct PairLoads {
    Vector3<T> force; ///< on body 2; the opposite acts on body 1
    Vector3<T> turn1, turn2;
};

template <class T>
PairLoads<T> pair_loads(const Vector3<T>& n, const T& normal, const Vector3<T>& sliding,
                        const Arms<T>& arms) {
    const Vector3<T> couple = cross(sliding, n);
    return {normal * n + sliding, arms.share1 * couple, arms.share2 * couple};
}

/// The same with quasi-forces of rolling and torsion.
template <class T>
PairLoads<T> pair_loads(const Vector3<T>& n, const T& normal, const Vector3<T>& sliding,
                        const Vector3<T>& rolling, const T& torsion, const Arms<T>& arms) {
    PairLoads<T> loads = pair_loads(n, normal, sliding, arms);
    const Vector3<T> couple = arms.reduced * (cross(n, rolling) + torsion * n);
    loads.turn1 -= arms.inverse1 * couple;
    loads.turn2 += arms.inverse2 * couple;
    return loads;
}

} // namespace tamp::soft
