#pragma once

#include <vector>

#include "tamp/engine/rigid_engine.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {

/// The particles that this rank owns.
std::vector<Grain> owned_grains(const RigidEngine& engine);

/// The contacts of this rank that carry a force, with their geometry now.
std::vector<ContactRecord> contact_records(const RigidEngine& engine);

} // namespace tamp
