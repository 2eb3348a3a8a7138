#pragma once

#include "tamp/base/pack.hpp"

/// What the normal laws of soft grains take and give.
///
/// Bodies 1 and 2 of a pair overlap by delta = a1 + a2 - |x2 - x1| [004 eq. 2]; n points from 1 to 2. The
/// force f n acts on body 2 and -f n on body 1, so that a positive f pushes apart. Particle i of [004] is
/// body 2 here, and j is body 1.
///
/// A normal law is a struct of parameters with
///   has_memory                   whether it needs the largest overlap that the contact has had,
///   uses_mass(), uses_radius()   whether it reads the reduced mass and the reduced radius of a touch,
///   force(touch, largest)        the force; it brings the memory up to date,
///   energy(touch, largest)       the work that the spring does while it unloads to zero overlap, with the
///                                memory that `force` left. Work put in less this energy is what hysteresis
///                                has dissipated,
///   stiffness(radius, largest)   the largest tangent stiffness of such a contact, for the time step.
/// All of them are templates over T = double or Pack without branches by lane. A lane with delta <= 0 has no
/// contact: its force, its energy and its memory become zero.
namespace tamp::soft {

/// One contact as a normal law sees it.
template <class T>
struct Touch {
    T overlap;        ///< delta, m
    T closing_speed;  ///< d delta/dt, m/s
    T reduced_mass;   ///< m1 m2/(m1 + m2), kg; at a wall m2
    T reduced_radius; ///< a1 a2/(a1 + a2), m; at a wall a2
    T mean_radius;    ///< (a1 + a2)/2, m; at a wall a2
};

/// Result of a normal law. Positive pushes apart.
template <class T>
struct NormalForce {
    T elastic;  ///< from the spring, N; of hysteretic laws the whole spring force
    T viscous;  ///< from the dashpot, N
    T adhesion; ///< >= 0, N: what is added to the force in friction limits, k_c delta in [004]; else 0

    T total() const { return elastic + viscous; }
    /// What Coulomb's law multiplies with the friction coefficient [004 sec. 2.5.1].
    T load() const { return larger(total() + adhesion, T(0.0)); }
};

/// Added to denominators by `larger`, so that lanes without a contact never divide by zero.
inline constexpr double tiny = 1e-200;

} // namespace tamp::soft
