#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tamp/geometry/box.hpp"

namespace tamp {

/// What the case inside a file of tamp says about the numbers of that file.
struct StoredInput {
    int dimension = 3;
    std::vector<std::string> materials; ///< names, in the order of their indices
    std::optional<Box> box{};           ///< none: the case does not tell
};

/// Reads no more than that: the case may be one that this version would refuse. `path` is the file's, for
/// errors. Throws InputError where the text is not TOML.
StoredInput read_stored_input(const std::string& text, const std::string& path);

} // namespace tamp
