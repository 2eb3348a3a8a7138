#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

namespace detail {

/// One message as raw memory: from or to `rank`.
struct Parcel {
    int rank;
    std::byte* data;
    std::size_t bytes;
};

/// MPI counts are `int`, so a long message travels in pieces. Both sides cut alike, and MPI keeps their
/// order.
inline constexpr std::size_t largest_piece = std::size_t{1} << 30;

/// Tells the receivers the sizes; returns who sends how much to this rank, by rank, with no memory yet.
/// Collective; the parcels out are never empty and never to oneself.
std::vector<Parcel> announce(const Communicator& communicator, const std::vector<Parcel>& out);

void transfer(const Communicator& communicator, const std::vector<Parcel>& out, const std::vector<Parcel>& in,
              std::size_t piece_bytes);

[[noreturn]] void refuse_rank(int rank, int size);

} // namespace detail

/// Sends `to[rank]` to every rank, where the receivers do not know in advance who will write to them.
/// Collective. Returns what arrived, ordered by source rank; empty messages are neither sent nor delivered,
/// and what a rank sends to itself does not pass through MPI.
template <class T>
std::vector<std::pair<int, std::vector<T>>> sparse_exchange(const Communicator& communicator,
                                                            const std::map<int, std::vector<T>>& to,
                                                            std::size_t piece_bytes = detail::largest_piece) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<detail::Parcel> out, in;
    for (const auto& [rank, values] : to) {
        if (rank < 0 || rank >= communicator.size())
            detail::refuse_rank(rank, communicator.size());
        if (rank == communicator.rank() || values.empty())
            continue;
        // MPI only reads from it, but a parcel in and a parcel out are the same type.
        auto* data = const_cast<T*>(values.data());
        out.push_back({rank, reinterpret_cast<std::byte*>(data), values.size() * sizeof(T)});
    }
    if (communicator.size() > 1)
        in = detail::announce(communicator, out);

    std::vector<std::pair<int, std::vector<T>>> arrived;
    arrived.reserve(in.size() + 1);
    if (const auto own = to.find(communicator.rank()); own != to.end() && !own->second.empty())
        arrived.emplace_back(own->first, own->second);
    for (auto& parcel : in) {
        auto& values = arrived.emplace_back(parcel.rank, parcel.bytes / sizeof(T)).second;
        parcel.data = reinterpret_cast<std::byte*>(values.data());
    }
    std::ranges::sort(arrived, {}, [](const auto& message) { return message.first; }); // moves no payload
    detail::transfer(communicator, out, in, piece_bytes);
    return arrived;
}

} // namespace tamp
