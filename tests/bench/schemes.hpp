#pragma once

#include <cstdint>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Both schemes of sweeps on the ranks at hand, from the same packing: sweeps that a step needs from nothing
/// and from the step before, time of a sweep, messages. One line of JSON.
void bench_schemes(const Communicator& world, std::int64_t particles);

} // namespace tamp
