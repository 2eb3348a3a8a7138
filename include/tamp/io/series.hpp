#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// A table that grows by a line now and then (`series.csv`). Rank 0 writes; on the others calls do nothing.
/// Numbers are as short as they can be and still read back as the same double.
///
/// A disk that gets full must not end a run that computes well: lines wait in memory until they can be
/// written, and `warn` is told once.
class Series {
public:
    using Warning = std::function<void(const std::string&)>;

    /// Collective; a file that cannot be made is a FileError on every rank. Columns carry their unit: "time
    /// [s]".
    Series(const Communicator& communicator, std::string path, const std::vector<std::string>& columns,
           Warning warn = {});
    ~Series();
    Series(const Series&) = delete;
    Series& operator=(const Series&) = delete;

    /// One value a column. False while lines wait because the last attempt to write failed.
    bool row(std::span<const double> values);

    /// Writes what waits.
    bool flush();

private:
    std::string path_;
    Warning warn_;
    std::size_t columns_;
    int file_ = -1; ///< -1 on the other ranks
    std::string waiting_;
    bool failing_ = false, warned_ = false;
    std::chrono::steady_clock::time_point last_flush_;
};

} // namespace tamp
