#include "tamp/mpi/sparse_exchange.hpp"

#include <petscsys.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tamp::detail {

namespace {

constexpr int payload_tag = 7101;

} // namespace

std::vector<Parcel> announce(const Communicator& communicator, const std::vector<Parcel>& out) {
    std::vector<PetscMPIInt> to_ranks;
    std::vector<std::int64_t> to_bytes;
    for (const auto& parcel : out) {
        to_ranks.push_back(parcel.rank);
        to_bytes.push_back(static_cast<std::int64_t>(parcel.bytes));
    }
    PetscMPIInt count = 0;
    PetscMPIInt* from_ranks = nullptr;
    std::int64_t* from_bytes = nullptr;
    const auto error =
        PetscCommBuildTwoSided(communicator.raw(), 1, MPI_INT64_T, static_cast<PetscMPIInt>(out.size()),
                               to_ranks.data(), to_bytes.data(), &count, &from_ranks, &from_bytes);
    if (error)
        throw std::runtime_error("sparse_exchange: PetscCommBuildTwoSided failed with PETSc error " +
                                 std::to_string(error));
    std::vector<Parcel> in;
    in.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        in.push_back({from_ranks[i], nullptr, static_cast<std::size_t>(from_bytes[i])});
    // Neither can fail, and nothing could be done about it.
    (void)PetscFree(from_ranks);
    (void)PetscFree(from_bytes);
    std::ranges::sort(in, {}, &Parcel::rank); // they come in the order of arrival
    return in;
}

void transfer(const Communicator& communicator, const std::vector<Parcel>& out, const std::vector<Parcel>& in,
              std::size_t piece_bytes) {
    piece_bytes = std::clamp(piece_bytes, std::size_t{1}, largest_piece);
    std::vector<MPI_Request> requests;
    const auto post = [&](const Parcel& parcel, auto&& start) {
        for (std::size_t begin = 0; begin < parcel.bytes; begin += piece_bytes) {
            const auto bytes = static_cast<int>(std::min(piece_bytes, parcel.bytes - begin));
            start(parcel.data + begin, bytes, MPI_BYTE, parcel.rank, payload_tag, communicator.raw(),
                  &requests.emplace_back(MPI_REQUEST_NULL));
        }
    };
    for (const auto& parcel : in)
        post(parcel, MPI_Irecv);
    for (const auto& parcel : out)
        post(parcel, MPI_Isend);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void refuse_rank(int rank, int size) {
    throw std::out_of_range("sparse_exchange: rank " + std::to_string(rank) + " is not one of the " +
                            std::to_string(size) + " ranks");
}

} // namespace tamp::detail
