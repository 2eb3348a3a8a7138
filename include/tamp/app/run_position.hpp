#pragma once

#include <span>

#include "tamp/io/checkpoint_file.hpp"
#include "tamp/protocol/stop_conditions.hpp"

namespace tamp {

// What a checkpoint has of the course of a run, beside its world.

/// Of the present stage, as its limits know it.
StageMemory memory_of(const RunPosition& position);
void remember(const StageMemory& memory, RunPosition& position);

/// Whether no stage so far, the present one included, has changed gravity: it is then that of the case, also
/// where the case was changed when the run went on.
bool gravity_is_of_case(std::span<const Stage> stages, const RunPosition& position);

/// A leg with the block scheme, whose results depend on the number of ranks.
void note_block_ranks(std::int64_t ranks, RunPosition& position);

} // namespace tamp
