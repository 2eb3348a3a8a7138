#pragma once

#include "tamp/base/vec3.hpp"

/// Restitution by the formal velocity (u+ + e u-)/(1 + e) [003 eq. 4-6]: Signorini's and Coulomb's laws hold
/// for it in place of the velocity at the end of the step. u- is the velocity at the beginning of the step.
///
/// For the sweep this is a change of data, not of the law: the closing speed c that is allowed becomes e
/// u_n-, a negative number, so that the contact opens at least with e |u_n-|; and a shift e_t u_t- is added
/// to the tangential velocity that friction wants to stop.
///
/// Only impacts rebound: contacts that close within the step, faster than `least_speed`. A contact that is
/// pulled open by other forces, where eq. 4 would let it overlap by e u_n- dt, stays inelastic. A rebound
/// happens in the step in which the gap would close, hence up to |u_n-| dt early.
namespace tamp::rigid {

inline bool rebounds(double gap, double normal_speed, double least_speed, double time_step) {
    return normal_speed < -least_speed && gap < -normal_speed * time_step;
}

/// The speed c with which the contact may close (negative: must open). `normal_speed` is u_n-.
inline double closing_speed(double gap, double normal_speed, double restitution, double least_speed,
                            double time_step) {
    if (restitution > 0 && rebounds(gap, normal_speed, least_speed, time_step))
        return restitution * normal_speed;
    return (gap > 0 ? gap : 0.0) / time_step;
}

/// The shift e_t u_t- of the tangential velocity.
inline Vec3 tangential_shift(double gap, const Vec3& velocity, const Vec3& normal, double restitution,
                             double least_speed, double time_step) {
    const double normal_speed = dot(velocity, normal);
    if (!rebounds(gap, normal_speed, least_speed, time_step))
        return {0, 0, 0};
    return (velocity - normal_speed * normal) * restitution;
}

} // namespace tamp::rigid
