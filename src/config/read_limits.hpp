#pragma once

#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/config/section.hpp"
#include "tamp/protocol/stage.hpp"

namespace tamp {

/// The walls as the commands of a stage have left them.
struct StageWalls {
    const std::vector<Wall>& walls;
    bool box_is_known; ///< else those of `boundary = "wall"` are missing
};

/// When a stage ends.
void read_limits(const Section& section, bool soft, const StageWalls& walls, Stage& stage);

/// At a key that names one of these.
void report_unknown_wall(const Section& section, const char* key, const std::string& name,
                         const std::vector<Wall>& walls);

} // namespace tamp
