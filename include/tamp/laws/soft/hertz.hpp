#pragma once

#include <cmath>

#include "tamp/laws/soft/touch.hpp"

/// Elastic spheres after Hertz [002 eq. 1] with the dashpots of [002 eq. 10]:
///   f = K delta^(3/2) + D delta^l |d(delta)/dt|^m sign(d(delta)/dt),  K = 4/3 E* sqrt(R*),
/// with the reduced radius R* = a1 a2/(a1 + a2) and the effective modulus 1/E* = (1 - nu1^2)/E1 +
/// (1 - nu2^2)/E2. For identical spheres R* = R/2 and E* = E/(2 (1 - nu^2)), and K = sqrt(2 R) E/(3 (1 -
/// nu^2)) as in [002 eq. 1].
///
/// The restitution depends on D v^((4 l + 5 m - 6)/5) only, because the largest overlap grows as v^(4/5) and
/// the contact time as v^(-1/5). With m = 1 it rises with the speed for l = 0, is constant for l = 1/4 and
/// falls for l = 1/2 (1 - e ~ v^(1/5)) and for l = 1. [002] calls l = 1/2 constant; but a fixed share of
/// critical damping is D ~ sqrt(dF/d delta) ~ delta^(1/4), which is what `damping_ratio` gives:
///   f_v = 2 z sqrt(m12 dF/d delta) d(delta)/dt,  dF/d delta = 2 E* sqrt(R* delta).
/// With z = sqrt(5/6) b the restitution is e = exp(-pi b/sqrt(1 - b^2)) at every speed (Tsuji, Tanaka, Ishida
/// 1992; Antypov, Elliott 2011). Both dashpots may be used together.
///
/// So that lanes need no power function, l is a multiple of 1/4 and m is one of 1/2, 1 and 2.
namespace tamp::soft {

enum class SpeedExponent { half, one, two };

/// delta^(quarters/4) by square roots and products. `quarters` is the same in all lanes.
template <class T>
T quarter_power(const T& delta, int quarters) {
    T result = T(1.0);
    if (quarters % 4 != 0) {
        const T root = square_root(delta);
        if (quarters & 2)
            result = root;
        if (quarters & 1)
            result = result * square_root(root);
    }
    for (int whole = quarters / 4; whole > 0; --whole)
        result = result * delta;
    return result;
}

template <class T>
T signed_power(const T& speed, SpeedExponent exponent) {
    if (exponent == SpeedExponent::one)
        return speed;
    const T size = larger(speed, -speed);
    if (exponent == SpeedExponent::two)
        return speed * size;
    const T root = square_root(size);
    return select(speed > T(0.0), root, -root);
}

struct Hertz {
    double modulus = 0;                                ///< E*, Pa
    double damping = 0;                                ///< D, N/(m^l (m/s)^m)
    int overlap_quarters = 2;                          ///< 4 l, 0 or more
    SpeedExponent speed_exponent = SpeedExponent::one; ///< m
    double damping_ratio = 0;                          ///< z, 1

    static constexpr bool has_memory = false;
    bool uses_mass() const { return damping_ratio != 0; }
    bool uses_radius() const { return true; }

    template <class T>
    NormalForce<T> force(const Touch<T>& touch, T& largest_overlap) const {
        const auto touching = touch.overlap > T(0.0);
        const T delta = larger(touch.overlap, T(0.0));
        const T slope = 2 * modulus * square_root(touch.reduced_radius * delta);
        largest_overlap = T(0.0);
        T viscous = T(0.0);
        if (damping != 0) // the same in all lanes
            viscous += damping * quarter_power(delta, overlap_quarters) *
                       signed_power(touch.closing_speed, speed_exponent);
        if (damping_ratio != 0)
            viscous += 2 * damping_ratio * square_root(touch.reduced_mass * slope) * touch.closing_speed;
        return {2.0 / 3 * slope * delta, select(touching, viscous, T(0.0)), T(0.0)};
    }

    template <class T>
    T energy(const Touch<T>& touch, const T& /*largest_overlap*/) const {
        const T delta = larger(touch.overlap, T(0.0));
        return 8.0 / 15 * modulus * square_root(touch.reduced_radius * delta) * delta * delta;
    }

    double stiffness(double reduced_radius, double largest_overlap) const {
        return 2 * modulus * std::sqrt(reduced_radius * largest_overlap);
    }
};

} // namespace tamp::soft
