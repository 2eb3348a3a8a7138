#pragma once

#include <cmath>
#include <numbers>

#include "tamp/laws/soft/adhesive_plastic.hpp"
#include "tamp/laws/soft/contact_scales.hpp"
#include "tamp/laws/soft/latching_spring.hpp"
#include "tamp/laws/soft/yielding.hpp"

/// Contact times and restitution of the laws with memory, as in contact_scales.hpp. The laws are taken
/// without their dashpots: what unloading gives back of the energy at the largest overlap decides about the
/// speed after the collision.
namespace tamp::soft {

// Elastic and perfectly plastic spheres.

/// The speed above which a collision leaves a dent: m v_y^2/2 = 2/5 F_y delta_y.
inline double yield_speed(const Yielding& law, double reduced_radius, double m) {
    return std::sqrt(0.8 * law.yield_force(reduced_radius) * law.yield_overlap(reduced_radius) / m);
}

inline double largest_overlap(const Yielding& law, double reduced_radius, double m, double v) {
    const double v_y = yield_speed(law, reduced_radius, m);
    if (v <= v_y)
        return largest_overlap(Hertz{.modulus = law.modulus}, reduced_radius, m, v);
    const double slope = law.plastic_slope(reduced_radius), force = law.yield_force(reduced_radius);
    const double largest_force = std::sqrt(force * force + slope * m * (v * v - v_y * v_y));
    return law.yield_overlap(reduced_radius) + (largest_force - force) / slope;
}

/// The energy at the largest overlap comes back.
template <class Law>
double restitution_by_energy(const Law& law, const Touch<double>& at_largest, double m, double v) {
    const double energy = law.energy(at_largest, at_largest.overlap);
    return energy > 0 ? std::sqrt(2 * energy / m) / v : 0.0;
}

/// The same as Thornton's formula in v_y/v.
inline double restitution(const Yielding& law, double reduced_radius, double m, double v) {
    return restitution_by_energy(law, {largest_overlap(law, reduced_radius, m, v), 0, m, reduced_radius, 0},
                                 m, v);
}

/// Hertz until yield, by quadrature; part of a period on the line; half a Hertz collision on the way back.
inline double contact_time(const Yielding& law, double reduced_radius, double m, double v) {
    const Hertz elastic{.modulus = law.modulus};
    const double v_y = yield_speed(law, reduced_radius, m);
    if (v <= v_y)
        return contact_time(elastic, reduced_radius, m, v);
    const auto inverse_speed = [&](double u) { // at delta = delta_y (1 - u^2), times 2 u
        return 2 * u / std::sqrt(v * v - v_y * v_y * std::pow(1 - u * u, 2.5));
    };
    const int panels = 2000;
    double sum = 0; // Simpson's rule; inverse_speed(0) is 0
    for (int i = 1; i <= panels; ++i)
        sum += inverse_speed(double(i) / panels) * (i == panels ? 1 : i % 2 == 1 ? 4 : 2);
    const double loading = law.yield_overlap(reduced_radius) * sum / (3 * panels);
    const double omega = std::sqrt(law.plastic_slope(reduced_radius) / m);
    const double force = law.yield_force(reduced_radius);
    const double yielding = std::atan2(m * omega * std::sqrt(v * v - v_y * v_y), force) / omega;
    // 2/5 F_m (delta_m - delta_p) is the energy that comes back.
    const double largest = largest_overlap(law, reduced_radius, m, v),
                 back = restitution(law, reduced_radius, m, v) * v;
    const double largest_force =
        force + law.plastic_slope(reduced_radius) * (largest - law.yield_overlap(reduced_radius));
    const double width = 1.25 * m * back * back / largest_force;
    return loading + yielding + 0.5 * hertz_duration() * width / back;
}

// Piecewise linear hysteresis.

/// Both laws load along k_1 delta.
inline double largest_overlap(const LatchingSpring& law, double m, double v) {
    return v * std::sqrt(m / law.k1);
}
inline double largest_overlap(const AdhesivePlastic& law, double m, double v) {
    return v * std::sqrt(m / law.k1);
}

/// sqrt(k_1/K_2)
inline double restitution(const LatchingSpring& law, double m, double v) {
    return std::sqrt(law.k1 / law.unloading_stiffness(largest_overlap(law, m, v)));
}

/// A quarter of a period on each line, until the force ends.
inline double contact_time(const LatchingSpring& law, double m, double v) {
    const double unloading = law.unloading_stiffness(largest_overlap(law, m, v));
    return 0.5 * std::numbers::pi * (std::sqrt(m / law.k1) + std::sqrt(m / unloading));
}

/// 0 where the grains stay together.
inline double restitution(const AdhesivePlastic& law, double mean_radius, double m, double v) {
    return restitution_by_energy(law, {largest_overlap(law, m, v), 0, m, 0, mean_radius}, m, v);
}

/// Loading; unloading on the line of slope k_2' until delta_min; then along -k_c delta until they part.
inline double contact_time(const AdhesivePlastic& law, double mean_radius, double m, double v) {
    if (!(restitution(law, mean_radius, m, v) > 0))
        return forever;
    const double largest = largest_overlap(law, m, v), k1 = law.k1, kc = law.kc;
    const double k_u = law.unloading_stiffness(largest, law.constant_from(mean_radius));
    const double least_at = (k_u - k1) * largest / (k_u + kc), swing = k1 / k_u * largest;
    const double omega = std::sqrt(k_u / m), phase = std::acos((least_at - (largest - swing)) / swing);
    const double speed = swing * omega * std::sin(phase), growth = std::sqrt(kc / m);
    const double parting = kc > 0 ? std::atanh(least_at * growth / speed) / growth : least_at / speed;
    return 0.5 * std::numbers::pi * std::sqrt(m / k1) + phase / omega + parting;
}

} // namespace tamp::soft
