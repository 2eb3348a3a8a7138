#pragma once

#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp {

/// What a rigid case comes to, for people: depth and time scales of its load, how heavy its pistons are, and
/// how steps are solved. Empty for soft grains and where nothing presses.
std::vector<std::string> rigid_outlook(const Case& settings, const StartSizes& sizes);

} // namespace tamp
