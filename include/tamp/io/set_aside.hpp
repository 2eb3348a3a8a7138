#pragma once

#include <string>

namespace tamp {

/// Gives a file another name beside its own, one that is free: nothing is lost. Returns the new path, or
/// nothing where there was no such file; a FileError if it cannot be done. One process calls.
std::string set_aside(const std::string& path, const std::string& suffix);

/// The same with a copy.
std::string keep_copy(const std::string& path, const std::string& suffix);

} // namespace tamp
