#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"

namespace tamp {

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
    std::optional<double> duration{}; ///< s
    std::optional<std::int64_t> steps{};
    std::optional<double> until_speed{};    ///< m/s; ends when the fastest particle is slower
    std::optional<double> until_fraction{}; ///< ends when the volume fraction is reached
    std::vector<WallCommand> walls{};
};

} // namespace tamp
