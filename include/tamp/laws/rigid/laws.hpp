#pragma once

#include "tamp/laws/rigid/cohesion.hpp"
#include "tamp/laws/rigid/coupled_torsion.hpp"
#include "tamp/laws/rigid/hertz.hpp"
#include "tamp/laws/rigid/inelastic.hpp"
#include "tamp/laws/rigid/law_set.hpp"
#include "tamp/laws/rigid/rolling.hpp"
#include "tamp/laws/rigid/torsion.hpp"

/// The laws of a contact put together, at compile time: a sweep over plain friction has no trace of others.
namespace tamp::rigid {

/// One contact, as the laws see it. See inelastic.hpp for the letters.
template <class T>
struct ContactProblem {
    Vector3<T> p, n, u;
    T c, mu, m_n, m_t;
    T strength{}, pull{};             ///< cohesion: largest tensile impulse, speed with which it closes a gap
    Vector3<T> shift{}, spin_shift{}; ///< rebound: added to the tangential velocity and to omega
    Vector3<T> tau{};                 ///< torques: impulse of the torque on particle 2
    Vector3<T> omega{};               ///< torques: omega2 - omega1, with the present tau in it
    T turning{}, mixing{};            ///< torques: b and c of rolling.hpp
    T rolling{}, torsion{}, rolling_growth{}, torsion_growth{}; ///< torques: levers
    T coupled{};                                                ///< torques: 1 or 0
};

template <class T>
struct Reaction {
    Vector3<T> impulse, torque;
};

/// What friction-like limits are proportional to.
template <LawSet laws, class T>
T pressing(const T& p_n, const T& strength) {
    if constexpr (laws.cohesion)
        return p_n + strength;
    else
        return p_n;
}

template <class T>
Reaction<T> with_torques(const ContactProblem<T>& contact, const TorqueOptions& options, const T& new_n,
                         const T& force, const Vector3<T>& p_t, const Vector3<T>& u_t,
                         const Vector3<T>& omega) {
    const Vector3<T>& n = contact.n;
    const T tau_n = dot(contact.tau, n), omega_n = dot(omega, n);
    T roll_limit = contact.rolling * force, twist_limit = contact.torsion * force;
    if (options.hertz) {
        const T growing = force * lever_root(force, options.discs);
        roll_limit += contact.rolling_growth * growing;
        twist_limit += contact.torsion_growth * growing;
    }
    const T a = T(1.0) / contact.m_t, b = contact.turning, c = contact.mixing;
    const T slip_limit = contact.mu * force;
    const Vector3<T> s = cross(n, omega);
    const SlidingAndRolling<T> now{p_t, cross(n, contact.tau)};
    const auto shares = contact.coupled > T(0.0);
    SlidingAndRolling<T> plane = now;
    T torsion = tau_n;
    if (!options.coupled || any(!shares)) {
        plane = slide_and_roll(now, u_t, s, a, b, c, slip_limit, roll_limit);
        torsion = twist(tau_n, omega_n, b, twist_limit);
    }
    if (options.coupled) {
        const Vector3<T> free_u = u_t - a * now.sliding - c * now.rolling;
        const Vector3<T> free_s = s - c * now.sliding - b * now.rolling;
        const T free_omega = omega_n - b * tau_n, inverse_b = T(1.0) / b;
        const auto rolling_from = [&](const Vector3<T>& x) { return -inverse_b * (free_s + c * x); };
        // No rolling: with y eliminated one step is exact.
        const auto still = slide_and_twist(free_u - c * inverse_b * free_s, free_omega, a - c * c * inverse_b,
                                           b, slip_limit, twist_limit);
        const Vector3<T> still_rolling = rolling_from(still.sliding);
        const auto rolls =
            shares & (dot(still_rolling, still_rolling) > roll_limit * roll_limit) & (slip_limit > T(0.0));
        plane = {select(shares, still.sliding, plane.sliding),
                 select(shares, cut(still_rolling, roll_limit), plane.rolling)};
        torsion = select(shares, still.torsion, torsion);
        // Else, from the present value: two exact steps in turn, rolling, then sliding with torsion.
        plane.sliding = select(rolls, now.sliding, plane.sliding);
        for (int i = 0; i < most_cuts && any(rolls); ++i) {
            const Vector3<T> rolling = cut(rolling_from(plane.sliding), roll_limit);
            const auto both =
                slide_and_twist(free_u + c * rolling, free_omega, a, b, slip_limit, twist_limit);
            const Vector3<T> change = both.sliding - plane.sliding;
            const auto moved = rolls & (dot(change, change) > T(1e-30) * slip_limit * slip_limit);
            plane = {select(rolls, both.sliding, plane.sliding), select(rolls, rolling, plane.rolling)};
            torsion = select(rolls, both.torsion, torsion);
            if (!any(moved))
                break;
        }
    }
    return {new_n * n + plane.sliding, torsion * n - cross(n, plane.rolling)};
}

/// The impulse and torque with which the contact alone would obey its laws.
template <LawSet laws, class T>
Reaction<T> relaxed(const ContactProblem<T>& contact, const TorqueOptions& options) {
    const Vector3<T>& n = contact.n;
    const T u_n = dot(contact.u, n), p_n = dot(contact.p, n);
    T new_n;
    if constexpr (laws.cohesion)
        new_n = cohesive_normal(p_n, u_n, contact.c, contact.m_n, contact.strength, contact.pull);
    else
        new_n = larger(p_n - contact.m_n * (u_n + contact.c), T(0.0));
    const T force = pressing<laws>(new_n, contact.strength);
    const Vector3<T> p_t = contact.p - p_n * n;
    Vector3<T> u_t = contact.u - u_n * n;
    Vector3<T> omega = contact.omega;
    if constexpr (laws.rebound) {
        u_t += contact.shift;
        omega += contact.spin_shift;
    }
    if constexpr (laws.torques)
        return with_torques(contact, options, new_n, force, p_t, u_t, omega);
    else
        return {new_n * n + cut(p_t - contact.m_t * u_t, contact.mu * force), contact.tau};
}

/// How far the contact is from its laws, as an impulse: what a relaxation of it alone would change. Zero if
/// and only if it obeys them.
template <LawSet laws, class T>
T distance(const ContactProblem<T>& contact, const TorqueOptions& options, const T& inverse_radius) {
    const Reaction<T> goal = relaxed<laws>(contact, options);
    const Vector3<T> impulse = goal.impulse - contact.p;
    T square = dot(impulse, impulse);
    if constexpr (laws.torques) {
        const Vector3<T> torque = inverse_radius * (goal.torque - contact.tau);
        square += dot(torque, torque);
    }
    return square_root(square);
}

} // namespace tamp::rigid
