#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tamp {

// Files that appear whole or not at all: written aside as `path.partial`, flushed to the disk, renamed. One
// process calls these; they return what is wrong (empty: nothing), because all ranks must hear of it before
// one throws.

std::string partial_path(const std::string& path);

/// Makes the partial file with these first bytes and room for `total` bytes, so that a full disk or quota is
/// met here and not in the middle of a collective write.
std::string reserve_partial(const std::string& path, std::span<const std::byte> beginning, std::size_t total);

/// Puts the partial file, safely on the disk, in the place of `path`.
std::string publish_partial(const std::string& path);

/// All of a small file at once.
std::string write_whole(const std::string& path, std::span<const std::byte> bytes);

/// Room for so many bytes behind the end of a file, for a library that cuts off what it does not need. Also
/// tries to write where the file ends now, for limits that forbid that.
std::string reserve_behind(const std::string& path, std::size_t bytes);

void discard_partial(const std::string& path);

/// Says whether this process can open the file for reading and writing.
std::string probe_partial(const std::string& path);

/// "cannot write FILE: REASON. REMEDY" for an errno.
std::string writing_problem(const std::string& path, int error);

} // namespace tamp
