#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/particles/generator.hpp"
#include "tamp/solver/settings.hpp"

namespace tamp {

struct OutputSettings {
    std::string directory;          ///< empty: `output/<stem of the case file>`
    std::int64_t series_every = 10; ///< steps between lines of series.csv
};

/// Everything that a case file says, checked: nothing behind this border checks it again.
struct Case {
    std::string title;
    std::string source; ///< effective input as TOML, stored in every file that is written
    std::uint64_t seed = 1;
    Vec3 gravity{0, 0, 0};
    Box box;
    MaterialTable materials;
    std::vector<GeneratorSettings> generators;
    std::vector<Wall> walls; ///< those made by `boundary = "wall"` first: x-, x+, y-, y+, z-, z+
    SolverSettings solver;
    TimeSettings time;
    NeighbourSettings neighbours;
    OutputSettings output;
    std::vector<Stage> stages;
};

} // namespace tamp
