#pragma once

#include <vector>

#include "tamp/measure/quantity.hpp"
#include "tamp/measure/settings.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

/// g(r): how many particles have their centre at the distance r of another, over what an ideal gas of the
/// same density would have. Integer counts, hence the same bits on any number of ranks. Collective.
///
/// Counted around a sample of particles that a hash of their ids picks. Walls are kept out: along directions
/// that are not periodic, only particles count as samples whose whole neighbourhood lies between the walls
/// and within the extent of the packing, and the density is that of this extent. Where the box is too small
/// for the range, the range becomes half the shortest periodic length, or a quarter of the shortest other
/// extent; the distances that come with the result say so.
std::vector<Quantity> pair_correlation(const World& world, const View& view, const MeasureSettings& settings);

} // namespace tamp
