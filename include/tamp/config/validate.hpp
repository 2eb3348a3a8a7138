#pragma once

#include <string>

#include "tamp/config/document.hpp"
#include "tamp/config/problems.hpp"
#include "tamp/config/schema.hpp"

namespace tamp {

/// What is wrong with one value and what to do about it, as far as the schema can tell; empty if nothing.
/// `dimension` is 0 while it is unknown.
std::string value_fault(const KeySchema& key, const Node& value, int dimension);

/// The same of { time = [...], value = [...] }.
std::string table_fault(const KeySchema& key, const Node& table, int dimension);

/// Checks a whole case against the schema: unknown keys and sections, types, ranges, choices, required
/// keys, and keys that the chosen generator or distribution does not use.
void validate(const Node& root, int dimension, Problems& problems);

} // namespace tamp
