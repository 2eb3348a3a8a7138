#pragma once

#include "tamp/config/section.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/particles/generator.hpp"

namespace tamp {

/// What happens to the particles of a file. `generator` has its path.
void read_placement(const Section& section, int dimension, const MaterialTable& materials,
                    GeneratorSettings& generator);

} // namespace tamp
