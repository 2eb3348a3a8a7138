#pragma once

#include <cstdint>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// Position of a tile on Hilbert's curve through a cube (or square) of 2^bits tiles a side: neighbours on the
/// curve are neighbours in space, so that a piece of the curve is a compact domain. Skilling, "Programming
/// the Hilbert curve", AIP Conf. Proc. 707 (2004).
std::uint64_t hilbert_index(Int3 tile, int dimension, int bits);

} // namespace tamp
