#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Of a packing that is not deep, s.
double longest_rigid_step(const Case& settings, std::span<const Grain> grains);

/// What a rigid case comes to, for people: depth and time scales of its load, how heavy its pistons are, and
/// how steps are solved. Empty for soft grains and where nothing presses.
std::vector<std::string> rigid_outlook(const Case& settings, std::span<const Grain> grains);

} // namespace tamp
