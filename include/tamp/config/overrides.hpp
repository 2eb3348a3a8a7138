#pragma once

#include <map>
#include <string>

#include "tamp/config/problems.hpp"
#include "tamp/config/toml.hpp"

namespace tamp {

/// Which nodes of a table came from the command line, and from which `--set`.
using Origins = std::map<const toml::node*, std::string>;

/// Applies one `--set` string: `solver.tolerance=1e-5`, `stage[0].steps=100`, `stage.settle.steps=100`
/// (an entry by its name), `gravity[2]=-9.81`. The value is TOML; quotes of a string may be left out.
void apply_override(toml::table& root, const std::string& assignment, Origins& origins, Problems& problems);

} // namespace tamp
