#include "tamp/io/snapshot_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/collective_file.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/row_order.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/set_aside.hpp"
#include "tamp/io/snapshot_layout.hpp"

namespace tamp {

namespace {

std::vector<RowKey> keys_of(const ParticleView& particles) {
    std::vector<RowKey> keys;
    keys.reserve(particles.size());
    for (const auto id : particles.id)
        keys.push_back({id, 0});
    return keys;
}

std::vector<RowKey> keys_of(const ContactView& contacts) {
    std::vector<RowKey> keys;
    keys.reserve(contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c)
        keys.push_back({contacts.first[c], contacts.second[c]});
    return keys;
}

std::vector<std::byte> counting(const Slab& slab, std::size_t width) {
    std::vector<std::uint64_t> numbers(slab.count * width);
    std::iota(numbers.begin(), numbers.end(), slab.begin * width);
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
}

/// This rank's part of a dataset, or none of it. Compressed data must be written by all ranks together. Other
/// data are better written by each for itself; see write_slab of the state file.
void write_part(hid_t dataset, const SnapshotColumn& column, const Slab& slab, bool together,
                std::span<const std::byte> numbers) {
    const hsize_t rows = slab.count * column.points, memory_numbers = rows * column.width;
    const hsize_t begin[] = {slab.begin * column.points, 0}, count[] = {rows, column.width};
    const Hdf5Handle in_file(hdf5_check(H5Dget_space(dataset)), H5Sclose);
    const Hdf5Handle in_memory(hdf5_check(H5Screate_simple(1, &memory_numbers, nullptr)), H5Sclose);
    if (rows > 0) {
        hdf5_check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin, nullptr, count, nullptr));
    } else {
        hdf5_check(H5Sselect_none(in_file));
        hdf5_check(H5Sselect_none(in_memory));
    }
    const Hdf5Handle transfer(hdf5_check(H5Pcreate(H5P_DATASET_XFER)), H5Pclose);
    hdf5_check(H5Pset_dxpl_mpio(transfer, together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    hdf5_check(H5Dwrite(dataset, column.memory_type(), in_memory, in_file, transfer, numbers.data()));
}

/// Fills the datasets of a group. Every rank takes part in every call, also without rows and after a failure.
void fill_group(const std::string& path, hid_t file, const SnapshotGroup& group, const View& view,
                const RowOrder& order, bool together, std::string& problem) {
    if (order.slab().total == 0)
        return;
    for (const auto& column : group.columns) {
        const auto numbers =
            column.of ? order.arrange(column.of(view), column.bytes()) : counting(order.slab(), column.width);
        const auto trouble = problem_of(path, [&] {
            const auto name = std::string(group.name) + "/" + column.name;
            const Hdf5Handle dataset(hdf5_check(H5Dopen2(file, name.c_str(), H5P_DEFAULT)), H5Dclose);
            if (together || (order.slab().count > 0 && problem.empty()))
                write_part(dataset, column, order.slab(), together, numbers);
        });
        if (problem.empty())
            problem = trouble;
    }
}

/// Some of many are enough.
std::string missing_text(const std::set<std::string>& missing) {
    constexpr std::size_t most = 5;
    const std::vector<std::string> named(
        missing.begin(),
        std::next(missing.begin(), static_cast<std::ptrdiff_t>(std::min(most, missing.size()))));
    return fmt::format("{}{} {} missing; snapshots.h5 leaves {} out", fmt::join(named, ", "),
                       missing.size() > most ? fmt::format(" and {} more", missing.size() - most) : "",
                       missing.size() == 1 ? "is" : "are", missing.size() == 1 ? "it" : "them");
}

} // namespace

SnapshotFile::SnapshotFile(const Communicator& communicator, std::string folder, RunIdentity identity,
                           SnapshotSettings settings)
    : communicator_(communicator), folder_(std::move(folder)), identity_(std::move(identity)),
      settings_(settings) {
    if (settings.compression < 0 || settings.compression > 9 || settings.chunk_rows == 0)
        throw std::logic_error("SnapshotFile: compression is 0 to 9, and chunks have rows");
}

void SnapshotFile::go_on_after(std::int64_t step, std::span<const std::int64_t> expected,
                               const std::function<void(const std::string&)>& warn) {
    const auto index = folder_ + "/snapshots.h5";
    std::vector<SnapshotEntry> found;
    const auto is_there = [](const std::string& path) { return ::access(path.c_str(), F_OK) == 0; };
    if (communicator_.rank() == 0 && is_there(index)) {
        try {
            found = read_index(index);
        } catch (const FileError& error) {
            std::string where = "replaced";
            try {
                where = set_aside(index, "old");
            } catch (const FileError&) {
                // It is of no use to anybody.
            }
            warn(fmt::format("{} It is now {}, and a new index begins", error.what(), where));
        }
    } else if (communicator_.rank() == 0 && !expected.empty()) {
        warn(fmt::format("{} is missing: a new index begins, without the {} snapshots up to step {}", index,
                         expected.size(), step));
    }
    if (communicator_.rank() == 0) {
        std::set<std::string> missing;
        const auto look_for = [&](std::int64_t at) {
            const std::string path = folder_ + "/" + snapshot_path(at);
            if (at <= step && !is_there(path))
                missing.insert(path);
            return missing.count(path) == 0;
        };
        std::ranges::for_each(expected, look_for);
        std::erase_if(found, [&](const SnapshotEntry& entry) { return !look_for(entry.step); });
        if (!missing.empty())
            warn(missing_text(missing));
    }
    auto count = static_cast<std::int64_t>(found.size());
    communicator_.broadcast(std::span(&count, 1));
    found.resize(static_cast<std::size_t>(count));
    communicator_.broadcast(std::span(found));
    std::erase_if(found, [&](const SnapshotEntry& entry) { return entry.step > step; });
    entries_ = std::move(found);
    // Other laws may remember other columns.
    if (communicator_.rank() == 0 && !entries_.empty())
        try {
            older_.until = entries_.back().step;
            const Reader last(folder_ + "/" + snapshot_path(older_.until));
            for (const std::string& group : last.groups_in("/"))
                for (const std::string& column : last.datasets_in(group))
                    older_.columns.insert(group + "/" + column);
        } catch (const FileError&) {
            older_ = {}; // as if they had the columns of this run
        }
}

void SnapshotFile::write(const View& view, std::span<const Wall> walls, const std::string& stage) {
    const QuietHdf5 quiet;
    const SnapshotStorage storage{settings_.compression, settings_.chunk_rows};
    const SnapshotGroups groups(view);
    const RowOrder particles(communicator_, keys_of(view.particles), settings_.chunk_rows);
    const RowOrder contacts(communicator_,
                            settings_.contacts ? keys_of(view.contacts) : std::vector<RowKey>(),
                            settings_.chunk_rows);
    const SnapshotEntry entry{view.step, view.time, particles.slab().total, contacts.slab().total};
    auto entries = entries_;
    const auto place = std::ranges::lower_bound(entries, entry.step, {}, &SnapshotEntry::step);
    const bool is_new = place == entries.end() || place->step != entry.step;
    if (is_new)
        entries.insert(place, entry);
    else
        *place = entry;

    // As for states: rank 0 reserves the room, and what is left to the collective part cannot meet a full
    // disk.
    const auto path = folder_ + "/" + snapshot_path(entry.step);
    std::string problem;
    if (communicator_.rank() == 0) {
        if (::mkdir((folder_ + "/snapshots").c_str(), 0777) != 0 && errno != EEXIST)
            problem = writing_problem(path, errno);
        std::vector<std::byte> image;
        if (problem.empty())
            problem = problem_of(path, [&] {
                image =
                    snapshot_image(identity_, {view.time, view.time_step, view.step, view.box, stage}, groups,
                                   walls, entry.particles, entry.contacts, settings_.contacts, storage);
            });
        if (problem.empty())
            problem = reserve_partial(path, image,
                                      image.size() + snapshot_room(groups, entry.particles, entry.contacts,
                                                                   settings_.contacts, storage));
    }
    agree(communicator_, path, problem);
    agree(communicator_, path, probe_partial(path));

    const auto access = parallel_access(communicator_);
    Hdf5Handle file;
    problem = problem_of(path, [&] {
        file = Hdf5Handle(hdf5_check(H5Fopen(partial_path(path).c_str(), H5F_ACC_RDWR, access)), H5Fclose);
    });
    agree(communicator_, path, problem);
    const bool together = storage.compression > 0;
    fill_group(path, file, groups.particles, view, particles, together, problem);
    fill_group(path, file, groups.contacts, view, contacts, together, problem);
    close_together(communicator_, path, file, problem);
    agree(communicator_, path, problem);
    if (communicator_.rank() == 0)
        problem = publish_partial(path);
    agree(communicator_, path, problem);
    if (communicator_.rank() == 0) {
        problem = publish_index(groups, entries);
        if (!problem.empty()) {
            if (is_new)
                ::unlink(path.c_str());
            // One of the two may list the new one already.
            if (!entries_.empty())
                publish_index(groups, entries_);
            else
                for (const char* name : {"/snapshots.h5", "/snapshots.xmf"})
                    ::unlink((folder_ + name).c_str());
        }
    }
    agree(communicator_, path, problem);
    entries_ = std::move(entries);
}

std::string SnapshotFile::publish_index(const SnapshotGroups& groups,
                                        const std::vector<SnapshotEntry>& entries) const {
    const auto index = folder_ + "/snapshots.h5", xdmf = folder_ + "/snapshots.xmf";
    const auto text = xdmf_text(groups, entries, older_);
    const auto bytes = std::as_bytes(std::span(text));
    std::vector<std::byte> image;
    auto problem = problem_of(index, [&] { image = index_image(identity_, entries); });
    // Both find their room before one of them is put in its place.
    if (problem.empty())
        problem = reserve_partial(index, image, image.size());
    if (problem.empty())
        problem = reserve_partial(xdmf, bytes, bytes.size());
    if (problem.empty())
        problem = publish_partial(xdmf);
    if (problem.empty())
        problem = publish_partial(index);
    discard_partial(index);
    discard_partial(xdmf);
    return problem;
}

} // namespace tamp
