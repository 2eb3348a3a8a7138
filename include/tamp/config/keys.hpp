#pragma once

#include <string>
#include <string_view>

#include "tamp/config/schema.hpp"

namespace tamp {

/// What `tamp keys [SECTION]` prints: a table of the keys of one section and those inside it, or of all
/// sections when the name is empty. The keys above the first section go by the name "top".
/// Throws an InputError for a section that does not exist.
std::string describe_keys(std::string_view section);

/// The name by which `tamp keys` knows a section.
std::string_view shown_name(const SectionSchema& section);

} // namespace tamp
