#pragma once

#include "tamp/base/pack.hpp"

/// Perfectly inelastic contact with Coulomb friction, for spheres, discs and planes [000 eq. 1.30].
///
///   p     impulse of the contact in this step, R dt, on particle 2; p_n = p.n, p_t = p - p_n n
///   n     unit normal from particle 1 to particle 2
///   u     velocity of particle 2 relative to 1 at the contact, with the present p in it
///   c     closing speed g+/dt that is still allowed, g+ = max(gap, 0)
///   mu    friction coefficient
///   m_n   normal mass, 1/m_n = 1/m1 + 1/m2
///   m_t   tangential mass, 1/m_t = 1/m_n + l1^2/I1 + l2^2/I2
///
/// The velocity without the contact's own force is u - p/m, so that the law reads in totals
///   p_n' = max(0, p_n - m_n (u_n + c))           open, or the gap just closes
///   p_t' = p_t - m_t u_t                          no slip
///   |p_t'| > mu p_n':  p_t' <- mu p_n' p_t'/|p_t'|  slip.
/// The reduced mass of a sphere pair is diagonal: p_n' needs no second look after slip.
namespace tamp::rigid {

template <class T>
Vector3<T> relaxed_impulse(const Vector3<T>& p, const Vector3<T>& n, const Vector3<T>& u, const T& c,
                           const T& mu, const T& m_n, const T& m_t) {
    const T u_n = dot(u, n);
    const T p_n = dot(p, n);
    const T new_n = larger(p_n - m_n * (u_n + c), T(0.0));
    const Vector3<T> trial = (p - p_n * n) - m_t * (u - u_n * n);
    const T limit = mu * new_n;
    const T size = square_root(dot(trial, trial));
    const T scale = select(size > limit, limit / larger(size, T(1e-300)), T(1.0));
    return new_n * n + scale * trial;
}

/// Natural map of the contact problem, p - P_K(p - m_n (u + s)): zero if and only if the contact obeys the
/// law. K is Coulomb's cone, s = (c + mu |u_t|) n holds the closing speed and De Saxce's shift.
template <class T>
Vector3<T> natural_map(const Vector3<T>& p, const Vector3<T>& n, const Vector3<T>& u, const T& c, const T& mu,
                       const T& m_n) {
    const T u_n = dot(u, n);
    const Vector3<T> u_t = u - u_n * n;
    const T slip = square_root(dot(u_t, u_t));
    const T p_n = dot(p, n);
    const Vector3<T> p_t = p - p_n * n;
    const T z_n = p_n - m_n * (u_n + c + mu * slip);
    const Vector3<T> z_t = p_t - m_n * u_t;
    const T size = square_root(dot(z_t, z_t));
    // Projection on the cone: inside it stays; outside it goes to the mantle, or to the apex from the polar
    // cone.
    const T mantle_n = larger((z_n + mu * size) / (T(1.0) + mu * mu), T(0.0));
    const auto outside = size > mu * z_n;
    const T new_n = larger(select(outside, mantle_n, z_n), T(0.0));
    const T scale = select(outside, mu * mantle_n / larger(size, T(1e-300)), T(1.0));
    return (p_n - new_n) * n + (p_t - scale * z_t);
}

} // namespace tamp::rigid
