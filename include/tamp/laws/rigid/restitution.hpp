#pragma once

/// Restitution by the formal velocity (u+ + e u-)/(1 + e) [003 eq. 4-6]: Signorini's and Coulomb's laws hold
/// for it in place of the velocity at the end of the step. u- is the velocity at the beginning of the step.
///
/// For the sweep this is a change of data, not of the law: the closing speed c that is allowed becomes e
/// u_n-, a negative number, so that the contact opens at least with e |u_n-|; and shifts e_t u_t- and e_t
/// Omega- are added to the velocities that friction and contact torques want to stop. With one e_t for both,
/// no rebound gains energy, although sliding and rolling are coupled.
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

/// The share e_t of the velocities u_t- and Omega- that is added to what friction wants to stop.
inline double tangential_share(double gap, double normal_speed, double restitution, double least_speed,
                               double time_step) {
    return rebounds(gap, normal_speed, least_speed, time_step) ? restitution : 0.0;
}

} // namespace tamp::rigid
