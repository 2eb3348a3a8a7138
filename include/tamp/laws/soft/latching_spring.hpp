#pragma once

#include "tamp/laws/soft/touch.hpp"

/// Partially latching spring (Walton, Braun, J. Rheol. 30, 949 (1986); [002 sec. 2.3]):
///   loading     F = k_1 delta,
///   unloading   F = K_2 (delta - delta_0) and reloading up to the largest overlap delta_m, never negative,
///   with        delta_0 = delta_m (1 - k_1/K_2),  K_2 = k_2 + S F_m,  F_m = k_1 delta_m.
/// S = 0 makes K_2 constant, and the restitution e = sqrt(k_1/k_2) is the same at every speed. k_2 = k_1 with
/// S > 0 is the variant of Walton and Braun in which the restitution falls with the speed.
///
/// Surfaces with delta < delta_0 do not touch: there is no force, and no dashpot. The dent delta_0 is
/// forgotten when the contact opens (delta <= 0).
namespace tamp::soft {

struct LatchingSpring {
    double k1 = 0;        ///< loading stiffness, N/m
    double k2 = 0;        ///< unloading stiffness without load, N/m, k2 >= k1
    double growth = 0;    ///< S, 1/m: growth of the unloading stiffness with the largest force
    double viscosity = 0; ///< gamma of a dashpot beside the spring, N s/m

    static constexpr bool has_memory = true;
    bool uses_mass() const { return false; }
    bool uses_radius() const { return false; }

    template <class T>
    NormalForce<T> force(const Touch<T>& touch, T& largest_overlap) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T largest = larger(largest_overlap, delta);
        largest_overlap = select(touch.overlap > T(0.0), largest, T(0.0));
        const T elastic = spring(delta, largest_overlap);
        return {elastic, select(elastic > T(0.0), viscosity * touch.closing_speed, T(0.0)), T(0.0)};
    }

    template <class T>
    T energy(const Touch<T>& touch, const T& largest_overlap) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T largest = larger(largest_overlap, delta);
        const T elastic = select(touch.overlap > T(0.0), spring(delta, largest), T(0.0));
        return 0.5 * elastic * elastic / unloading_stiffness(largest);
    }

    double stiffness(double /*reduced_radius*/, double largest_overlap) const {
        return unloading_stiffness(largest_overlap);
    }

    /// K_2
    template <class T>
    T unloading_stiffness(const T& largest) const {
        return k2 + growth * k1 * largest;
    }

private:
    template <class T>
    T spring(const T& delta, const T& largest) const {
        return larger(k1 * delta - (unloading_stiffness(largest) - k1) * (largest - delta), T(0.0));
    }
};

} // namespace tamp::soft
