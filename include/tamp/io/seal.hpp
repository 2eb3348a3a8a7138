#pragma once

#include <cstddef>
#include <string>

namespace tamp {

// HDF5 keeps no checksum of its metadata in the format that every reader knows, and may crash on damaged
// ones. A seal is a line of text behind the end of the HDF5 data, where HDF5 does not look: length and hash
// of the first part of the file, to be checked before HDF5 opens it. Tools that change the file drop it.

/// Appends the seal of the first `length` bytes. Returns what is wrong, as safe_file.hpp does.
std::string append_seal(const std::string& path, std::size_t length);

/// Whether the file ends in a seal, be it right or wrong.
bool has_seal(const std::string& path);

/// True if there is a seal that does not match.
bool seal_is_broken(const std::string& path);

} // namespace tamp
