#pragma once

#include "tamp/protocol/stage.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// What a stage changes while it runs: gravity, and what walls with a table are told. `since`: s, from the
/// begin of the stage to that of the next step, in which the values then hold. It knows no past: a run that
/// goes on in the middle of a table gets the same values.
void follow_schedule(const Stage& stage, double since, World& world);

} // namespace tamp
