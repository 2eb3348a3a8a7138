#pragma once

#include "tamp/io/state_file.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// What a file says about a state beside its tables; stage and input are left to those who know them.
StateHeader header_of(const World& world);

/// The particles that this rank owns and its contacts that remember something, as a state file holds them.
StateTables state_of(const World& world);

/// The particles alone.
std::vector<Grain> owned_grains(const World& world);

/// What two runs must share: see `state_hash`. Collective.
StateHash state_hash(const World& world);

} // namespace tamp
