#pragma once

#include <filesystem>
#include <string>

namespace tamp {

/// The path of a file or folder that comes with tamp, for example "share/tamp/report/main.py"; empty if it is
/// missing. It lies beside the executable in a build tree, and one folder up where tamp is installed.
std::filesystem::path find_beside_executable(const std::filesystem::path& part);

/// The places it is looked for, for a message.
std::string places_beside_executable(const std::filesystem::path& part);

} // namespace tamp
