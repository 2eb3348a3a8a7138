#pragma once

#include <span>
#include <string>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// `strong PARTICLES` or `weak PARTICLES_A_RANK`, then assumptions as `name=value`: the communication of one
/// sweep on 1 to 4096 ranks, counted, and its time on a cluster, predicted. One line of JSON.
void bench_scaling(const Communicator& world, std::span<const std::string> arguments);

} // namespace tamp
