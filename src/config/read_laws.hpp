#pragma once

#include <string>

#include "tamp/config/section.hpp"
#include "tamp/materials/contact_laws.hpp"

namespace tamp {

/// The contact laws of a [[material]] against itself, or of a [[pair]] with the mean of its two materials,
/// which holds where the pair says nothing (nullptr for a material). Rolling, torsion and cohesion are given
/// as a whole or not at all.
ContactLaws read_laws(const Section& section, bool has_gravity, const ContactLaws* mean);

/// Two materials, for a message about both.
struct TwoMaterials {
    const ContactLaws &a, &b;
    std::string name_a, name_b;
};

/// Reports torques and cohesions of two materials that have no mean, unless their [[pair]], if there is one,
/// gives its own. `section` is where the report points to.
void check_mixable(const Section& section, const Section* pair, const TwoMaterials& materials);

} // namespace tamp
