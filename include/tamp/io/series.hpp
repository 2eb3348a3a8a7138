#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// A table that grows by a line now and then (`series.csv`). Rank 0 writes; on the others calls do nothing.
/// Numbers are as short as they can be and still read back as the same double.
///
/// A disk that gets full must not end a run that computes well: lines wait in memory until they can be
/// written, and `warn` is told once. It is told once more should there be too many; then the file has a gap.
class Series {
public:
    using Warning = std::function<void(const std::string&)>;

    /// Collective; a file that cannot be made is a FileError on every rank. Columns carry their unit: "time
    /// [s]"; the first one is the time. With `goes_on_after` a file that is there keeps its lines up to that
    /// time and grows from there; one that does not fit is set aside.
    Series(const Communicator& communicator, std::string path, const std::vector<std::string>& columns,
           Warning warn = {}, std::size_t most_waiting = default_most_waiting,
           std::optional<double> goes_on_after = {});
    ~Series();
    Series(const Series&) = delete;
    Series& operator=(const Series&) = delete;

    /// One value a column. False while lines wait because the last attempt to write failed.
    bool row(std::span<const double> values);

    /// Writes what waits. False if that failed, and ever after a line was lost.
    bool flush();

    /// Bytes. Lines beyond this are lost while nothing can be written: weeks of a run, and no danger for its
    /// memory.
    static constexpr std::size_t default_most_waiting = std::size_t{1} << 26;

private:
    bool go_on(const std::string& header, double after);

    std::string path_;
    Warning warn_;
    std::size_t columns_, most_waiting_;
    int file_ = -1; ///< -1 on the other ranks
    std::string waiting_;
    bool failing_ = false, warned_ = false, lost_ = false;
    std::chrono::steady_clock::time_point last_flush_;
};

} // namespace tamp
