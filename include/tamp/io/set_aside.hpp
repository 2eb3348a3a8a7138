#pragma once

#include <string>

namespace tamp {

/// Gives a file another name beside its own, one that is free: nothing is lost. Returns the new path, or
/// nothing where there was no such file or it could not be renamed. One process calls.
std::string set_aside(const std::string& path, const std::string& suffix);

} // namespace tamp
