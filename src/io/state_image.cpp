#include "tamp/base/version.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

using enum WordKind;

Hdf5Handle make_column(hid_t group, const Column& column, std::size_t count) {
    const auto shape =
        column.width == 1 ? std::vector<hsize_t>{count} : std::vector<hsize_t>{count, column.width};
    return make_dataset(group, column.name, file_type(column.kind), {shape}, column.unit, column.description);
}

void make_state_attributes(hid_t file, const StateHeader& header, const StateHash& hash,
                           const StateHash& data) {
    const auto text = [&](const char* name, const std::string& value) { write_attribute(file, name, value); };
    const auto number = [&](const char* name, WordKind kind, const auto& value) {
        write_number(file, name, kind, value);
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
    if (header.gravity)
        number("gravity", real, *header.gravity);
    text("input", header.input);
    text("state_hash", hash.text());
    text("data_hash", data.text());
}

void make_names(hid_t group, std::span<const std::string> names) {
    std::vector<const char*> texts;
    for (const std::string& name : names)
        texts.push_back(name.c_str());
    const auto type = text_type();
    const auto dataset = make_dataset(group, "name", type, {{names.size()}}, "1", "Name in the input");
    if (!names.empty())
        hdf5_check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
}

void make_walls(hid_t file, const std::string& name, std::span<const Wall> walls) {
    const auto group = make_group(file, name);
    const auto table = wall_table(walls);
    std::vector<std::string> names;
    for (const auto& wall : walls)
        names.push_back(wall.name);
    make_names(group, names);
    const auto write = [&](const Column& column, const void* words) {
        const auto dataset = make_column(group, column, walls.size());
        if (!walls.empty())
            hdf5_check(H5Dwrite(dataset, memory_type(column.kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, words));
    };
    for (const WordTable& one : {table, wall_shape_table(walls)})
        for (const auto& column : columns_of(one.columns))
            write(column, gather(column, std::as_bytes(std::span(one.words)), 8 * one.row_words()).data());
    std::vector<Vec3> torques;
    for (const auto& wall : walls)
        torques.push_back(wall.torque);
    const std::vector torque_columns{wall_torque_column()};
    write(columns_of(torque_columns).front(), torques.data());
}

} // namespace tamp
