#include "tamp/io/series_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/collective_file.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/series_cut.hpp"
#include "tamp/io/set_aside.hpp"

namespace tamp {

namespace {

using std::chrono::steady_clock;

/// A slow file system is left alone for this many times as long as it took: 5 % of the run at most.
constexpr int rest = 20;

std::string full_name(const std::string& group, const std::string& name) {
    return group.empty() ? name : group + "/" + name;
}

/// Throws Hdf5Failure if there are none.
std::vector<std::byte> bytes_of_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<std::byte> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
    if (!file || bytes.empty() ||
        !file.seekg(0).read(reinterpret_cast<char*>(bytes.data()),
                            static_cast<std::streamsize>(bytes.size())))
        throw Hdf5Failure(errno != 0 ? std::strerror(errno) : "it is empty");
    return bytes;
}

/// Makes the bytes of a file and puts them in its place; says what went wrong.
std::string put_in_place(const std::string& path, const std::function<std::vector<std::byte>()>& make) {
    std::vector<std::byte> image;
    const auto problem = problem_of(path, [&] { image = make(); });
    return problem.empty() ? write_whole(path, image) : problem;
}

/// Rank 0 alone, with no lock: a user who looks at the file must not stop the run from writing it.
Hdf5Handle open_alone(const std::string& path) {
    const auto access = make_properties(H5P_FILE_ACCESS);
    hdf5_check(H5Pset_file_locking(access, false, true));
    return {hdf5_check(H5Fopen(path.c_str(), H5F_ACC_RDWR, access)), H5Fclose};
}

} // namespace

std::size_t SeriesFile::Dataset::chunk_rows() const {
    return std::clamp<std::size_t>((std::size_t{1} << 16) / (8 * std::max<std::size_t>(width, 1)), 16, 1024);
}

bool SeriesFile::Group::fits() const {
    const auto end = written + waiting();
    const auto chunks = [](std::size_t rows, std::size_t chunk) { return (rows + chunk - 1) / chunk; };
    return std::ranges::all_of(datasets, [&](const Dataset& dataset) {
        return chunks(written, dataset.chunk_rows()) == chunks(end, dataset.chunk_rows());
    });
}

std::map<std::string, std::vector<std::size_t>> SeriesFile::Group::columns() const {
    std::map<std::string, std::vector<std::size_t>> result;
    for (const Dataset& dataset : datasets)
        result.emplace(dataset.name, dataset.shape);
    return result;
}

SeriesFile::SeriesFile(const Communicator& communicator, std::string path, RunIdentity identity, Warning warn,
                       SeriesLimits limits, std::optional<double> goes_on_after)
    : path_(std::move(path)), identity_(std::move(identity)), warn_(std::move(warn)),
      writes_(communicator.rank() == 0), limits_(limits), last_flush_(steady_clock::now()),
      pause_(limits.flush_interval) {
    const QuietHdf5 quiet;
    std::string problem;
    try {
        if (writes_ && !(goes_on_after && go_on(*goes_on_after)))
            problem = make_new();
    } catch (const FileError& error) {
        problem = error.what();
    }
    agree(communicator, path_, problem);
}

std::string SeriesFile::make_new() const {
    return put_in_place(path_, [&] {
        return file_image(
            {}, [&](hid_t file) { write_identity(file, series_format, series_format_version, identity_); });
    });
}

/// False if a new file is to be made.
bool SeriesFile::go_on(double after) {
    std::error_code missing;
    if (!std::filesystem::exists(path_, missing))
        return false;
    std::vector<std::byte> image;
    std::map<std::string, CutGroup> groups;
    const auto problem = problem_of(path_, [&] {
        image = file_image(bytes_of_file(path_), [&](hid_t file) { groups = cut_series(file, after); });
    });
    if (problem.empty()) {
        // A disk without room is no reason to give up a good file.
        if (const auto trouble = write_whole(path_, image); !trouble.empty())
            throw FileError(trouble);
        before_ = std::move(groups);
        return true;
    }
    tell_aside(problem, set_aside(path_, "old"));
    return false;
}

