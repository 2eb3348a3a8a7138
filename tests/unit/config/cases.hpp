#pragma once

#include <string>
#include <vector>

#include "tamp/base/errors.hpp"
#include "tamp/config/parse_case.hpp"

namespace tamp::test {

/// The shortest case that is valid.
inline const std::string minimal_case = R"([domain]
lower = [0, 0, 0]
upper = [1, 1, 1]
boundary = ["wall", "wall", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.5

[[particles]]
generator = "random"
count = 10
size = {distribution = "mono", diameter = 0.1}

[[stage]]
name = "settle"
steps = 10
)";

/// What the parser says about a bad case; empty if it finds nothing.
inline std::string message_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        parse_case(text, "case.toml", overrides);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

inline Case parse_with(const std::vector<std::string>& overrides, const std::string& text = minimal_case) {
    return parse_case(text, "case.toml", overrides);
}

} // namespace tamp::test
