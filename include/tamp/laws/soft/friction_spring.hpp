#pragma once

#include "tamp/laws/soft/touch.hpp"

/// Friction by a spring with a dashpot: one routine for sliding, rolling and torsion [004 eq. 21-25].
///
/// The spring xi lies in the tangent plane (sliding, rolling) or is a number along n (torsion). In each step
///   xi  <- rotated or projected into the present tangent plane                       [eq. 21]
///   xi  <- xi + v dt                                                                 [eq. 23]
///   f_0  = -k xi - gamma v                                                           [eq. 22]
///   |f_0| <= limit:  sticks, f = f_0
///   |f_0| >  limit:  slips,  f = mu_d N t,  xi <- -(mu_d N/k) t,  t = f_0/|f_0|      [eq. 24-25]
/// with N = max(0, f_n + adhesion). A contact that sticks has the limit mu_s N, one that slips has mu_d N
/// until its test force falls below it; one bit remembers which.
///
/// The seed adds v dt at the end of a step, for use in the next one. Here the same increment is added at the
/// beginning: with positions x_n and velocities v_(n-1/2) of the leapfrog, xi + v dt is the spring at x_n.
/// One step of delay would act as a dashpot of -k dt and feed energy to the contact; and a contact that
/// slides steadily with gamma = 0 would seem to stick in every second step.
///
/// After a slip eq. 24 gives the spring all of the Coulomb force, also the part that the dashpot bore. This
/// stretches a spring without work: with gamma > 0 a slow oblique impact can gain energy. Other programs
/// leave out what the dashpot bears, xi <- -(mu_d N t + gamma v)/k, which avoids this as long as gamma |v| <=
/// mu_d N; `dashpot_kept` = 1 does so.
///
/// Heat: with the spring xi before and xi' after the step, the contact takes up the work
///   W = (k (xi + xi')/2 + g).v dt,  g = -f - k xi' what the dashpot bears,
/// of which k (xi'^2 - xi^2)/2 is stored, g.v dt is viscous heat and k (xi + xi')/2.(xi + v dt - xi') is heat
/// of the slip. With gamma > 0 and eq. 24 the latter is negative in a step that lengthens the spring.
namespace tamp::soft {

/// Stiffness, its inverse (0 without a spring) and viscosity, by lane where they depend on the overlap.
template <class T>
struct SpringConstants {
    T stiffness;  ///< k, N/m
    T compliance; ///< 1/k, m/N
    T viscosity;  ///< gamma, N s/m
};

/// V is Vector3<T> for sliding and rolling, T for torsion.
template <class V, class T>
struct FrictionStep {
    V force;                   ///< force or quasi-force on body 2, N
    V spring;                  ///< xi', m
    T slips;                   ///< 1 while it slips, 0 while it sticks
    T slip_heat, viscous_heat; ///< dissipated in this step, J
};

struct CoulombLimits {
    double friction = 0;      ///< mu_s, 1
    double dynamic_ratio = 1; ///< phi_d = mu_d/mu_s, 1
    double dashpot_kept = 0;  ///< 0: [004 eq. 24]; 1: the spring after a slip leaves room for the dashpot
};

template <class T>
T inner(const Vector3<T>& a, const Vector3<T>& b) {
    return dot(a, b);
}
inline double inner(double a, double b) { return a * b; }
inline Pack inner(Pack a, Pack b) { return a * b; }

/// Zero, of the type of `like`.
template <class T>
Vector3<T> none(const Vector3<T>& /*like*/) {
    return {T(0.0), T(0.0), T(0.0)};
}
inline double none(double /*like*/) { return 0; }
inline Pack none(Pack /*like*/) { return 0.0; }

/// One step. `load` is N; without load (also: without a contact) force, spring and memory become zero, and
/// the energy of the spring becomes heat. `dt` is the time in which `velocity` moved the pair to its present
/// place: in the first step of a contact it may be the part of the step after the touch.
template <class V, class T>
FrictionStep<V, T> friction_step(const SpringConstants<T>& constants, const CoulombLimits& limits,
                                 const V& spring, const V& velocity, const T& load, const T& slips,
                                 const T& dt) {
    const V stretched = spring + dt * velocity;
    const V dashpot = constants.viscosity * velocity;
    const V pull = constants.stiffness * stretched + dashpot; // -f_0
    const T static_limit = limits.friction * load;
    T dynamic_limit = static_limit, limit = static_limit;
    if (limits.dynamic_ratio < 1) { // the same in all lanes
        dynamic_limit = limits.dynamic_ratio * static_limit;
        limit = select(slips > T(0.5), dynamic_limit, static_limit);
    }
    const T square = inner(pull, pull);
    const auto loaded = load > T(0.0);
    const auto now_slips = (square > limit * limit) & loaded;
    // Lanes without a contact get zeros, with a plus sign: they remember no bit.
    FrictionStep<V, T> result{-pull, stretched, T(0.0), T(0.0), T(0.0)};
    if (any(now_slips)) { // roots and quotients only where they are needed
        const V cut = (dynamic_limit / larger(square_root(square), T(tiny))) * pull;
        const V after = constants.compliance * (cut - limits.dashpot_kept * dashpot);
        result.force = select(now_slips, -cut, result.force);
        result.spring = select(now_slips, after, result.spring);
        result.slips = select(now_slips, T(1.0), T(0.0));
    }
    result.force = select(loaded, result.force, none(spring));
    result.spring = select(loaded, result.spring, none(spring));
    const V mean = 0.5 * constants.stiffness * (spring + result.spring);
    result.slip_heat = inner(mean, stretched - result.spring);
    const V borne = -result.force - constants.stiffness * result.spring;
    result.viscous_heat = inner(borne, velocity) * dt;
    return result;
}

/// Linear spring, the same for all contacts of a pair of materials.
struct FrictionSpring {
    double stiffness = 0;   ///< k_t, k_r or k_o, N/m
    double viscosity = 0;   ///< gamma_t, gamma_r or gamma_o, N s/m
    CoulombLimits limits{}; ///< mu, mu_r or mu_o, and phi_d

    template <class T>
    SpringConstants<T> constants() const {
        return {T(stiffness), T(stiffness > 0 ? 1 / stiffness : 0.0), T(viscosity)};
    }

    template <class V, class T>
    FrictionStep<V, T> step(const V& spring, const V& velocity, const T& load, const T& slips,
                            const T& dt) const {
        return friction_step(constants<T>(), limits, spring, velocity, load, slips, dt);
    }

    /// Energy of the spring, J.
    template <class V>
    auto energy(const V& spring) const {
        return 0.5 * stiffness * inner(spring, spring);
    }
};

/// The part of the spring in the tangent plane [eq. 21].
template <class T>
Vector3<T> project(const Vector3<T>& spring, const Vector3<T>& n) {
    return spring - dot(spring, n) * n;
}

/// The spring turned into the tangent plane: projected, with its old length.
template <class T>
Vector3<T> rotate(const Vector3<T>& spring, const Vector3<T>& n) {
    const Vector3<T> flat = project(spring, n);
    const T before = dot(spring, spring), after = dot(flat, flat);
    return select(after > T(tiny), square_root(before / larger(after, T(tiny))), T(1.0)) * flat;
}

} // namespace tamp::soft
