#pragma once

#include "tamp/base/random.hpp"
#include "tamp/particles/generator.hpp"

namespace tamp {

/// One diameter in [smallest_diameter, largest_diameter]. `normal` and `lognormal` draw again while the
/// result lies outside the cut, at most 1000 times, and then take the nearer end of the cut: a cut that
/// leaves a thousandth of the distribution still keeps its shape, one far out in a tail yields its end.
double sample_diameter(const SizeDistribution& size, Random& random);

double smallest_diameter(const SizeDistribution& size);
double largest_diameter(const SizeDistribution& size);

} // namespace tamp
