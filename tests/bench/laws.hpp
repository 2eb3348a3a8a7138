#pragma once

#include <cstdint>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Cost of a contact update for each combination of laws, relative to plain friction: one line of JSON.
void bench_laws(const Communicator& world, std::int64_t particles);

} // namespace tamp
