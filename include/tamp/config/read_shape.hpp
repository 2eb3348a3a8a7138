#pragma once

#include "tamp/boundaries/wall.hpp"
#include "tamp/config/readers.hpp"

namespace tamp {

/// What a [[wall]] says about its shape and where it stands. False if something that it needs is missing or
/// wrong: that has been reported then, and nothing more can be said about the wall.
bool read_shape(const Section& section, int dimension, Wall& wall);

/// Shapes that are not planes: whether they reach into the box, and grains fit them.
void check_shape(const Section& section, const Wall& wall, const Box& box, const SizeRange& sizes);

} // namespace tamp
