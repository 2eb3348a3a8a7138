#include "tamp/io/snapshot_index.hpp"

#include <fmt/format.h>

#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/snapshot_layout.hpp"

namespace tamp {

std::string snapshot_name(std::int64_t step) { return fmt::format("{:08}", step); }
std::string snapshot_path(std::int64_t step) { return fmt::format("snapshots/{}.h5", snapshot_name(step)); }

std::vector<std::byte> index_image(const RunIdentity& identity, std::span<const SnapshotEntry> entries) {
    return file_image({}, [&](hid_t file) {
        write_identity(file, snapshot_index_format, snapshot_format_version, identity);
        const auto table = [&](const char* name, WordKind kind, const char* unit, const char* description,
                               auto member) {
            using Value = std::remove_cvref_t<decltype(entries[0].*member)>;
            std::vector<Value> values;
            for (const auto& entry : entries)
                values.push_back(entry.*member);
            const auto dataset =
                make_dataset(file, name, file_type(kind), {{values.size()}}, unit, description);
            if (!values.empty())
                hdf5_check(
                    H5Dwrite(dataset, memory_type(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
        };
        using enum WordKind;
        table("time", real, "s", "Time of each snapshot", &SnapshotEntry::time);
        table("step", signed_integer, "1", "Step of each snapshot; its group has this name, with 8 digits",
              &SnapshotEntry::step);
        table("particle_count", unsigned_integer, "1", "Number of particles", &SnapshotEntry::particles);
        table("contact_count", unsigned_integer, "1", "Number of contacts stored", &SnapshotEntry::contacts);
        for (const auto& entry : entries)
            hdf5_check(H5Lcreate_external(snapshot_path(entry.step).c_str(), "/", file,
                                          snapshot_name(entry.step).c_str(), H5P_DEFAULT, H5P_DEFAULT));
    });
}

std::vector<SnapshotEntry> read_index(const std::string& path) {
    using enum WordKind;
    const QuietHdf5 quiet;
    const Reader reader(path);
    reader.check_format(snapshot_index_format, snapshot_format_version, "an index of snapshots");
    const auto times = reader.column<double>("time", real);
    const auto steps = reader.column<std::int64_t>("step", signed_integer);
    const auto particles = reader.column<std::uint64_t>("particle_count", unsigned_integer);
    const auto contacts = reader.column<std::uint64_t>("contact_count", unsigned_integer);
    if (steps.size() != times.size() || particles.size() != times.size() || contacts.size() != times.size())
        reader.damaged("tables of different lengths");
    std::vector<SnapshotEntry> entries;
    for (std::size_t k = 0; k < times.size(); ++k)
        entries.push_back({steps[k], times[k], particles[k], contacts[k]});
    return entries;
}

} // namespace tamp
