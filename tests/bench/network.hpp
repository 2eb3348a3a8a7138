#pragma once

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// What messages between ranks 0 and 1 cost, in the terms of the model.
struct Network {
    double latency = 0;          ///< s, without the overheads at both ends
    double bandwidth = 0;        ///< B/s
    double message_overhead = 0; ///< s
};

/// By ping-pong with persistent requests, as the exchange uses them; zeros on one rank. Collective.
Network measure_network(const Communicator& world, std::size_t long_message);

} // namespace tamp
