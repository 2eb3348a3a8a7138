#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "tamp/laws/soft/hertz.hpp"
#include "tamp/laws/soft/linear.hpp"

/// How long a collision lasts and with which share of its speed it ends, for the check of an input and for
/// tests. The mass m is the reduced mass m12, v the relative speed before the collision.
/// hysteretic_scales.hpp has the laws with memory.
namespace tamp::soft {

inline constexpr double forever = std::numeric_limits<double>::infinity();

// Linear spring and dashpot [004 eq. 4-5].

/// z = gamma/(2 sqrt(k m)) for a restitution e: z = -ln e/sqrt(pi^2 + ln^2 e).
inline double damping_ratio_of(double restitution) {
    if (restitution <= 0)
        return 1;
    const double log = std::log(restitution);
    return -log / std::hypot(std::numbers::pi, log);
}

/// t_c = pi/sqrt(k/m - eta^2), eta = gamma/(2 m); an overdamped contact lasts forever.
inline double contact_time(double k, double gamma, double m) {
    const double eta = gamma / (2 * m), square = k / m - eta * eta;
    return square > 0 ? std::numbers::pi / std::sqrt(square) : forever;
}

/// e = exp(-eta t_c)
inline double restitution(double k, double gamma, double m) {
    const double time = contact_time(k, gamma, m);
    return gamma > 0 ? std::exp(-gamma / (2 * m) * time) : 1.0;
}

/// gamma of the law for this mass.
inline double viscosity(const Linear& law, double m) {
    return law.viscosity + 2 * law.damping_ratio * std::sqrt(law.k * m);
}
inline double contact_time(const Linear& law, double m) { return contact_time(law.k, viscosity(law, m), m); }
inline double restitution(const Linear& law, double m) { return restitution(law.k, viscosity(law, m), m); }

// Hertz.

/// The time from touch to parting in units of (largest overlap)/v: 2 int_0^1 dx/sqrt(1 - x^(5/2)) = 2.9432.
inline double hertz_duration() {
    return 0.8 * std::sqrt(std::numbers::pi) * std::tgamma(0.4) / std::tgamma(0.9);
}

/// (5 m v^2/(4 K))^(2/5), without damping.
inline double largest_overlap(const Hertz& law, double reduced_radius, double m, double v) {
    return std::pow(15 * m * v * v / (16 * law.modulus * std::sqrt(reduced_radius)), 0.4);
}

/// [002 eq. 2]: 2.868 (m^2/(R* E*^2 v))^(1/5), without damping.
inline double contact_time(const Hertz& law, double reduced_radius, double m, double v) {
    return hertz_duration() * largest_overlap(law, reduced_radius, m, v) / v;
}

/// z of `Hertz` for a restitution that is the same at all speeds.
inline double hertz_damping_ratio_of(double restitution) {
    return std::sqrt(5.0 / 6) * damping_ratio_of(restitution);
}

/// Restitution with `damping_ratio` alone.
inline double hertz_restitution(double damping_ratio) {
    const double b = damping_ratio / std::sqrt(5.0 / 6);
    return b < 1 ? std::exp(-std::numbers::pi * b / std::sqrt(1 - b * b)) : 0.0;
}

} // namespace tamp::soft
