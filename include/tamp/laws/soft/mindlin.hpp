#pragma once

#include <cmath>

#include "tamp/laws/soft/friction_spring.hpp"

/// Tangential springs of elastic spheres (Mindlin 1949; Mindlin, Deresiewicz 1953; [002 sec. 3-4]).
///
/// `MindlinSpring`: the stiffness of a contact without slip,
///   k_t = 8 G* sqrt(R* delta),  1/G* = (2 - nu1)/G1 + (2 - nu2)/G2,
/// at the present overlap, with the routine of friction_spring.hpp. As in LAMMPS `mindlin` the displacement
/// xi is stored, and the force is k_t(delta) xi: it falls with the overlap while the contact unloads. A cycle
/// that unloads, slides and loads can gain a little energy by this; heat and energy in a step are those of a
/// spring with the present k_t.
///
/// `WaltonFriction`: one displacement history (Walton, Braun 1986; Walton 1993), which softens towards the
/// Coulomb limit as micro-slip does. With the tangential force T along its own direction t, the displacement
/// ds in a step and the last turning value T* (0 in a new contact),
///   T <- T + K_T ds.t,  K_T = K_0 (1 - (T - T*)/(mu N - T*))^(1/3)  while T grows,
///                       K_T = K_0 (1 - (T* - T)/(mu N + T*))^(1/3)  while T falls,
/// and across t, T <- T + K_0 ds. Then |T| is cut at mu N. When T turns round, T* becomes the present T. This
/// shows by T - T*: T grows away from a T* below it, and falls away from a T* above it. T* is scaled with N;
/// so its memory is T*/(mu N). Where the force passes zero, t and the sign of T* are reversed.
/// One cube root a contact: for a Pack it is computed lane by lane, and dominates the cost.
namespace tamp::soft {

struct MindlinSpring {
    double shear_modulus = 0; ///< G*, Pa
    double viscosity = 0;     ///< part of gamma_t that does not depend on the overlap, N s/m
    double damping_ratio = 0; ///< z: adds 2 z sqrt(m12 k_t) to gamma_t, 1
    CoulombLimits limits{};

    template <class T>
    SpringConstants<T> constants(const Touch<T>& touch) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T k = 8 * shear_modulus * square_root(touch.reduced_radius * delta);
        T gamma = T(viscosity);
        if (damping_ratio > 0) // the same in all lanes
            gamma += 2 * damping_ratio * square_root(touch.reduced_mass * k);
        return {k, select(k > T(0.0), T(1.0) / larger(k, T(tiny)), T(0.0)), gamma};
    }

    template <class T>
    FrictionStep<Vector3<T>, T> step(const Touch<T>& touch, const Vector3<T>& spring,
                                     const Vector3<T>& velocity, const T& load, const T& slips,
                                     const T& dt) const {
        return friction_step(constants(touch), limits, spring, velocity, load, slips, dt);
    }

    double stiffness(double reduced_radius, double largest_overlap) const {
        return 8 * shear_modulus * std::sqrt(reduced_radius * largest_overlap);
    }
};

/// K_0 of Mindlin relative to the normal stiffness of Hertz at the same overlap, for identical spheres: 1
/// for nu = 0, 2/3 for nu = 1/2 [002 sec. 3].
inline double mindlin_ratio(double poisson) { return 2 * (1 - poisson) / (2 - poisson); }

template <class T>
struct WaltonStep {
    Vector3<T> force; ///< on body 2, N; its opposite is the pull that the next step starts from
    T turning;        ///< T*/(mu N), 1
};

struct WaltonFriction {
    double friction = 0; ///< mu, 1

    /// `force` and `turning` are those of the last step, rotated or projected into the tangent plane;
    /// `stiffness` is K_0, `shift` is ds = v_t dt, and `load` is N. Without load all becomes zero.
    template <class T>
    WaltonStep<T> step(const Vector3<T>& force, const T& turning, const T& stiffness, const Vector3<T>& shift,
                       const T& load) const {
        const T zero = T(0.0), one = T(1.0);
        const T limit = friction * larger(load, zero);
        // Where the load has fallen, the force falls with the limit.
        const T before = square_root(dot(force, force)), pull = smaller(before, limit);
        const T way = square_root(dot(shift, shift));
        // A contact without force takes the direction of its motion.
        const Vector3<T> t = select(before > zero, (-one / larger(before, T(tiny))) * force,
                                    (one / larger(way, T(tiny))) * shift);
        const T along = dot(shift, t);
        const auto grows = along > zero, falls = zero > along;
        const T last = turning * limit;
        const auto turns = (grows & (last > pull)) | (falls & (pull > last));
        const T from = select(turns, pull, last);
        const T gone = select(grows, pull - from, from - pull);
        const T whole = select(grows, limit - from, limit + from);
        const T left = larger(one - gone / larger(whole, T(tiny)), zero);
        const T softened = stiffness * cube_root(left);
        const Vector3<T> next = (pull + softened * along) * t + stiffness * (shift - along * t);
        const T size = square_root(dot(next, next));
        const T cut = select(size > limit, limit / larger(size, T(tiny)), one);
        const T ratio = select(limit > zero, from / larger(limit, T(tiny)), zero);
        // Seen along the new direction T* has the other sign where the force passed zero.
        return {-(cut * next), select(zero > dot(next, t), -ratio, ratio)};
    }
};

} // namespace tamp::soft
