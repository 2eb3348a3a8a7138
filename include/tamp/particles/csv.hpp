#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tamp/particles/grain.hpp"

namespace tamp {

/// The particles of a table: a line that names the columns, in any order, then a line a particle.
///
///     x, y, z, radius, material     # or diameter; optional: vx vy vz wx wy wz material
///     0, 0, 1.5e-3, 1e-3, glass
///
/// SI units; blank lines and what follows '#' are skipped; in two dimensions z may be missing. Ids are
/// first_id, first_id + 1, ... in the order of the lines. Throws InputError that names file, line and column,
/// and the remedy.
std::vector<Grain> parse_grains_csv(std::string_view text, const std::string& file_name, int dimension,
                                    const std::vector<std::string>& material_names, int default_material,
                                    std::uint64_t first_id);

} // namespace tamp
