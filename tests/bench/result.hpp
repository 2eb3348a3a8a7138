#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tamp {

using Json = nlohmann::ordered_json; // keys stay in the order in which they are written

/// What a benchmark found, as one line of JSON for table.py.
inline void print_result(const Json& result) { fmt::print("{}\n", result.dump()); }

} // namespace tamp
