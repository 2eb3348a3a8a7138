#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamp/measure/view.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// How the values of a quantity are spread over all ranks. Colours follow from it: a range of each rank's own
/// would give every rank its own colours.
struct ColourRange {
    std::string name;
    double lowest = 0, highest = 0;
    double low = 0,
           high = 0; ///< 1 % of the values are below, 1 % above: a few extremes must not wash out the rest
    double mean = 0; ///< of the magnitudes
};

/// A quantity with a value for each particle or contact of this rank.
struct ColourColumn {
    std::string name;
    std::span<const double> values;
};

/// Collective. The same bits on any number of ranks, and independent of the order of values; zeros where
/// there are no values. Values that are not finite are left out.
std::vector<ColourRange> colour_ranges(const Communicator& communicator,
                                       std::span<const ColourColumn> columns);

} // namespace tamp
