#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "tamp/base/pack.hpp"

/// The times that a time step has to resolve [004 sec. 3.1]: the periods 2 pi/omega of the modes of one
/// contact, and the relaxation times m/gamma of its dashpots.
///
/// With inverse masses i1 and i2, radii a1 and a2, and kappa = m a^2/I (5/2 for spheres, 2 for discs), a
/// force changes the velocity that belongs to it by its inverse mass
///   normal    i1 + i2
///   sliding   A = (1 + kappa)(i1 + i2)
///   rolling, torsion   B = kappa a^2 (i1/a1^2 + i2/a2^2),  1/a = 1/a1 + 1/a2,
/// and a sliding force changes the rolling velocity, too, with C = kappa a (i1/a1 - i2/a2) up to its sign. So
/// sliding and rolling springs have two coupled modes, the faster of which has
///   omega^2 = (A k_t + B k_r)/2 + sqrt((A k_t - B k_r)^2/4 + C^2 k_t k_r).
/// A particle with several contacts has shorter periods: with z contacts up to 1/sqrt(z) of these.
namespace tamp::soft {

/// Two bodies in contact. Of a wall, body 1, inverse mass and inverse radius are 0.
struct PairInertia {
    double inverse_mass1 = 0, inverse_mass2 = 1;     ///< 1/kg
    double inverse_radius1 = 0, inverse_radius2 = 1; ///< 1/m
    double kappa = 2.5;                              ///< m a^2/I, 1

    double normal() const { return inverse_mass1 + inverse_mass2; }
    double sliding() const { return (1 + kappa) * normal(); }
    double rolling() const {
        const double one = inverse_mass1 * inverse_radius1 * inverse_radius1;
        const double two = inverse_mass2 * inverse_radius2 * inverse_radius2;
        return kappa * reduced_radius() * reduced_radius() * (one + two);
    }
    double coupling() const {
        return kappa * reduced_radius() * (inverse_mass1 * inverse_radius1 - inverse_mass2 * inverse_radius2);
    }
    double reduced_radius() const { return 1 / (inverse_radius1 + inverse_radius2); }
};

/// One number for each way to move; N/m for springs, N s/m for dashpots. A law that is not used has 0.
struct ModeConstants {
    double normal = 0, sliding = 0, rolling = 0, torsion = 0;
};

/// Seconds; infinite where there is no spring.
struct ContactPeriods {
    double normal, sliding_and_rolling, torsion;

    double shortest() const { return smaller(normal, smaller(sliding_and_rolling, torsion)); }
};

inline ContactPeriods contact_periods(const PairInertia& pair, const ModeConstants& stiffness) {
    const auto period = [](double square) {
        return square > 0 ? 2 * std::numbers::pi / std::sqrt(square)
                          : std::numeric_limits<double>::infinity();
    };
    const double slide = pair.sliding() * stiffness.sliding, roll = pair.rolling() * stiffness.rolling;
    const double both = pair.coupling() * std::sqrt(stiffness.sliding * stiffness.rolling);
    return {period(pair.normal() * stiffness.normal),
            period(0.5 * (slide + roll) + std::hypot(0.5 * (slide - roll), both)),
            period(pair.rolling() * stiffness.torsion)};
}

/// The shortest m/gamma of all dashpots; infinite without any.
inline double shortest_viscous_time(const PairInertia& pair, const ModeConstants& viscosity) {
    const double slide = pair.sliding() * viscosity.sliding, roll = pair.rolling() * viscosity.rolling;
    const double both = pair.coupling() * std::sqrt(viscosity.sliding * viscosity.rolling);
    const double rate = larger(larger(pair.normal() * viscosity.normal, pair.rolling() * viscosity.torsion),
                               0.5 * (slide + roll) + std::hypot(0.5 * (slide - roll), both));
    return rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity();
}

} // namespace tamp::soft
