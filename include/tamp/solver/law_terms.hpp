#pragma once

#include "tamp/laws/rigid/cohesion.hpp"
#include "tamp/laws/rigid/hertz.hpp"
#include "tamp/materials/contact_laws.hpp"

namespace tamp {

/// Inputs of the contact laws for one pair, or for a particle and a wall, at the beginning of the step.
struct LawInput {
    double gap = 0;
    Vec3 normal{0, 0, 1};
    Vec3 velocity{0, 0, 0}; ///< of side 2 relative to side 1 at the contact
    Vec3 spin{0, 0, 0};     ///< omega2 - omega1
    rigid::CohesionPartners partners;
    rigid::Bond past = rigid::Bond::none;
};

/// What the laws of a contact come down to in one step.
struct LawTerms {
    double closing_speed = 0;
    rigid::Bond bond = rigid::Bond::none;
    double strength = 0; ///< largest tensile impulse
    double pull = 0;     ///< speed with which tension may close the gap
    Vec3 shift{0, 0, 0}, spin_shift{0, 0, 0};
    rigid::Lever rolling{}, torsion{};
    bool coupled = false; ///< sliding and torsion share a limit
};

LawTerms law_terms(const ContactLaws& laws, const LawInput& input, int dimension, double time_step);

} // namespace tamp
