#pragma once

#include <cmath>

#include "tamp/laws/soft/touch.hpp"

/// Attraction at a distance [004 eq. 9-10], from a Lennard-Jones potential. With the distance r between the
/// centres, x = r_0/r and f positive where it pushes apart,
///   f(r) = g(r) - g(r_c) for r < r_c, else 0,  g(r) = -(4 eps/r_0) (6 x^7 - 12 x^13),
///   energy U(r) = u(r) - u(r_c) - g(r_c) (r_c - r),  u(r) = 4 eps (x^12 - x^6),  f = -dU/dr.
/// r_0 and r_c are given in units of a1 + a2 (2 a in the seed). The force is continuous at r_c.
///
/// It acts whether the grains touch or not. At contact the seed adds it to the contact force, with r as it
/// is; so does this law. r_0 should lie so far below a1 + a2 that no contact reaches 2^(1/6) r_0, where the
/// attraction ends. Below r_0/2, where no contact gets, the force stays as at r_0/2.
/// The attraction does not enter friction limits: only what a contact law calls adhesion does.
namespace tamp::soft {

struct VanDerWaals {
    double energy_scale = 0; ///< eps, J
    double range_ratio = 0;  ///< r_0/(a1 + a2), 1
    double cutoff_ratio = 0; ///< r_c/(a1 + a2), 1

    bool acts() const { return energy_scale > 0; }

    /// f, N; `sum_of_radii` is a1 + a2.
    template <class T>
    T force(const T& distance, const T& sum_of_radii) const {
        const T range = larger(range_ratio * sum_of_radii, T(tiny));
        const T x = range / larger(distance, 0.5 * range);
        const T pull = slope(x) - slope(cutoff_x());
        return select(cutoff_ratio * sum_of_radii > distance, 4 * energy_scale / range * pull, T(0.0));
    }

    /// U, J; zero from the cut-off on.
    template <class T>
    T energy(const T& distance, const T& sum_of_radii) const {
        const T range = larger(range_ratio * sum_of_radii, T(tiny));
        const T near = 0.5 * range; // the force is constant below
        const T x = range / larger(distance, near);
        const T to_cutoff = T(1.0) / cutoff_x() - T(1.0) / x; // in units of r_0
        const T depth = potential(x) - potential(cutoff_x()) - slope(cutoff_x()) * to_cutoff;
        const T below = larger(near - distance, T(0.0)) / range * (slope(x) - slope(cutoff_x()));
        return select(cutoff_ratio * sum_of_radii > distance, 4 * energy_scale * (depth + below), T(0.0));
    }

    /// A bound of |df/dr| for overlaps up to `largest_overlap`, N/m. df/dr = (4 eps/r_0^2) (42 x^8 - 156
    /// x^14) has one maximum, at x^6 = 2/13, and falls without bound after it.
    double stiffness(double sum_of_radii, double largest_overlap) const {
        const double range = range_ratio * sum_of_radii, x = range / (sum_of_radii - largest_overlap);
        const auto curvature = [](double at) {
            return std::abs(42 * std::pow(at, 8) - 156 * std::pow(at, 14));
        };
        const double top = std::pow(2.0 / 13, 1.0 / 6), here = curvature(x);
        return 4 * energy_scale / (range * range) * (x > top ? larger(here, curvature(top)) : here);
    }

private:
    double cutoff_x() const { return range_ratio / cutoff_ratio; }

    /// r_0 g/(4 eps)
    template <class T>
    static T slope(const T& x) {
        const T x3 = x * x * x, x6 = x3 * x3;
        return x6 * x * (12 * x6 - 6);
    }
    /// u/(4 eps)
    template <class T>
    static T potential(const T& x) {
        const T x3 = x * x * x, x6 = x3 * x3;
        return x6 * (x6 - 1);
    }
};

} // namespace tamp::soft
