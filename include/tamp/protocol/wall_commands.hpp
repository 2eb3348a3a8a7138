#pragma once

#include <span>

#include "tamp/geometry/box.hpp"
#include "tamp/protocol/stage.hpp"

namespace tamp {

/// Tells one wall. A wall that becomes free starts from rest; a piston goes on as it moves. `time`: when.
void give_motion(const WallCommand& command, double time, Wall& wall);

/// Tells the wall of that name.
void apply_command(const WallCommand& command, std::span<Wall> walls, double time = 0);

/// All commands of a stage; then a stress becomes the force on the area that its wall covers.
void apply_commands(const Stage& stage, const Box& box, std::span<Wall> walls, double time = 0);

} // namespace tamp
