#pragma once

#include <span>

#include "tamp/protocol/stage.hpp"

namespace tamp {

/// Tells the wall of that name. A wall that becomes free starts from rest; a piston goes on as it moves.
void apply_command(const WallCommand& command, std::span<Wall> walls);

} // namespace tamp
