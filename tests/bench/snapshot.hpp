#pragma once

#include <cstdint>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Time and size of a snapshot for several levels of compression, beside the time of a step of 10 sweeps: one
/// line of JSON.
void bench_snapshot(const Communicator& world, std::int64_t particles);

} // namespace tamp
