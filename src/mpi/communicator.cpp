#include "tamp/mpi/communicator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace tamp {

namespace {

template <class T>
void reduce_in_place(std::span<T> values, MPI_Datatype type, MPI_Op operation, MPI_Comm raw) {
    // MPI counts are int; what is reduced here is far from that, but an overflow would be silent.
    constexpr std::size_t largest_piece = std::size_t{1} << 27;
    for (std::size_t begin = 0; begin < values.size(); begin += largest_piece) {
        const auto piece = values.subspan(begin, std::min(largest_piece, values.size() - begin));
        MPI_Allreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), type, operation, raw);
    }
}

template <class T>
T reduced(T value, MPI_Datatype type, MPI_Op operation, MPI_Comm raw) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, raw);
    return value;
}

/// Integers in the order of the doubles, -0 before +0 and NaN above all: MPI_MAX of doubles would return any
/// of the two zeros, and would keep or lose a NaN, depending on the shape of the reduction tree.
std::int64_t ordered_key(double value) {
    if (std::isnan(value))
        value = std::numeric_limits<double>::quiet_NaN();
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

double value_of_key(std::int64_t key) {
    return std::bit_cast<double>(key < 0 ? key ^ std::numeric_limits<std::int64_t>::max() : key);
}

} // namespace

Communicator::Communicator(MPI_Comm raw) : raw_(raw) {
    MPI_Comm_rank(raw_, &rank_);
    MPI_Comm_size(raw_, &size_);
}

double Communicator::max(double value) const {
    return value_of_key(reduced(ordered_key(value), MPI_INT64_T, MPI_MAX, raw_));
}
double Communicator::min(double value) const { return -max(-value); }
std::int64_t Communicator::max(std::int64_t value) const {
    return reduced(value, MPI_INT64_T, MPI_MAX, raw_);
}
std::int64_t Communicator::min(std::int64_t value) const {
    return reduced(value, MPI_INT64_T, MPI_MIN, raw_);
}
std::uint64_t Communicator::max(std::uint64_t value) const {
    return reduced(value, MPI_UINT64_T, MPI_MAX, raw_);
}
std::uint64_t Communicator::min(std::uint64_t value) const {
    return reduced(value, MPI_UINT64_T, MPI_MIN, raw_);
}
std::int64_t Communicator::sum(std::int64_t value) const {
    return reduced(value, MPI_INT64_T, MPI_SUM, raw_);
}
bool Communicator::any(bool value) const { return reduced(int{value}, MPI_INT, MPI_MAX, raw_) != 0; }

void Communicator::max(std::span<double> values) const {
    std::vector<std::int64_t> keys(values.size());
    std::ranges::transform(values, keys.begin(), ordered_key);
    reduce_in_place(std::span(keys), MPI_INT64_T, MPI_MAX, raw_);
    std::ranges::transform(keys, values.begin(), value_of_key);
}

void Communicator::sum(std::span<std::int64_t> values) const {
    reduce_in_place(values, MPI_INT64_T, MPI_SUM, raw_);
}

void Communicator::sum(std::span<std::uint64_t> values) const {
    reduce_in_place(values, MPI_UINT64_T, MPI_SUM, raw_);
}

void Communicator::sum(ExactSum& value) const { reduce_in_place(value.digits(), MPI_INT64_T, MPI_SUM, raw_); }

void Communicator::sum(std::span<ExactSum> values) const {
    std::vector<std::int64_t> packed;
    for (auto& value : values) {
        const auto digits = value.digits();
        packed.insert(packed.end(), digits.begin(), digits.end());
    }
    sum(std::span(packed));
    auto next = packed.cbegin();
    for (auto& value : values)
        for (auto& digit : value.digits())
            digit = *next++;
}

std::int64_t Communicator::exclusive_sum(std::int64_t value) const {
    std::int64_t before = 0; // MPI leaves it undefined on rank 0
    MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, raw_);
    return rank_ == 0 ? 0 : before;
}

void Communicator::broadcast(std::string& text, int root) const {
    auto length = static_cast<std::uint64_t>(text.size());
    broadcast_bytes(&length, sizeof length, root);
    text.resize(length);
    broadcast_bytes(text.data(), text.size(), root);
}

void Communicator::broadcast_bytes(void* data, std::size_t bytes, int root) const {
    constexpr std::size_t largest_piece = std::size_t{1} << 30;
    for (std::size_t begin = 0; begin < bytes; begin += largest_piece) {
        const auto piece = static_cast<int>(std::min(largest_piece, bytes - begin));
        MPI_Bcast(static_cast<std::byte*>(data) + begin, piece, MPI_BYTE, root, raw_);
    }
}

std::string Communicator::first_problem(std::string problem) const {
    const auto none = std::int64_t{size_};
    const auto speaker = min(problem.empty() ? none : std::int64_t{rank_});
    if (speaker == none)
        return {};
    broadcast(problem, static_cast<int>(speaker));
    return problem;
}

void Communicator::barrier() const { MPI_Barrier(raw_); }

} // namespace tamp
