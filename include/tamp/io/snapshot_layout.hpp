#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/io/hdf5.hpp"
#include "tamp/io/run_identity.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

enum class SnapshotNumber { real, small_integer, integer, identifier };

/// How ParaView shows a column.
enum class Shown { no, points, cells, scalar, vector, tensor };

/// One dataset of a snapshot.
struct SnapshotColumn {
    std::string name;
    SnapshotNumber number;
    std::size_t width;  ///< numbers a row
    std::size_t points; ///< rows a particle or contact
    Shown shown;
    std::string unit, description;
    /// The column of this rank, particle by particle or contact by contact. None for numbers that count on
    /// from 0 over the rows of the file.
    std::function<std::vector<std::byte>(const View& view)> of;

    std::size_t number_bytes() const { return number == SnapshotNumber::small_integer ? 4 : 8; }
    /// Of one particle or contact.
    std::size_t bytes() const { return points * width * number_bytes(); }
    hid_t memory_type() const;
    hid_t file_type() const;
};

struct SnapshotGroup {
    const char* name;
    std::vector<SnapshotColumn> columns;
};
/// What every case has, and the columns of the view's particles and contacts beside that.
SnapshotGroup particle_group(std::span<const ColumnInfo> attributes);
SnapshotGroup contact_group(std::span<const ColumnInfo> history);

struct SnapshotGroups {
    explicit SnapshotGroups(const View& view)
        : particles(particle_group(view.particles.attributes.columns())),
          contacts(contact_group(view.contacts.history.columns())) {}
    SnapshotGroup particles, contacts;
};

inline constexpr const char* snapshot_format = "tamp-snapshot";
inline constexpr const char* snapshot_index_format = "tamp-snapshots";
inline constexpr std::int64_t snapshot_format_version = 2;

/// How a group's datasets are stored.
struct SnapshotStorage {
    int compression = 0;        ///< 0: in one piece
    std::size_t chunk_rows = 1; ///< particles or contacts
};

/// What a snapshot says about itself.
struct SnapshotHeader {
    double time = 0, time_step = 0;
    std::int64_t step = 0;
    Box box;
    std::string stage;
};

/// The structure of a snapshot with all attributes and the walls, as bytes, made in memory; the ranks fill
/// the datasets of particles and contacts. Throws Hdf5Failure.
std::vector<std::byte> snapshot_image(const RunIdentity& identity, const SnapshotHeader& header,
                                      const SnapshotGroups& groups, std::span<const Wall> walls,
                                      std::size_t particles, std::size_t contacts, bool with_contacts,
                                      const SnapshotStorage& storage);

/// Room that the file can need at most, beside its image.
std::size_t snapshot_room(const SnapshotGroups& groups, std::size_t particles, std::size_t contacts,
                          bool with_contacts, const SnapshotStorage& storage);

} // namespace tamp
