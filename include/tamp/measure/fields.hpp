#pragma once

#include <array>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/measure/quantity.hpp"

namespace tamp {

/// Space cut into equal cells; one layer of cells in two dimensions.
struct FieldGrid {
    Vec3 lower{0, 0, 0}, upper{1, 1, 1};
    Int3 cells{1, 1, 1};
};

/// Coarse-grained quantities on a grid, the same on every rank. Shapes are {nz, ny, nx}, or {nz, ny, nx, k}
/// with k components.
struct Fields {
    FieldGrid grid;
    std::vector<Quantity> values;
};

/// What `coarse_grained` makes; displacement only where it is followed.
inline constexpr std::array field_names{"volume_fraction", "velocity",     "displacement",
                                        "temperature",     "coordination", "contact_stress"};

} // namespace tamp
