#pragma once

#include <cstdint>
#include <vector>

#include "tamp/geometry/box.hpp"
#include "tamp/particles/generator.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// The particles of one `random` or `lattice` entry, with the ids first_id, first_id + 1, ... in this order.
/// Depends on the arguments alone: every rank calls it and keeps its share.
///
/// They lie inside the region and do not overlap; where the region spans a periodic box they may reach
/// through its faces, and do not overlap their images either. `count` wins over `fraction`; a lattice with
/// neither fills its region. Throws InputError, with a remedy, when they do not fit or are none.
/// With `is_free` they keep to free places, and a fraction is one of the free part of the region.
std::vector<Grain> generate(const GeneratorSettings& settings, const Box& box, std::uint64_t seed,
                            std::uint64_t first_id, const FreeSpace& is_free = {});

} // namespace tamp
