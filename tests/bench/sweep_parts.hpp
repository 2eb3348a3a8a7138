#pragma once

#include <cstdint>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Where the time of a sweep goes on the ranks at hand (computing, exchange, waiting), beside what the model
/// says of the same sweep. More ranks than `cores` are oversubscribed: only CPU time means something then.
/// One line of JSON.
void bench_sweep_parts(const Communicator& world, std::int64_t particles, int cores);

} // namespace tamp
