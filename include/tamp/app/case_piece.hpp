#pragma once

#include <cstdint>

#include "tamp/app/engine_cost.hpp"
#include "tamp/app/start.hpp"

namespace tamp {

/// A small case like a large one.
struct CasePiece {
    Case settings;
    Start start;
    Enlargement enlargement; ///< from the piece to the case
};

/// A corner of the packing with about `particles` of its grains, or all of it if it hardly has more. Box,
/// walls and what is filled shrink by one factor s, grains keep their sizes. Times and speeds shrink by
/// sqrt(s), so that gravity and loads move the piece through all that happens to the whole. What is
/// remembered of contacts is left out.
CasePiece piece_of(const Case& settings, const Start& start, std::int64_t particles);

} // namespace tamp
