#pragma once

#include <cmath>
#include <numbers>

#include "tamp/base/pack.hpp"
#include "tamp/materials/contact_laws.hpp"

/// Torque limits: mu_t R_n with a fixed length mu_t, or alpha a(R_n) R_n with the radius of the contact area
/// after Hertz [000 eq. 1.43-1.45]. The normal impulse is found first, so that the nonlinear limit is just a
/// number.
namespace tamp::rigid {

/// The lever of a limit is `length + growing root(p_n)` with a cube root for spheres, a square root for
/// discs.
struct Lever {
    double length = 0, growing = 0;
};

/// a = (3 r* R_n/(4 E))^(1/3) for spheres, (4 r* R_n/(pi E))^(1/2) for discs, with R_n = p_n/dt.
inline Lever lever(const TorqueLimit& limit, double reduced_radius, int dimension, double time_step) {
    if (limit.scale == TorqueScale::length)
        return {limit.value, 0};
    if (limit.scale == TorqueScale::ratio)
        return {limit.value * reduced_radius, 0};
    const double factor = reduced_radius / (limit.modulus * time_step);
    return {0, limit.value *
                   (dimension == 3 ? std::cbrt(0.75 * factor) : std::sqrt(4 / std::numbers::pi * factor))};
}

template <class T>
T lever_root(const T& p_n, bool discs) {
    return discs ? square_root(p_n) : cube_root(p_n);
}

} // namespace tamp::rigid
