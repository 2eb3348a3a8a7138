#pragma once

#include <span>

#include "tamp/config/case.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Throws an InputError, with the place in the case, for a start whose first step is bound to fail because
/// the neighbour search could not follow it: particles or walls too fast for a fixed time.step, or a cohesion
/// that reaches too far.
void check_first_step(const Case& settings, std::span<const Grain> grains);

} // namespace tamp
