#pragma once

#include <vector>

#include "tamp/measure/extremes.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/measure/settings.hpp"

namespace tamp {

/// Probability densities over contacts between particles, without walls: of normal and tangential forces in
/// units of their means, P(f); of the mobilisation of friction; of overlaps. Integer counts, hence the same
/// bits on any number of ranks. Collective.
///
/// With cohesion the forces are in units of the mean magnitude, and their bins begin at minus the largest
/// multiple. Forces beyond the last bin are told as a share: density times width of bins adds up to the rest.
std::vector<Quantity> contact_distributions(const World& world, const View& view, const Extremes& extremes,
                                            const MeasureSettings& settings);

} // namespace tamp
