#pragma once

#include <string>

namespace tamp {

/// Whether this ParaView is of the version whose functions tamp replaces: one in replaced_functions.cpp, some
/// of Python's in python.cpp. They are no part of ParaView's interface, and may mean something else in
/// another version; there ParaView is left as it is.
bool may_replace_functions();

/// What a user of another version should know; empty: nothing.
std::string version_warning();

} // namespace tamp
