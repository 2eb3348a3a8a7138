#include "tamp/protocol/wall_commands.hpp"

#include "tamp/boundaries/region.hpp"

namespace tamp {

void give_motion(const WallCommand& command, double time, Wall& wall) {
    const bool was_free = wall.motion == WallMotion::piston, turned = wall.motion == WallMotion::turning;
    const bool free = command.motion == WallMotion::piston;
    wall.motion = command.motion;
    wall.force = command.force;
    if (command.mass > 0)
        wall.mass = command.mass;
    if (!free)
        wall.velocity = command.velocity;
    else if (!was_free)
        wall.velocity = {0, 0, 0};
    wall.most_speed = command.speed_limit;
    wall.given_velocity = {0, 0, 0};
    if (free) // nothing along the normal, where the solve decides
        wall.given_velocity = command.shear_velocity - dot(command.shear_velocity, wall.normal) * wall.normal;
    wall.oscillation = command.oscillation;
    if (wall.oscillation.any()) {
        wall.oscillation.begin = time;
        wall.given_velocity = command.velocity;
    }
    wall.rotation.moment = command.moment;
    if (!(turned && command.motion == WallMotion::turning))
        wall.rotation.speed = command.rotation_speed;
}

void apply_command(const WallCommand& command, std::span<Wall> walls, double time) {
    for (Wall& wall : walls)
        if (wall.name == command.wall)
            give_motion(command, time, wall);
}

void apply_commands(const Stage& stage, const Box& box, std::span<Wall> walls, double time) {
    for (const WallCommand& command : stage.walls)
        apply_command(command, walls, time);
    for (const WallCommand& command : stage.walls)
        for (std::size_t w = 0; w < walls.size(); ++w)
            if (command.stress && walls[w].name == command.wall)
                walls[w].force = *command.stress * stress_area(box, walls, w);
}

} // namespace tamp
