#pragma once

#include <cmath>

#include "tamp/laws/soft/touch.hpp"

/// Linear spring and dashpot [004 eq. 3-5]:
///   f = k delta + gamma d(delta)/dt  while delta > 0.
/// A collision lasts t_c = pi/omega with omega^2 = k/m12 - eta^2 and eta = gamma/(2 m12), and its restitution
/// is e = exp(-eta t_c) at every speed.
///
/// The dashpot is given as a viscosity, as a share z of critical damping, or as the sum of both:
///   gamma = viscosity + 2 z sqrt(k m12).
/// With z alone the restitution does not depend on the masses; `damping_ratio_of` in contact_scales.hpp gives
/// z for a wanted e. As in the seed the force may pull at the end of a contact, where the dashpot exceeds the
/// spring.
namespace tamp::soft {

struct Linear {
    double k = 0;             ///< N/m
    double viscosity = 0;     ///< part of gamma that is the same for all masses, N s/m
    double damping_ratio = 0; ///< z, 1

    static constexpr bool has_memory = false;
    bool uses_mass() const { return damping_ratio > 0; }
    bool uses_radius() const { return false; }

    template <class T>
    NormalForce<T> force(const Touch<T>& touch, T& largest_overlap) const {
        const auto touching = touch.overlap > T(0.0);
        largest_overlap = T(0.0);
        T gamma = T(viscosity);
        if (damping_ratio > 0) // the same in all lanes
            gamma += 2 * damping_ratio * std::sqrt(k) * square_root(touch.reduced_mass);
        return {k * larger(touch.overlap, T(0.0)), select(touching, gamma * touch.closing_speed, T(0.0)),
                T(0.0)};
    }

    template <class T>
    T energy(const Touch<T>& touch, const T& /*largest_overlap*/) const {
        const T delta = larger(touch.overlap, T(0.0));
        return 0.5 * k * delta * delta;
    }

    double stiffness(double /*reduced_radius*/, double /*largest_overlap*/) const { return k; }
};

} // namespace tamp::soft
