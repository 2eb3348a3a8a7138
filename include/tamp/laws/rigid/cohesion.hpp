#pragma once

#include "tamp/base/pack.hpp"
#include "tamp/materials/contact_laws.hpp"

/// Cohesion [000 sec. 1.8]: a contact bears tension up to F_C, at zero distance or within a range d_C =
/// E_C/F_C.
///
/// With C = F_C dt and p1 = p_n - m_n (u_n + c), the impulse that just closes the gap, and p0 = p_n - m_n
/// u_n, the one that keeps it:
///   p1 > 0            pushed together: p_n' = p1
///   p1 <= 0 <= p0     the gap narrows, but no force pulls it closed: p_n' = 0
///   -C <= p0 < 0      the contact bears the load where it is: p_n' = p0
///   p0 < -C           it opens against F_C: p_n' = -C.
/// A rebound (c < 0, hence p1 > p0) has p_n' = max(p1, -C): tension may slow it down to its speed.
/// A contact that has opened a little is thus weakened: it is not pulled back, only pushed together again.
/// One that touches (c = 0) has p1 = p0, and the law is Signorini's graph with a part of length F_C on the
/// negative force axis. The same holds for one that was never pulled open and has a gap only because
/// particles turn about each other in finite steps, or by the tolerance of the solver: `pull` = c makes p0 =
/// p1, so that tension closes it.
///
/// Along the lines of the DMT model, p_n + C takes the place of p_n in all friction-like limits.
namespace tamp::rigid {

template <class T>
T cohesive_normal(const T& p_n, const T& u_n, const T& c, const T& m_n, const T& strength, const T& pull) {
    const T keeping = p_n - m_n * (u_n + pull);
    const T closing = p_n - m_n * (u_n + c);
    return larger(closing, smaller(larger(keeping, -strength), T(0.0)));
}

/// What of a pair of particles (or particle and wall) decides about its cohesion.
struct CohesionPartners {
    double reduced_radius = 0; ///< r1 r2/(r1 + r2)
    double mean_mass = 0;      ///< 2/(1/m1 + 1/m2), also of particles that are held fixed
    double gravity = 0;        ///< m/s^2
};

/// F_C
inline double cohesion_force(const Cohesion& cohesion, const CohesionPartners& partners) {
    switch (cohesion.scale) {
    case CohesionScale::force:
        return cohesion.value;
    case CohesionScale::bond:
        return cohesion.value * partners.mean_mass * partners.gravity;
    case CohesionScale::radius:
        break;
    }
    return cohesion.value * partners.reduced_radius;
}

/// d_C
inline double cohesion_range(const Cohesion& cohesion, double force) {
    return cohesion.energy > 0 && force > 0 ? cohesion.energy / force : cohesion.range;
}

/// What a contact knows of its past.
enum class Bond : unsigned char {
    none,
    made, ///< has touched since it was last out of range, and was then pulled open
    held, ///< has touched, and was not pulled open
};

/// Gaps of these shares of the reduced radius are rounding, and what a solver of finite tolerance and finite
/// rotations leave between particles that are held together.
inline constexpr double touching_gap = 1e-6, held_gap = 1e-3;

/// The bond in this step; with any, the contact bears tension.
inline Bond bond_now(Bond past, double gap, double range, double reduced_radius) {
    if (gap <= touching_gap * reduced_radius || (past == Bond::held && gap < held_gap * reduced_radius))
        return Bond::held;
    return past != Bond::none && gap < range ? Bond::made : Bond::none;
}

/// The speed with which tension may close the gap.
inline double pulling_speed(Bond now, double gap, double time_step) {
    return now == Bond::held && gap > 0 ? gap / time_step : 0.0;
}

/// The bond after the step. Who was pushed has touched, also in a rebound.
inline Bond bond_after(Bond now, double p_n, double strength) {
    if (p_n > 1e-9 * strength) // more than the rounding of a force along the surface
        return Bond::held;
    return now != Bond::none && p_n <= -strength * (1 - 1e-9) ? Bond::made : now;
}

/// The largest tensile impulse C of a bonded contact in this step. Where a contact that was pulled open
/// passes the end of its range with `speed`, the force acts in that share of the step only.
inline double cohesion_strength(const Cohesion& cohesion, Bond now, double force, double range, double gap,
                                double speed, double time_step) {
    const double whole = force * (cohesion.impulse_time > 0 ? cohesion.impulse_time : time_step);
    const double way = speed * time_step, left = range - gap;
    return now == Bond::made && way > left ? whole * (left / way) : whole;
}

} // namespace tamp::rigid
