#pragma once

#include <string>
#include <vector>

namespace tamp {

/// Top-level keys and sections in which two cases differ, by what a change of them would mean.
struct CaseChanges {
    std::vector<std::string> observing; ///< what is written and when: always possible
    std::vector<std::string> physics;   ///< another run from here on
    std::vector<std::string> structure; ///< what a state was made for: it fits no other
    bool measures = false;              ///< the columns of the series among them
};

/// Both are valid TOML.
CaseChanges compare_cases(const std::string& before, const std::string& after);

} // namespace tamp
