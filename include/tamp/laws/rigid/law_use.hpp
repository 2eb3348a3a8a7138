#pragma once

#include "tamp/laws/rigid/law_set.hpp"
#include "tamp/materials/material.hpp"

namespace tamp::rigid {

/// Which laws any two materials of a case need: what sweeps, memory and neighbour search are laid out for.
struct LawUse {
    LawSet set;
    TorqueOptions options;
    bool restitution = false;

    /// Nothing beyond inelastic friction.
    bool plain() const { return set == LawSet{} && !restitution; }
    /// Whether the gaps of a contact tell a sub-step all that changed. Cohesion and rebounds depend on gaps
    /// and speeds in more ways.
    bool gaps_suffice() const { return !set.cohesion && !set.rebound && !restitution; }
};

LawUse laws_used(const MaterialTable& materials, int dimension);

/// The largest gap at which particles of at least `smallest_radius` still attract each other.
double longest_range(const MaterialTable& materials, double smallest_radius, int dimension, double gravity);

} // namespace tamp::rigid
