#pragma once

#include "tamp/materials/soft_laws.hpp"

namespace tamp {

/// How a torque limit is given [000 eq. 1.40-1.45].
enum class TorqueScale {
    length, ///< value R_n: `value` is a length, m
    ratio,  ///< value r* R_n with the reduced radius r*
    hertz,  ///< value a R_n with Hertz's contact radius a(R_n) of a contact of modulus `modulus`
};

struct TorqueLimit {
    TorqueScale scale = TorqueScale::length;
    double value = 0;   ///< 0: no torque
    double modulus = 0; ///< hertz: effective modulus E* of the contact, Pa (discs: N/m)

    friend bool operator==(const TorqueLimit&, const TorqueLimit&) = default;
};

/// How the cohesive force F_C of a contact is given.
enum class CohesionScale {
    force,  ///< F_C itself, N
    bond,   ///< times 2 g/(1/m1 + 1/m2) [003 eq. 10]
    radius, ///< times the reduced radius r*, N/m
};

struct Cohesion {
    CohesionScale scale = CohesionScale::force;
    double value = 0; ///< 0: none
    // At most one of the two; none: the force ends where the contact opens.
    double energy = 0; ///< E_C to open a contact, J
    double range = 0;  ///< d_C = E_C/F_C, m
    /// s; above zero the threshold is the impulse F_C impulse_time in every step, however long [003 sec. 4].
    double impulse_time = 0;

    bool has_range() const { return energy > 0 || range > 0; }
    friend bool operator==(const Cohesion&, const Cohesion&) = default;
};

/// What happens where two materials touch.
struct ContactLaws {
    double friction = 0;
    double restitution = 0;
    double tangential_restitution = 0;
    double restitution_speed = 0; ///< m/s; slower impacts are inelastic
    TorqueLimit rolling{}, torsion{};
    /// Sliding and torsion share one limit: (p_t/mu)^2 + (tau_n/mu_n)^2 <= p_n^2.
    bool coupled_torsion = false;
    Cohesion cohesion{};
    SoftLaws soft{}; ///< of the soft engine

    friend bool operator==(const ContactLaws&, const ContactLaws&) = default;
};

} // namespace tamp
