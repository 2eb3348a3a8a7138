#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tamp {

/// The candidate that a misspelt word most likely means, or an empty string when none is close.
/// Upper and lower case count as equal; a swap of two neighbouring letters counts as one mistake.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

} // namespace tamp