void SeriesFile::tell_aside(const std::string& problem, const std::string& where) const {
    if (warn_)
        warn_(fmt::format("{} cannot go on ({}); it is now {}, and a new one begins", path_, problem, where));
}

/// What waits goes to a new file. Says what went wrong; may be tried again.
std::string SeriesFile::begin_anew() {
    try {
        if (const auto where = set_aside(path_, "old"); !where.empty())
            tell_aside("it has other quantities", where);
        if (auto problem = make_new(); !problem.empty())
            return problem;
    } catch (const FileError& error) {
        return error.what();
    }
    begins_anew_ = false;
    before_.clear();
    for (auto& [name, group] : groups_)
        group.written = 0;
    return {};
}

SeriesFile::~SeriesFile() { flush(); }

SeriesFile::Group SeriesFile::make_group_of(std::span<const Quantity> quantities) {
    Group group;
    group.datasets.push_back({"time", "s", "Time", {}, 1});
    std::set<std::string> names{"time"};
    for (const auto& quantity : quantities) {
        if (quantity.name.empty() || !names.insert(quantity.name).second)
            throw std::logic_error(fmt::format("SeriesFile: two quantities are named '{}'", quantity.name));
        std::size_t width = 1;
        for (const auto extent : quantity.shape)
            width *= extent;
        if (width == 0)
            throw std::logic_error(fmt::format("SeriesFile: {} has no numbers", quantity.name));
        group.datasets.push_back({quantity.name, quantity.unit, quantity.description, quantity.shape, width});
    }
    return group;
}

void SeriesFile::check(const Group& group, std::span<const Quantity> quantities) {
    if (quantities.size() + 1 != group.datasets.size())
        throw std::logic_error("SeriesFile: the number of quantities of a group has changed");
    for (std::size_t k = 0; k < quantities.size(); ++k) {
        const auto& dataset = group.datasets[k + 1];
        if (quantities[k].name != dataset.name || quantities[k].shape != dataset.shape)
            throw std::logic_error(fmt::format("SeriesFile: {} has become {}, or has another shape",
                                               dataset.name, quantities[k].name));
        if (quantities[k].values.size() != dataset.width)
            throw std::logic_error(fmt::format("SeriesFile: {} has {} numbers, and its shape asks for {}",
                                               dataset.name, quantities[k].values.size(), dataset.width));
    }
}

bool SeriesFile::append(const std::string& name, double time, std::span<const Quantity> quantities) {
    auto found = groups_.find(name);
    if (found == groups_.end()) {
        auto group = make_group_of(quantities);
        check(group, quantities);
        if (const auto before = before_.find(name); before != before_.end() && before->second.rows > 0) {
            group.written = before->second.rows;
            begins_anew_ |= group.columns() != before->second.columns;
        }
        found = groups_.emplace(name, std::move(group)).first;
    }
    Group& group = found->second;
    check(group, quantities);
    if (!writes_)
        return true;
    // One look at the clock: a row must not be lost a moment before what waits is written.
    const bool now = due();
    if (waiting_numbers_ >= limits_.most_waiting && now)
        flush(); // the last chance of this row
    if (waiting_numbers_ < limits_.most_waiting) {
        group.datasets.front().waiting.push_back(time);
        ++waiting_numbers_;
        for (std::size_t k = 0; k < quantities.size(); ++k) {
            const auto& values = quantities[k].values;
            auto& waiting = group.datasets[k + 1].waiting;
            waiting.insert(waiting.end(), values.begin(), values.end());
            waiting_numbers_ += values.size();
        }
    } else {
        lose_row(time);
    }
    // Much to write does not wait for its time. But a disk that refuses is not asked at every row.
    if ((now && due()) || (!failing_ && waiting_numbers_ > limits_.most_waiting / 4))
        flush();
    return !failing_;
}

