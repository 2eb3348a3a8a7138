#include "network.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace tamp {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Half of the best round trip of `bytes`, after some to warm up. Only ranks 0 and 1 take part.
double one_way(const Communicator& world, std::size_t bytes) {
    std::vector<char> out(bytes, 1), in(bytes, 0);
    std::array<MPI_Request, 2> requests{};
    const int partner = 1 - world.rank();
    MPI_Recv_init(in.data(), static_cast<int>(bytes), MPI_CHAR, partner, 1, world.raw(), &requests[0]);
    MPI_Send_init(out.data(), static_cast<int>(bytes), MPI_CHAR, partner, 1, world.raw(), &requests[1]);
    double best = 1e300;
    for (int block = 0; block < 40; ++block) {
        constexpr int rounds = 20;
        const double begin = now();
        for (int i = 0; i < rounds; ++i) {
            MPI_Start(&requests[0]);
            if (world.rank() == 0)
                MPI_Start(&requests[1]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            if (world.rank() == 1)
                MPI_Start(&requests[1]);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        }
        best = std::min(best, (now() - begin) / (2 * rounds));
    }
    for (MPI_Request& request : requests)
        MPI_Request_free(&request);
    return best;
}

/// Seconds a message where many small ones are started and finished together, at either end.
double burst(const Communicator& world) {
    constexpr int count = 64;
    std::array<double, count> numbers{};
    std::array<MPI_Request, count> requests{};
    for (std::size_t i = 0; i < count; ++i) {
        if (world.rank() == 0)
            MPI_Send_init(&numbers[i], 1, MPI_DOUBLE, 1, 2, world.raw(), &requests[i]);
        else
            MPI_Recv_init(&numbers[i], 1, MPI_DOUBLE, 0, 2, world.raw(), &requests[i]);
    }
    double best = 1e300, token = 0;
    for (int block = 0; block < 100; ++block) {
        // Neither end before the other is ready.
        MPI_Sendrecv_replace(&token, 1, MPI_DOUBLE, 1 - world.rank(), 3, 1 - world.rank(), 3, world.raw(),
                             MPI_STATUS_IGNORE);
        const double begin = now();
        MPI_Startall(count, requests.data());
        MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
        best = std::min(best, (now() - begin) / count);
    }
    for (MPI_Request& request : requests)
        MPI_Request_free(&request);
    return best;
}

} // namespace

Network measure_network(const Communicator& world, std::size_t long_message) {
    Network network;
    if (world.size() > 1 && world.rank() < 2) {
        const double brief = one_way(world, 8), lengthy = one_way(world, long_message);
        network.message_overhead = burst(world);
        network.latency = std::max(0.0, brief - 2 * network.message_overhead);
        network.bandwidth = static_cast<double>(long_message) / std::max(1e-12, lengthy - brief);
    }
    world.barrier();
    network.latency = world.max(network.latency);
    network.bandwidth = world.max(network.bandwidth);
    network.message_overhead = world.max(network.message_overhead);
    return network;
}

} // namespace tamp
