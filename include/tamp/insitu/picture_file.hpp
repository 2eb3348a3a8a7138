#pragma once

#include <cstdint>
#include <string>

namespace tamp {

// A picture is written under another name and renamed when it is whole: programs that watch the folder never
// see half a picture. Functions that can fail return what is wrong; empty: nothing.

/// FOLDER/NAME-00001200.png
std::string picture_path(const std::string& folder, const std::string& name, std::int64_t step);

/// The name to write under; it ends as the file type wants it.
std::string unfinished_path(const std::string& path);

/// Puts the unfinished file into its place if it is a whole PNG, else removes it.
std::string publish_picture(const std::string& path);

/// Removes the unfinished file, if there is one.
void discard_picture(const std::string& path);

} // namespace tamp
