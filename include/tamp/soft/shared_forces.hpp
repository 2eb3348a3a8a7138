#pragma once

#include <span>

#include "tamp/mpi/neighbour_exchange.hpp"
#include "tamp/soft/force_sums.hpp"

namespace tamp::soft {

// A particle may have contacts on several ranks. Each of them sends the force that it found to all others
// that hold the particle, once a step. Integers add up to the same sum everywhere, in whatever order they
// come: all holders then move the particle alike, and its position and velocity need not be sent.

/// Sends what this rank found for the particles that it shares with others.
void start_exchange(NeighbourExchange& exchange, std::span<const ForceSum> sums);
/// Waits for what the others found, and adds it.
void finish_exchange(NeighbourExchange& exchange, std::span<ForceSum> sums);

} // namespace tamp::soft
