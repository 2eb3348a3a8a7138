#pragma once

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Collective. Where pictures are drawn by the processor (Mesa), each rank would start a thread for every
/// core of the machine: this gives each its share. A choice in the environment (LP_NUM_THREADS) stays.
void share_cores_for_drawing(const Communicator& communicator);

} // namespace tamp
