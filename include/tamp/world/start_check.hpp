#pragma once

#include <span>

#include "tamp/boundaries/wall.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// Throws an InputError for a start that contact dynamics cannot begin from: no particles, particles outside
/// the region, sizes that differ too much, or overlaps above `largest_overlap` of a diameter, which it would
/// keep for ever.
void check_start(const Box& box, const MaterialTable& materials, std::span<const Wall> walls,
                 std::span<const Grain> grains, double largest_overlap);

} // namespace tamp
