#pragma once

#include <vector>

#include "tamp/measure/quantity.hpp"
#include "tamp/measure/view.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Numbers that describe the whole packing beside `Measures`, each a single number: stress, fabric,
/// coordination, contacts, bonds, energies and walls. Their names and their order depend on the case alone.
/// The same bits on any number of ranks. Collective.
std::vector<Quantity> packing_quantities(const World& world, const View& view);

} // namespace tamp
