#pragma once

#include <hdf5.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/run_identity.hpp"
#include "tamp/io/series_cut.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

inline constexpr const char* series_format = "tamp-series";
inline constexpr std::int64_t series_format_version = 1;

/// When SeriesFile writes, and what it keeps while it cannot.
struct SeriesLimits {
    std::chrono::steady_clock::duration flush_interval = std::chrono::seconds(2);
    /// Numbers (64 MB). Rows beyond this are lost while nothing can be written: no danger for the memory.
    std::size_t most_waiting = std::size_t{1} << 23;
};

/// Measured quantities over time (`series.h5`): beside /time a dataset a quantity, which grows by a row now
/// and then; in each group of quantities, for example /profile beside /profile/time, likewise. The name of a
/// quantity may have groups too: /wall/floor/force_x. These have no time of their own; the rows are those of
/// the next time above, here /time. Rank 0 writes; the others only check.
///
/// The file is closed between flushes, and is not locked: it may be read while the run goes on. A run may be
/// killed at any moment. New blocks go to a copy in memory that replaces the file at once; only numbers that
/// find room in blocks that the file has already, and the lengths, are written in place, /time at last. So
/// the file can always be read, and where the other datasets of a group are longer than its time, the
/// surplus is of a flush that was cut short. (Files above `largest_copy` also get their blocks in place: then
/// it is a few milliseconds in some minutes that must not be hit.)
///
/// A disk that gets full must not end a run that computes well: rows wait in memory until they can be
/// written, and `warn` is told once. It is told once more should there be too many; then the file has a gap.
class SeriesFile {
public:
    using Warning = std::function<void(const std::string&)>;

    /// Collective; a file that cannot be made is a FileError on every rank. With `goes_on_after` a file that
    /// is there keeps its rows up to that time and grows from there. One that cannot be read is set aside,
    /// and so is one with other quantities as soon as they are to be written.
    SeriesFile(const Communicator& communicator, std::string path, RunIdentity identity, Warning warn = {},
               SeriesLimits limits = {}, std::optional<double> goes_on_after = {});
    ~SeriesFile();
    SeriesFile(const SeriesFile&) = delete;
    SeriesFile& operator=(const SeriesFile&) = delete;

    /// One row of a group; "" is the file itself. The quantities of a group keep their names and shapes over
    /// the run: others are a logic_error. False while rows wait because the last attempt to write failed.
    bool append(const std::string& group, double time, std::span<const Quantity> quantities);

    /// Writes what waits. False if that failed, and ever after a row was lost.
    bool flush();

    /// Rows of all groups that found no room in memory; on rank 0.
    std::size_t lost_rows() const { return lost_rows_; }

    static constexpr std::size_t largest_copy = std::size_t{1} << 26; ///< bytes

private:
    struct Dataset {
        std::string name, unit, description;
        std::vector<std::size_t> shape; ///< of a row
        std::size_t width;              ///< numbers a row
        std::vector<double> waiting{};

        std::size_t chunk_rows() const;
    };
    struct Group {
        std::vector<Dataset> datasets; ///< the first one is the time
        std::size_t written = 0;       ///< rows

        std::size_t waiting() const { return datasets.front().waiting.size(); }
        /// The rows that wait fit into blocks that the file has.
        bool fits() const;
        std::map<std::string, std::vector<std::size_t>> columns() const;
    };

    static Group make_group_of(std::span<const Quantity> quantities);
    std::string make_new() const;
    bool go_on(double after);
    std::string begin_anew();
    void tell_aside(const std::string& problem, const std::string& where) const;
    bool due() const { return std::chrono::steady_clock::now() - last_flush_ >= pause_; }
    void lose_row(double time);
    static void check(const Group& group, std::span<const Quantity> quantities);
    void write(hid_t file) const;
    void write_rows(hid_t file, const std::string& name, const Group& group, const Dataset& dataset) const;
    std::string write_copy() const;
    std::string write_in_place() const;

    std::string path_;
    RunIdentity identity_;
    Warning warn_;
    bool writes_;
    std::map<std::string, Group> groups_;
    std::map<std::string, CutGroup> before_; ///< what a file that goes on has, by group
    bool begins_anew_ = false;               ///< with the next flush: it has other quantities
    SeriesLimits limits_;
    std::size_t waiting_numbers_ = 0, lost_rows_ = 0;
    bool failing_ = false, warned_ = false;
    std::chrono::steady_clock::time_point last_flush_;
    std::chrono::steady_clock::duration pause_;
};

} // namespace tamp
