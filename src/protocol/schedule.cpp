#include "tamp/protocol/schedule.hpp"

#include "tamp/boundaries/region.hpp"

namespace tamp {
namespace {

void follow(const WallCommand& command, double since, World& world) {
    for (std::size_t w = 0; w < world.walls.size(); ++w) {
        Wall& wall = world.walls[w];
        if (wall.name != command.wall)
            continue;
        if (!command.velocity_table.empty())
            (wall.oscillation.any() ? wall.given_velocity : wall.velocity) = command.velocity_table.at(since);
        if (!command.force_table.empty())
            wall.force = command.force_table.at(since);
        if (!command.stress_table.empty())
            wall.force = command.stress_table.at(since) * stress_area(world.box(), world.walls, w);
    }
}

} // namespace

void follow_schedule(const Stage& stage, double since, World& world) {
    if (!stage.gravity.empty())
        world.gravity = stage.gravity.at(since);
    for (const WallCommand& command : stage.walls)
        follow(command, since, world);
}

} // namespace tamp
