#pragma once

#include "tamp/laws/soft/touch.hpp"

/// Cohesion by a force, the counterpart of the rigid law [000 sec. 1.8]: while two grains overlap they
/// attract each other by F_C, whatever their overlap,
///   f = f_spring - F_C,   F_C = F + s a* + b m*,
/// with the reduced radius a* and the reduced mass m*. Along the lines of the DMT model friction limits add
/// F_C to the force. A pair that touches without load rests at the overlap at which the spring bears F_C, and
/// it takes the force F_C to pull it apart. The force begins and ends with the contact at a jump, so that
/// opening and closing dissipates F_C times the overlap at rest at most.
namespace tamp::soft {

struct ConstantCohesion {
    double force = 0;      ///< F, N
    double per_radius = 0; ///< s, N/m
    double per_mass = 0;   ///< b, N/kg

    bool acts() const { return force > 0 || per_radius > 0 || per_mass > 0; }

    /// F_C of a pair that overlaps, else 0.
    template <class T>
    T strength(const Touch<T>& touch) const {
        const T all = force + per_radius * touch.reduced_radius + per_mass * touch.reduced_mass;
        return select(touch.overlap > T(0.0), all, T(0.0));
    }

    template <class T>
    NormalForce<T> added_to(const NormalForce<T>& push, const Touch<T>& touch) const {
        const T pull = strength(touch);
        return {push.elastic - pull, push.viscous, push.adhesion + pull};
    }

    /// What it adds to the elastic energy: the work that it takes to part the grains, with a minus.
    template <class T>
    T energy(const Touch<T>& touch) const {
        return -(strength(touch) * larger(touch.overlap, T(0.0)));
    }
};

} // namespace tamp::soft
