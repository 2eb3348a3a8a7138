#include "tamp/mpi/neighbour_exchange.hpp"

namespace tamp {
namespace {

std::vector<NeighbourExchange::Message> messages(const std::map<int, std::vector<std::int32_t>>& lists,
                                                 int width) {
    std::vector<NeighbourExchange::Message> result;
    for (const auto& [rank, items] : lists)
        if (!items.empty())
            result.push_back(
                {rank, items, std::vector<double>(items.size() * static_cast<std::size_t>(width))});
    return result;
}

} // namespace

NeighbourExchange::NeighbourExchange(const Communicator& communicator, int tag, int width,
                                     const std::map<int, std::vector<std::int32_t>>& to,
                                     const std::map<int, std::vector<std::int32_t>>& from)
    : outgoing_(messages(to, width)), incoming_(messages(from, width)) {
    for (Message& message : incoming_)
        MPI_Recv_init(message.buffer.data(), static_cast<int>(message.buffer.size()), MPI_DOUBLE,
                      message.rank, tag, communicator.raw(), &requests_.emplace_back());
    for (Message& message : outgoing_)
        MPI_Send_init(message.buffer.data(), static_cast<int>(message.buffer.size()), MPI_DOUBLE,
                      message.rank, tag, communicator.raw(), &requests_.emplace_back());
}

NeighbourExchange::~NeighbourExchange() {
    for (MPI_Request& request : requests_)
        MPI_Request_free(&request);
}

void NeighbourExchange::start() { MPI_Startall(static_cast<int>(requests_.size()), requests_.data()); }

void NeighbourExchange::finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

} // namespace tamp
