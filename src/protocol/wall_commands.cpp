#include "tamp/protocol/wall_commands.hpp"

namespace tamp {

void apply_command(const WallCommand& command, std::span<Wall> walls) {
    for (Wall& wall : walls)
        if (wall.name == command.wall) {
            const bool was_free = wall.motion == WallMotion::piston;
            wall.motion = command.motion;
            wall.force = command.force;
            if (command.mass > 0)
                wall.mass = command.mass;
            if (command.motion != WallMotion::piston)
                wall.velocity = command.velocity;
            else if (!was_free)
                wall.velocity = {0, 0, 0};
        }
}

} // namespace tamp
