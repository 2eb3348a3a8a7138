#include "tamp/base/version.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

namespace {

using enum WordKind;

Hdf5Handle make_properties(hid_t kind) { return {hdf5_check(H5Pcreate(kind)), H5Pclose}; }

Hdf5Handle make_dataset(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                        const char* unit, const char* description) {
    const Hdf5Handle space(
        hdf5_check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)), H5Sclose);
    const auto settings = make_properties(H5P_DATASET_CREATE);
    hdf5_check(H5Pset_obj_track_times(settings, false)); // the same state gives the same file
    Hdf5Handle dataset(hdf5_check(H5Dcreate2(group, name, type, space, H5P_DEFAULT, settings, H5P_DEFAULT)),
                       H5Dclose);
    write_attribute(dataset, "unit", unit);
    write_attribute(dataset, "description", description);
    return dataset;
}

Hdf5Handle make_dataset(hid_t group, const Column& column, std::size_t count) {
    const auto shape =
        column.width == 1 ? std::vector<hsize_t>{count} : std::vector<hsize_t>{count, column.width};
    return make_dataset(group, column.name, file_type(column.kind), shape, column.unit, column.description);
}

Hdf5Handle make_group(hid_t file, const char* name) {
    const auto settings = make_properties(H5P_GROUP_CREATE);
    hdf5_check(H5Pset_obj_track_times(settings, false));
    return {hdf5_check(H5Gcreate2(file, name, H5P_DEFAULT, settings, H5P_DEFAULT)), H5Gclose};
}

void make_empty_group(hid_t file, const char* name, std::span<const Column> columns, std::size_t count) {
    const auto group = make_group(file, name);
    for (const auto& column : columns)
        make_dataset(group, column, count);
}

void make_walls(hid_t file, std::span<const Wall> walls) {
    const auto group = make_group(file, "walls");
    std::vector<WallRecord> records;
    std::vector<const char*> names;
    for (const auto& wall : walls) {
        records.push_back(to_record(wall));
        names.push_back(wall.name.c_str());
    }
    const auto write = [&](hid_t dataset, hid_t type, const void* data) {
        if (!walls.empty())
            hdf5_check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    };
    const auto text = text_type();
    write(make_dataset(group, "name", text, {walls.size()}, "1", "Name in the input"), text, names.data());
    for (const auto& column : wall_columns())
        write(make_dataset(group, column, walls.size()), memory_type(column.kind),
              gather(column, std::as_bytes(std::span(records)), sizeof(WallRecord)).data());
}

void make_attributes(hid_t file, const StateHeader& header, const StateHash& hash, const StateHash& data) {
    const auto text = [&](const char* name, const std::string& value) { write_attribute(file, name, value); };
    const auto number = [&](const char* name, WordKind kind, const auto& value) {
        static_assert(sizeof value % 8 == 0);
        write_attribute(file, name, kind, std::as_bytes(std::span(&value, 1)));
    };
    text("format", state_format);
    number("format_version", signed_integer, state_format_version);
    text("version", version());
    text("revision", revision());
    number("time", real, header.time);
    number("step", signed_integer, header.step);
    number("time_step", real, header.time_step);
    number("dimension", signed_integer, std::int64_t{header.dimension});
    text("stage", header.stage);
    number("seed", unsigned_integer, header.seed);
    number("ranks", signed_integer, std::int64_t{header.ranks});
    number("lower", real, header.lower);
    number("upper", real, header.upper);
    text("input", header.input);
    text("state_hash", hash.text());
    text("data_hash", data.text());
}

} // namespace

std::vector<std::byte> state_image(const StateHeader& header, std::size_t grains, std::size_t contacts,
                                   std::span<const Wall> walls, const StateHash& hash,
                                   const StateHash& data) {
    const auto access = make_properties(H5P_FILE_ACCESS), creation = make_properties(H5P_FILE_CREATE);
    hdf5_check(H5Pset_fapl_core(access, std::size_t{1} << 16, false));
    hdf5_check(H5Pset_obj_track_times(creation, false));
    const Hdf5Handle file(hdf5_check(H5Fcreate("tamp-state-in-memory", H5F_ACC_TRUNC, creation, access)),
                          H5Fclose);
    make_attributes(file, header, hash, data);
    make_empty_group(file, "particles", grain_columns(), grains);
    make_empty_group(file, "contacts", contact_columns(), contacts);
    make_walls(file, walls);
    hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    std::vector<std::byte> bytes(static_cast<std::size_t>(hdf5_check(H5Fget_file_image(file, nullptr, 0))));
    hdf5_check(H5Fget_file_image(file, bytes.data(), bytes.size()));
    return bytes;
}

} // namespace tamp
