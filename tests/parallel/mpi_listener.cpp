#include "mpi_listener.hpp"

#include <mpi.h>

#include <map>

namespace tamp::test {
namespace {

MpiListener* listener = nullptr;

struct Planned {
    MpiListener::Message message;
    bool send;
};

/// Persistent requests that exist.
std::map<MPI_Request, Planned>& planned() {
    static std::map<MPI_Request, Planned> requests;
    return requests;
}

std::int64_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return std::int64_t{count} * size;
}

} // namespace

MpiListener::MpiListener() { listener = this; }
MpiListener::~MpiListener() { listener = nullptr; }

extern "C" {

int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator,
                  MPI_Request* request) {
    const int result = PMPI_Send_init(buffer, count, type, to, tag, communicator, request);
    planned()[*request] = {{to, tag, bytes_of(count, type)}, true};
    return result;
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator,
                  MPI_Request* request) {
    const int result = PMPI_Recv_init(buffer, count, type, from, tag, communicator, request);
    planned()[*request] = {{from, tag, bytes_of(count, type)}, false};
    return result;
}

int MPI_Startall(int count, MPI_Request* requests) {
    for (int i = 0; listener && i < count; ++i) {
        const Planned& one = planned().at(requests[i]);
        (one.send ? listener->sent : listener->received).push_back(one.message);
    }
    return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request* request) {
    planned().erase(*request);
    return PMPI_Request_free(request);
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm communicator) {
    if (listener) {
        ++listener->reductions;
        listener->reduced_bytes += bytes_of(count, type);
    }
    return PMPI_Allreduce(from, to, count, type, operation, communicator);
}

} // extern "C"

} // namespace tamp::test
