#pragma once

#include <span>

#include "tamp/boundaries/wall.hpp"
#include "tamp/config/case.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Throws an InputError, with the place in the case, for growth that is bound to fail: too fast for the time
/// step, to a volume fraction that is there already, or beyond what the box holds. As far as a start tells:
/// how long a stage lasts that waits for something is not known.
void check_growth(const Case& settings, std::span<const Grain> grains, std::span<const Wall> walls);

} // namespace tamp
