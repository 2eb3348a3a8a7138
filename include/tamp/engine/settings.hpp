#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/boundaries/wall.hpp"

namespace tamp {

struct TimeSettings {
    double step = 0;            ///< s; fixed step; 0: adaptive
    double max_step = 1e-3;     ///< s; adaptive: the largest step
    double displacement = 0.05; ///< adaptive: largest move in a step, in smallest diameters
};

/// What tiles cost when they are dealt out anew to the ranks.
enum class BalanceCost {
    measured, ///< the time that their ranks took
    counted,  ///< by their contacts and particles: the same in every run
    never,    ///< tiles stay where they are
};

struct NeighbourSettings {
    double skin = 0; ///< m; 0: chosen at every rebuild from the displacement per step
    double tile = 0; ///< m; wanted tile edge; 0: chosen from the number of particles
    BalanceCost balance = BalanceCost::measured;
};

/// What a stage changes about one wall.
struct WallCommand {
    std::string wall;
    WallMotion motion = WallMotion::fixed;
    Vec3 velocity{0, 0, 0};
    double mass = 0;
    double force = 0;
};

/// One `[[stage]]`: runs until the first of its limits is reached.
struct Stage {
    std::string name;
    std::optional<double> duration; ///< s
    std::optional<std::int64_t> steps;
    std::optional<double> until_speed;    ///< m/s; ends when the fastest particle is slower
    std::optional<double> until_fraction; ///< ends when the volume fraction is reached
    std::vector<WallCommand> walls;
};

} // namespace tamp
