#pragma once

#include "tamp/materials/contact_laws.hpp"

namespace tamp {

// The law between two materials of which only the laws against themselves are known: the geometric mean,
// number by number. So a torque or a cohesion acts between them only if both have it, and a cohesion has an
// energy, a range or an impulse time only if both have that.

/// Whether two limits have a mean: not if one is, say, a length and the other a ratio.
bool mixable(const TorqueLimit& a, const TorqueLimit& b);
/// Whether two cohesions have a mean: not if they are given in different ways, or one has an energy and the
/// other a range.
bool mixable(const Cohesion& a, const Cohesion& b);

/// None if they are not mixable.
TorqueLimit mixed(const TorqueLimit& a, const TorqueLimit& b);
Cohesion mixed(const Cohesion& a, const Cohesion& b);

/// Of the restitution speed the larger one; coupled if both are.
ContactLaws mixed(const ContactLaws& a, const ContactLaws& b);

} // namespace tamp
