#include "tamp/protocol/wall_commands.hpp"

#include "tamp/boundaries/region.hpp"

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

void apply_commands(const Stage& stage, const Box& box, std::span<Wall> walls) {
    for (const WallCommand& command : stage.walls)
        apply_command(command, walls);
    for (const WallCommand& command : stage.walls)
        for (std::size_t w = 0; w < walls.size(); ++w)
            if (command.stress && walls[w].name == command.wall)
                walls[w].force = *command.stress * stress_area(box, walls, w);
}

} // namespace tamp
