#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/run_identity.hpp"

namespace tamp {

/// A snapshot as the index lists it.
struct SnapshotEntry {
    std::int64_t step = 0;
    double time = 0; ///< s
    std::uint64_t particles = 0, contacts = 0;

    friend bool operator==(const SnapshotEntry&, const SnapshotEntry&) = default;
};

/// "00001200": the name of the group in the index, and of the file.
std::string snapshot_name(std::int64_t step);

/// "snapshots/00001200.h5", beside the index.
std::string snapshot_path(std::int64_t step);

/// The index as the bytes of an HDF5 file: a link a snapshot, and what is listed as tables. Throws
/// Hdf5Failure.
std::vector<std::byte> index_image(const RunIdentity& identity, std::span<const SnapshotEntry> entries);

/// What an index lists, by step. One process reads; a file that is not an index, or damaged, is a FileError.
std::vector<SnapshotEntry> read_index(const std::string& path);

/// The series in time for ParaView: at each time the particles as points and the force network as lines.
/// `groups` are the columns of the snapshots; those up to the step `older.until` have only the columns that
/// it names ("contacts/gap").
struct SnapshotGroups;
struct OlderSnapshots {
    std::int64_t until = -1;
    std::set<std::string> columns{};
};
std::string xdmf_text(const SnapshotGroups& groups, std::span<const SnapshotEntry> entries,
                      const OlderSnapshots& older = {});

} // namespace tamp
