#pragma once

#include <string>
#include <vector>

namespace tamp {

/// What the case inside a file of tamp says about the numbers of that file.
struct StoredInput {
    int dimension = 3;
    std::vector<std::string> materials; ///< names, in the order of their indices
};

/// Reads no more than that: the case may be one that this version would refuse. `path` is the file's, for
/// errors. Throws InputError where the text is not TOML.
StoredInput read_stored_input(const std::string& text, const std::string& path);

} // namespace tamp
