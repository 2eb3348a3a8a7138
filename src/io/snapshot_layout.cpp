#include "tamp/io/snapshot_layout.hpp"

#include <algorithm>
#include <array>

#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

namespace {

static_assert(sizeof(Vec3) == 24 && sizeof(SymmetricTensor) == 48);

template <class T>
std::vector<std::byte> copy(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

template <auto Member>
std::vector<std::byte> of_particles(const View& view) {
    return copy(view.particles.*Member);
}
template <auto Member>
std::vector<std::byte> of_contacts(const View& view) {
    return copy(view.contacts.*Member);
}

std::vector<std::byte> speeds(const View& view) {
    std::vector<double> speed;
    speed.reserve(view.particles.size());
    for (const Vec3& velocity : view.particles.velocity)
        speed.push_back(norm(velocity));
    return copy(speed);
}

std::vector<std::byte> pressures(const View& view) {
    std::vector<double> pressure;
    pressure.reserve(view.particles.size());
    for (std::size_t i = 0; i < view.particles.size(); ++i)
        pressure.push_back(view.particles.pressure(i, view.box.dimension));
    return copy(pressure);
}

std::vector<std::byte> walls_touched(const View& view) {
    std::vector<std::int32_t> walls;
    walls.reserve(view.contacts.size());
    for (const std::uint64_t partner : view.contacts.second)
        walls.push_back(is_wall(partner) ? static_cast<std::int32_t>(wall_index(partner)) : -1);
    return copy(walls);
}

std::vector<std::byte> ends(const View& view) {
    std::vector<Vec3> points;
    points.reserve(2 * view.contacts.size());
    for (std::size_t c = 0; c < view.contacts.size(); ++c) {
        points.push_back(view.contacts.from[c]);
        points.push_back(view.contacts.to[c]);
    }
    return copy(points);
}

using enum SnapshotNumber;
using P = ParticleView;
using C = ContactView;

std::vector<SnapshotColumn> particle_table() {
    return {
        SnapshotColumn{"id", identifier, 1, 1, Shown::scalar, "1", "Name of the particle for the whole run",
                       of_particles<&P::id>},
        SnapshotColumn{"position", real, 3, 1, Shown::points, "m",
                       "Centre, inside the box along periodic directions", of_particles<&P::position>},
        SnapshotColumn{"radius", real, 1, 1, Shown::scalar, "m", "Radius", of_particles<&P::radius>},
        SnapshotColumn{"mass", real, 1, 1, Shown::scalar, "kg", "Density times volume",
                       of_particles<&P::mass>},
        SnapshotColumn{"velocity", real, 3, 1, Shown::vector, "m/s", "Velocity of the centre",
                       of_particles<&P::velocity>},
        SnapshotColumn{"speed", real, 1, 1, Shown::scalar, "m/s", "Magnitude of the velocity", speeds},
        SnapshotColumn{"angular_velocity", real, 3, 1, Shown::vector, "rad/s", "Angular velocity",
                       of_particles<&P::angular_velocity>},
        SnapshotColumn{"material", small_integer, 1, 1, Shown::scalar, "1",
                       "Index in the materials of the input", of_particles<&P::material>},
        SnapshotColumn{"coordination", small_integer, 1, 1, Shown::scalar, "1",
                       "Number of contacts that carry a force, walls included",
                       of_particles<&P::coordination>},
        SnapshotColumn{"pressure", real, 1, 1, Shown::scalar, "Pa",
                       "Mean of the normal stresses of the particle, positive in compression (2-D: N/m)",
                       pressures},
        SnapshotColumn{
            "stress", real, 6, 1, Shown::tensor, "Pa",
            "Stress xx, yy, zz, xy, yz, xz of the contact forces per volume of the particle, positive "
            "in compression (2-D: N/m); with contacts as at the start of the last step",
            of_particles<&P::stress>},
        SnapshotColumn{"vertex", identifier, 1, 1, Shown::cells, "1",
                       "Row of position: what ParaView needs to see points", nullptr},
    };
}

std::vector<SnapshotColumn> contact_table() {
    return {
        SnapshotColumn{"first", identifier, 1, 1, Shown::no, "1", "Id of the first particle",
                       of_contacts<&C::first>},
        SnapshotColumn{"second", identifier, 1, 1, Shown::no, "1",
                       "Id of the second particle; 2^63 or more: a wall, see wall", of_contacts<&C::second>},
        SnapshotColumn{
            "wall", small_integer, 1, 1, Shown::scalar, "1",
            "Row in the group walls, which has the names, of the wall that is touched; -1: second is a "
            "particle",
            walls_touched},
        SnapshotColumn{"ends", real, 3, 2, Shown::points, "m",
                       "Two rows a contact: centre of the first particle, then centre of the second (nearest "
                       "image) or foot on the wall; at the start of the last step, when its force was found",
                       ends},
        SnapshotColumn{"normal", real, 3, 1, Shown::vector, "1",
                       "Unit vector from first to second, at the start of the last step",
                       of_contacts<&C::normal>},
        SnapshotColumn{"gap", real, 1, 1, Shown::scalar, "m",
                       "Distance of the surfaces at the start of the last step; negative: overlap",
                       of_contacts<&C::gap>},
        SnapshotColumn{"force", real, 3, 1, Shown::vector, "N", "Force on second in the last step",
                       of_contacts<&C::force>},
        SnapshotColumn{"normal_force", real, 1, 1, Shown::scalar, "N",
                       "Force along the normal; negative: tension", of_contacts<&C::normal_force>},
        SnapshotColumn{"tangential_force", real, 1, 1, Shown::scalar, "N",
                       "Magnitude of the force across the normal", of_contacts<&C::tangential_force>},
        SnapshotColumn{"mobilisation", real, 1, 1, Shown::scalar, "1",
                       "Tangential force over its limit; 0 where the limit is zero",
                       of_contacts<&C::mobilisation>},
        SnapshotColumn{"line", identifier, 2, 1, Shown::cells, "1",
                       "Rows of ends: what ParaView needs to see lines", nullptr},
    };
}

/// A column that an engine or a protocol declared: one of a table of the view.
SnapshotColumn declared(const ColumnInfo& info, std::size_t index, const ColumnTable& (*table)(const View&)) {
    const bool is_real = info.kind == WordKind::real;
    const Shown shown = info.width == 1 ? Shown::scalar : info.width == 3 ? Shown::vector : Shown::no;
    return {info.name,
            is_real ? real : integer,
            info.width,
            1,
            shown,
            info.unit,
            info.description,
            [=](const View& view) {
                const ColumnTable& from = table(view);
                const auto bytes =
                    is_real ? std::as_bytes(from.reals(index)) : std::as_bytes(from.integers(index));
                return std::vector<std::byte>(bytes.begin(), bytes.end());
            }};
}

/// The declared columns come before the last one, which ParaView needs.
std::vector<SnapshotColumn> with_declared(std::vector<SnapshotColumn> columns,
                                          std::span<const ColumnInfo> more,
                                          const ColumnTable& (*table)(const View&)) {
    for (std::size_t k = 0; k < more.size(); ++k)
        columns.insert(columns.end() - 1, declared(more[k], k, table));
    return columns;
}

void make_columns(hid_t file, const SnapshotGroup& group, std::size_t count, const SnapshotStorage& storage) {
    const auto parent = make_group(file, group.name);
    for (const auto& column : group.columns) {
        DatasetShape shape{{count * column.points}};
        if (storage.compression > 0 && count > 0) {
            shape.chunk = {std::min(count, storage.chunk_rows) * column.points};
            shape.compression = storage.compression;
        }
        if (column.width > 1) {
            shape.size.push_back(column.width);
            if (!shape.chunk.empty())
                shape.chunk.push_back(column.width);
        }
        make_dataset(parent, column.name.c_str(), column.file_type(), shape, column.unit.c_str(),
                     column.description.c_str());
    }
}

std::size_t room(const SnapshotGroup& group, std::size_t count, const SnapshotStorage& storage) {
    // A chunk that does not get smaller is stored as it is, and the last one is as long as the others. Before
    // its data every chunk holds zeros, compressed; and a tree finds them all.
    const std::size_t chunks = storage.compression > 0 ? count / storage.chunk_rows + 1 : 0;
    const std::size_t rows = std::max(count, std::min(chunks * storage.chunk_rows, 2 * count));
    std::size_t bytes = 0;
    for (const auto& column : group.columns)
        bytes += rows * column.bytes() + chunks * 1024 + 8192;
    return bytes;
}

/// Of numbers that have 64 bits.
WordKind word_kind(SnapshotNumber number) {
    return number == real      ? WordKind::real
           : number == integer ? WordKind::signed_integer
                               : WordKind::unsigned_integer;
}

const char* name_of(Boundary boundary) {
    switch (boundary) {
    case Boundary::periodic:
        return "periodic";
    case Boundary::wall:
        return "wall";
    default:
        return "open";
    }
}

} // namespace

hid_t SnapshotColumn::memory_type() const {
    return number == small_integer ? H5T_NATIVE_INT32 : tamp::memory_type(word_kind(number));
}

hid_t SnapshotColumn::file_type() const {
    return number == small_integer ? H5T_STD_I32LE : tamp::file_type(word_kind(number));
}

SnapshotGroup particle_group(std::span<const ColumnInfo> attributes) {
    return {"particles",
            with_declared(particle_table(), attributes,
                          [](const View& view) -> const ColumnTable& { return view.particles.attributes; })};
}
SnapshotGroup contact_group(std::span<const ColumnInfo> history) {
    return {"contacts", with_declared(contact_table(), history, [](const View& view) -> const ColumnTable& {
                return view.contacts.history;
            })};
}

std::vector<std::byte> snapshot_image(const RunIdentity& identity, const SnapshotHeader& header,
                                      const SnapshotGroups& groups, std::span<const Wall> walls,
                                      std::size_t particles, std::size_t contacts, bool with_contacts,
                                      const SnapshotStorage& storage) {
    return file_image({}, [&](hid_t file) {
        write_identity(file, snapshot_format, snapshot_format_version, identity);
        const Box& box = header.box;
        write_number(file, "time", WordKind::real, header.time);
        write_number(file, "time_step", WordKind::real, header.time_step);
        write_number(file, "step", WordKind::signed_integer, header.step);
        write_attribute(file, "stage", header.stage);
        write_number(file, "dimension", WordKind::signed_integer, std::int64_t{box.dimension});
        write_number(file, "lower", WordKind::real, box.lower);
        write_number(file, "upper", WordKind::real, box.upper);
        std::array<std::string, 3> boundary;
        std::ranges::transform(box.boundary, boundary.begin(), name_of);
        write_attribute(file, "boundary", boundary);
        make_columns(file, groups.particles, particles, storage);
        if (with_contacts)
            make_columns(file, groups.contacts, contacts, storage);
        make_walls(file, "walls", walls);
    });
}

std::size_t snapshot_room(const SnapshotGroups& groups, std::size_t particles, std::size_t contacts,
                          bool with_contacts, const SnapshotStorage& storage) {
    return room(groups.particles, particles, storage) +
           (with_contacts ? room(groups.contacts, contacts, storage) : 0);
}

} // namespace tamp
