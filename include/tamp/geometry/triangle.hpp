#pragma once

#include <array>

#include "tamp/base/vec3.hpp"

namespace tamp {

/// Three corners. Surfaces of triangles have two sides, so that the order of the corners has no meaning.
using Triangle = std::array<Vec3, 3>;

} // namespace tamp
