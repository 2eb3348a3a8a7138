#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "tamp/base/exact_sum.hpp"

namespace tamp {

/// The ranks that work on one run. Does not own the MPI communicator. Every reduction offered here is free of
/// order (maxima, integer sums, exact sums), so that no result can depend on the number of ranks; a sum of
/// plain doubles is left out on purpose. Unless said otherwise a call is collective.
class Communicator {
public:
    explicit Communicator(MPI_Comm raw);

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm raw() const { return raw_; }

    double max(double value) const;
    double min(double value) const;
    std::int64_t max(std::int64_t value) const;
    std::int64_t min(std::int64_t value) const;
    std::uint64_t max(std::uint64_t value) const;
    std::uint64_t min(std::uint64_t value) const;
    std::int64_t sum(std::int64_t value) const;
    bool any(bool value) const;

    void max(std::span<double> values) const;
    void sum(std::span<std::int64_t> values) const;
    /// Modulo 2^64.
    void sum(std::span<std::uint64_t> values) const;
    void sum(ExactSum& value) const;
    /// One message for all of them.
    void sum(std::span<ExactSum> values) const;

    /// The sum over the ranks before this one.
    std::int64_t exclusive_sum(std::int64_t value) const;

    void broadcast(std::string& text, int root = 0) const;
    template <class T>
    void broadcast(std::span<T> values, int root = 0) const {
        static_assert(std::is_trivially_copyable_v<T>);
        broadcast_bytes(values.data(), values.size_bytes(), root);
    }

    /// What went wrong on the lowest rank that has something to complain about; empty if no rank has. Lets
    /// all ranks throw the same error together.
    std::string first_problem(std::string problem) const;

    void barrier() const;

private:
    void broadcast_bytes(void* data, std::size_t bytes, int root) const;

    MPI_Comm raw_;
    int rank_ = 0, size_ = 1;
};

} // namespace tamp
