#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// What is said of a case that runs, but hardly as it was meant: the warnings of its text, particles of files
/// that are fixed and have a velocity, and cohesions that act, but not as their numbers suggest, because of
/// the time step: one without a range [000 sec. 1.8], and one whose range is crossed within a step. Told for
/// particles of mean size, once for every two materials that can meet.
std::vector<std::string> start_warnings(const Case& settings, std::span<const Grain> grains);

} // namespace tamp
