#pragma once

#include <cmath>
#include <numbers>

#include "tamp/laws/soft/touch.hpp"

/// Elastic and perfectly plastic spheres (Thornton, J. Appl. Mech. 64, 383 (1997); [002 sec. 2.3]).
///
/// Loading follows Hertz until the largest contact pressure 2 E* a/(pi R*), with the contact radius
/// a = sqrt(R* delta), reaches the limit p_y. This happens at
///   delta_y = R* (pi p_y/(2 E*))^2,  F_y = pi^3 R*^2 p_y^3/(6 E*^2).
/// With p_y = 1.6 Y this is F_y = 21.2 R*^2 Y^3/E*^2, which is [002 eq. 9] for a sphere on a hard plane:
/// the scan reads F_y = 21 R^2 ((1 - nu^2)/E)^2 Y^3. More load is linear, with the slope of Hertz at yield:
///   F = F_y + pi R* p_y (delta - delta_y).
/// Unloading and reloading up to the largest overlap delta_m follow Hertz with a larger radius R_p that gives
/// the same contact radius a_m at the largest force F_m:
///   F = 4/3 E* sqrt(R_p) (delta - delta_p)^(3/2),  R_p = 4 E* a_m^3/(3 F_m),
///   delta_m - delta_p = a_m^2/R_p = 3 F_m/(4 E* a_m),
/// hence F = F_m r^(3/2) with r = (delta - delta_p)/(delta_m - delta_p). Without yield delta_p = 0 and R_p =
/// R*, so one formula serves for both. Surfaces with delta < delta_p do not touch: there is no force, and no
/// dashpot.
namespace tamp::soft {

struct Yielding {
    double modulus = 0;        ///< E*, Pa
    double yield_pressure = 0; ///< p_y, Pa; about 1.6 times the yield strength
    double viscosity = 0;      ///< gamma of a dashpot beside the spring, N s/m

    static constexpr bool has_memory = true;
    bool uses_mass() const { return false; }
    bool uses_radius() const { return true; }

    double yield_overlap(double reduced_radius) const {
        const double pressure = std::numbers::pi * yield_pressure / (2 * modulus);
        return reduced_radius * pressure * pressure;
    }
    double yield_force(double reduced_radius) const {
        return 2.0 / 3 * plastic_slope(reduced_radius) * yield_overlap(reduced_radius);
    }
    double plastic_slope(double reduced_radius) const {
        return std::numbers::pi * reduced_radius * yield_pressure;
    }

    template <class T>
    NormalForce<T> force(const Touch<T>& touch, T& largest_overlap) const {
        const auto touching = touch.overlap > T(0.0);
        const Unloading<T> curve = unloading(touch, largest_overlap);
        largest_overlap = select(touching, curve.largest, T(0.0));
        const T elastic = select(touching, curve.force, T(0.0));
        return {elastic, select(elastic > T(0.0), viscosity * touch.closing_speed, T(0.0)), T(0.0)};
    }

    template <class T>
    T energy(const Touch<T>& touch, const T& largest_overlap) const {
        const Unloading<T> curve = unloading(touch, largest_overlap);
        return select(touch.overlap > T(0.0), 0.4 * curve.force * curve.height, T(0.0));
    }

    /// The slope 2 E* a_m at the beginning of unloading.
    double stiffness(double reduced_radius, double largest_overlap) const {
        return 2 * modulus * std::sqrt(reduced_radius * largest_overlap);
    }

private:
    template <class T>
    struct Unloading {
        T largest, force;
        T height; ///< delta - delta_p, or 0
    };

    template <class T>
    Unloading<T> unloading(const Touch<T>& touch, const T& largest_overlap) const {
        const T delta = larger(touch.overlap, T(0.0));
        const T largest = larger(largest_overlap, delta);
        const T yield = yield_overlap(1) * touch.reduced_radius;
        const T slope = plastic_slope(1) * touch.reduced_radius;
        const T stiff = 4.0 / 3 * modulus * square_root(touch.reduced_radius * largest);
        const T largest_force = select(largest > yield, slope * (largest - 1.0 / 3 * yield),
                                       stiff * largest); // F_y = 2/3 slope delta_y
        const T width = largest_force / larger(stiff, T(tiny));
        const T ratio = larger(T(1.0) - (largest - delta) / larger(width, T(tiny)), T(0.0));
        return {largest, largest_force * ratio * square_root(ratio), ratio * width};
    }
};

} // namespace tamp::soft
