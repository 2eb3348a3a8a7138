#pragma once

#include <cstdint>
#include <span>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// The value that `larger` of all values over all ranks exceed, ties counted apart: 0 is the maximum. Exactly
/// one of the values, hence the same bits on any number of ranks. `larger` is less than the number of values;
/// no value is NaN. Collective: a few messages of integers, whatever the number of values.
double kth_largest(const Communicator& communicator, std::span<const double> values, std::int64_t larger);

} // namespace tamp
