#pragma once

#include <string>
#include <string_view>

namespace tamp {

/// Text from a file or a command line for a message: what a terminal would obey instead of showing (escape
/// codes, line ends, NUL) is written as \xNN.
std::string printable(std::string_view text);

/// The same in quotes, cut if it is long.
std::string in_quotes(std::string_view text);

} // namespace tamp
