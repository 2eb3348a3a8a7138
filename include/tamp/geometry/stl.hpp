#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tamp/geometry/triangle.hpp"

namespace tamp {

/// The triangles of an STL file, text or binary, from its bytes. Lengths are as the file gives them.
///
/// Which of the two it is follows from the size and the content: a binary file may well begin with the word
/// "solid". Normals and attributes are skipped, because the corners say it all and many programs write
/// normals that are zero. A text may hold several solids; their triangles follow one another.
///
/// Throws InputError that names the file, the line or the byte, and the remedy, if the file is cut short or
/// malformed, has no triangles, or has coordinates that are not finite.
std::vector<Triangle> read_stl(std::string_view bytes, const std::string& file_name);

} // namespace tamp
