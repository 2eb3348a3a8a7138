#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Messages of fixed size between the same ranks, again and again: planned once with persistent requests and
/// buffers, so that a round costs no look-up and no allocation. Who packs and unpacks knows what an item is.
class NeighbourExchange {
public:
    struct Message {
        int rank;
        std::vector<std::int32_t> items; ///< indices on this rank
        std::vector<double> buffer;      ///< `width` numbers an item
    };

    NeighbourExchange(const Communicator& communicator, int tag, int width,
                      const std::map<int, std::vector<std::int32_t>>& to,
                      const std::map<int, std::vector<std::int32_t>>& from);
    ~NeighbourExchange();
    NeighbourExchange(NeighbourExchange&&) noexcept = default;
    NeighbourExchange& operator=(NeighbourExchange&&) = delete;

    std::span<Message> outgoing() { return outgoing_; }
    std::span<const Message> outgoing() const { return outgoing_; }
    std::span<const Message> incoming() const { return incoming_; }
    /// Sends the buffers and opens the receives; buffers are not to be touched until `finish`.
    void start();
    void finish();

private:
    std::vector<Message> outgoing_, incoming_;
    std::vector<MPI_Request> requests_;
};

} // namespace tamp
