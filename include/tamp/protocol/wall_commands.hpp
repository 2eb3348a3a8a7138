#pragma once

#include <span>

#include "tamp/geometry/box.hpp"
#include "tamp/protocol/stage.hpp"

namespace tamp {

/// Tells the wall of that name. A wall that becomes free starts from rest; a piston goes on as it moves.
void apply_command(const WallCommand& command, std::span<Wall> walls);

/// All commands of a stage; then a stress becomes the force on the area that its wall covers.
void apply_commands(const Stage& stage, const Box& box, std::span<Wall> walls);

} // namespace tamp