void SeriesFile::lose_row(double time) {
    if (lost_rows_++ == 0 && warn_)
        warn_(fmt::format("{} still cannot be written, and too many rows wait in memory: those from {} s on "
                          "are lost until it can. Free some space; the run goes on.",
                          path_, time));
}

void SeriesFile::write_rows(hid_t file, const std::string& name, const Group& group,
                            const Dataset& dataset) const {
    const auto path = full_name(name, dataset.name);
    std::vector<hsize_t> size{group.written + group.waiting()}, begin{group.written}, count{group.waiting()};
    for (const auto extent : dataset.shape) {
        size.push_back(extent);
        begin.push_back(0);
        count.push_back(extent);
    }
    Hdf5Handle target;
    if (group.written == 0) {
        DatasetShape shape{size, size, size};
        shape.largest[0] = H5S_UNLIMITED;
        shape.chunk[0] = dataset.chunk_rows();
        target = make_dataset(file, path, H5T_IEEE_F64LE, shape, dataset.unit, dataset.description);
    } else {
        target = Hdf5Handle(hdf5_check(H5Dopen2(file, path.c_str(), H5P_DEFAULT)), H5Dclose);
        hdf5_check(H5Dset_extent(target, size.data()));
    }
    const Hdf5Handle in_file(hdf5_check(H5Dget_space(target)), H5Sclose);
    hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
    const Hdf5Handle in_memory(
        hdf5_check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr)), H5Sclose);
    hdf5_check(H5Dwrite(target, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, dataset.waiting.data()));
}

void SeriesFile::write(hid_t file) const {
    for (const bool times : {false, true}) {
        for (const auto& [name, group] : groups_) {
            if (group.waiting() == 0)
                continue;
            for (std::size_t k = times ? 0 : 1; k < (times ? 1 : group.datasets.size()); ++k)
                write_rows(file, name, group, group.datasets[k]);
        }
        hdf5_check(H5Fflush(file, H5F_SCOPE_LOCAL)); // what has a time is there before its time
    }
}

std::string SeriesFile::write_copy() const {
    return put_in_place(path_,
                        [&] { return file_image(bytes_of_file(path_), [&](hid_t copy) { write(copy); }); });
}

std::string SeriesFile::write_in_place() const {
    std::size_t blocks = 0;
    for (const auto& [name, group] : groups_)
        if (!group.fits())
            for (const auto& dataset : group.datasets)
                blocks += 8 * (dataset.waiting.size() + dataset.chunk_rows() * dataset.width) + 8192;
    // HDF5 does not survive a file that cannot be written when it closes it.
    if (auto problem = reserve_behind(path_, blocks); !problem.empty())
        return problem;
    return problem_of(path_, [&] {
        auto file = open_alone(path_);
        write(file);
        hdf5_check(file.close());
    });
}

bool SeriesFile::flush() {
    if (!writes_ || waiting_numbers_ == 0)
        return lost_rows_ == 0;
    const QuietHdf5 quiet;
    const auto begin = steady_clock::now();
    auto problem = begins_anew_ ? begin_anew() : std::string();
    if (problem.empty()) {
        const bool fits = std::ranges::all_of(groups_, [](const auto& entry) { return entry.second.fits(); });
        std::error_code missing;
        const auto size = std::filesystem::file_size(path_, missing);
        problem = fits || (!missing && size > largest_copy) ? write_in_place() : write_copy();
    }
    last_flush_ = steady_clock::now();
    pause_ = std::max<steady_clock::duration>(limits_.flush_interval, rest * (last_flush_ - begin));
    failing_ = !problem.empty();
    if (failing_) {
        if (!warned_ && warn_)
            warn_(problem + " The run goes on; rows wait in memory.");
        warned_ = true;
        return false;
    }
    for (auto& [name, group] : groups_) {
        group.written += group.waiting();
        for (auto& dataset : group.datasets)
            dataset.waiting.clear();
    }
    waiting_numbers_ = 0;
    return lost_rows_ == 0;
}

} // namespace tamp
