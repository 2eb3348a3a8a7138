#pragma once

#include <string>
#include <string_view>

namespace tamp {

/// More parts of a key, or lists and tables in one another, than any case needs: toml++ and all that reads
/// its tables go down one call a level, and a hundred thousand levels would overrun the stack.
inline constexpr int deepest_level = 16;

/// Where TOML goes deeper than `deepest_level`, and what to do about it; `what` is empty if it does not.
/// Strings and comments do not count. Text that is no TOML may pass: toml++ will say what is wrong with it.
struct TooDeep {
    int line = 0, column = 0;
    std::string what;
};
TooDeep find_too_deep(std::string_view text);

} // namespace tamp
