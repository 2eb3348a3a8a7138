#include "tamp/io/reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/seal.hpp"

namespace tamp {

std::string opening_problem(const std::string& path) {
    const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (probe < 0)
        return fmt::format("cannot read {}: {}. Check the name and the permissions.", path,
                           std::strerror(errno));
    ::close(probe);
    if (std::filesystem::is_directory(path))
        return fmt::format("cannot read {}: it is a folder. Name the file in it.", path);
    return {};
}

Reader::Reader(const std::string& path) : path_(path) {
    // Asked of the system first: its reasons are clearer than HDF5's.
    if (const std::string problem = opening_problem(path); !problem.empty())
        throw FileError(problem);
    if (H5Fis_hdf5(path.c_str()) <= 0)
        fail("it is not an HDF5 file, or its beginning is lost. Choose a file that tamp wrote");
    if (seal_is_broken(path))
        damaged("its structure does not match its seal");
    file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file_.valid())
        damaged(hdf5_reason());
}

std::string Reader::format() const {
    std::string format;
    return read_attribute(file_, "format", format) ? format : std::string();
}

void Reader::check_format(const char* expected, std::int64_t version, const char* what) const {
    if (format() != expected)
        fail(fmt::format("it is an HDF5 file, but not {}. Choose a file that tamp wrote", what));
    std::int64_t found = 0;
    number("format_version", WordKind::signed_integer, found);
    if (found != version)
        fail(fmt::format(
            "its format version is {}, and this tamp reads version {}. Use the tamp that wrote it", found,
            version));
}

void Reader::fail(const std::string& what) const {
    throw FileError(fmt::format("cannot read {}: {}.", path_, what));
}

void Reader::damaged(const std::string& what) const {
    fail(fmt::format("the file is damaged or incomplete ({}). Use an older file, or write it again", what));
}

bool Reader::has(const char* name) const { return H5Aexists(file_, name) > 0; }

void Reader::text(const char* name, std::string& value) const {
    if (!read_attribute(file_, name, value))
        damaged(fmt::format("no attribute {}", name));
}

void Reader::words(const char* name, WordKind kind, std::span<std::byte> value) const {
    if (!read_attribute(file_, name, kind, value))
        damaged(fmt::format("no attribute {}", name));
}

Hdf5Handle Reader::open_words(const std::string& name, WordKind kind) const {
    auto dataset = open_any(name);
    const Hdf5Handle stored(H5Dget_type(dataset), H5Tclose);
    if (H5Tequal(stored, file_type(kind)) <= 0)
        damaged(fmt::format("/{} has numbers of another type", name));
    return dataset;
}

std::vector<std::byte> Reader::dataset(const std::string& name, WordKind kind, std::size_t width) const {
    const auto dataset = open_words(name, kind);
    const auto count = row_count(dataset, name, width);
    std::vector<std::byte> bytes(count * width * 8);
    if (count > 0 && H5Dread(dataset, memory_type(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
        damaged(fmt::format("/{}: {}", name, hdf5_reason()));
    return bytes;
}

std::vector<std::byte> Reader::rows(const std::string& name, WordKind kind, std::size_t width,
                                    const Slab& slab) const {
    const auto dataset = open_words(name, kind);
    const auto found = row_count(dataset, name, width);
    if (found != slab.total)
        wrong_rows(name, found, slab.total);
    std::vector<std::byte> bytes(slab.count * width * 8);
    if (slab.count == 0)
        return bytes;
    const hsize_t begin[] = {slab.begin, 0}, count[] = {slab.count, width}, numbers = slab.count * width;
    const Hdf5Handle in_file(H5Dget_space(dataset), H5Sclose),
        in_memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(in_file, H5S_SELECT_SET, begin, nullptr, count, nullptr) < 0 ||
        H5Dread(dataset, memory_type(kind), in_memory, in_file, H5P_DEFAULT, bytes.data()) < 0)
        damaged(fmt::format("/{}: {}", name, hdf5_reason()));
    return bytes;
}

std::vector<ColumnInfo> Reader::columns_in(const std::string& group) const {
    const Hdf5Handle opened(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
    std::string names;
    if (!opened.valid() || !read_attribute(opened, columns_attribute, names))
        damaged(fmt::format("/{} has no list of columns", group));
    std::vector<ColumnInfo> columns;
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(' ', begin), names.size());
        const std::string name = names.substr(begin, end - begin), path = group + "/" + name;
        begin = end + 1;
        const auto size = shape(path);
        const Hdf5Handle stored(H5Dget_type(open_any(path)), H5Tclose);
        std::optional<WordKind> kind;
        for (const WordKind one : {WordKind::real, WordKind::signed_integer, WordKind::unsigned_integer})
            if (H5Tequal(stored, file_type(one)) > 0)
                kind = one;
        if (!kind || size.empty() || size.size() > 2)
            damaged(fmt::format("/{} is not a column of numbers", path));
        columns.push_back({name, size.size() == 2 ? static_cast<std::size_t>(size[1]) : 1, *kind, unit(path),
                           attribute_of(path, "description")});
    }
    return columns;
}

void Reader::check_columns(const std::string& group, std::span<const ColumnInfo> found,
                           std::span<const ColumnInfo> expected) const {
    for (std::size_t k = 0; k < expected.size(); ++k)
        if (k >= found.size() || found[k].name != expected[k].name || found[k].width != expected[k].width ||
            found[k].kind != expected[k].kind)
            damaged(fmt::format("/{} has no proper column {}", group, expected[k].name));
}

WordTable Reader::word_table(const std::string& group, std::span<const ColumnInfo> expected) const {
    const auto columns = columns_in(group);
    check_columns(group, columns, expected);
    return table_of(group, columns);
}

WordTable Reader::table_of(const std::string& group, std::vector<ColumnInfo> columns) const {
    WordTable table{std::move(columns)};
    const std::size_t row_bytes = 8 * table.row_words();
    std::size_t rows = 0;
    for (const Column& column : columns_of(table.columns)) {
        const auto name = group + "/" + column.name;
        const auto values = dataset(name, column.kind, column.width);
        const auto count = values.size() / (8 * column.width);
        if (column.offset == 0) {
            rows = count;
            table.words.resize(rows * row_bytes / 8);
        }
        if (count != rows)
            wrong_rows(name, count, rows);
        scatter(column, values, std::as_writable_bytes(std::span(table.words)), row_bytes);
    }
    return table;
}

std::vector<Wall> Reader::walls(const std::string& group) const {
    const auto stored = table_of(group, wall_columns());
    const auto names = texts(group + "/name");
    if (names.size() != stored.rows())
        damaged(fmt::format("{} names for {} walls", names.size(), stored.rows()));
    std::vector<Wall> walls;
    for (std::size_t i = 0; i < names.size(); ++i)
        walls.push_back(wall_of(stored.row(i), names[i]));
    const ColumnInfo torque = wall_torque_column();
    if (std::ranges::count(datasets_in(group), torque.name) > 0) {
        const auto torques = table_of(group, {torque});
        if (torques.rows() != walls.size())
            wrong_rows(group + "/" + torque.name, torques.rows(), walls.size());
        for (std::size_t i = 0; i < walls.size(); ++i)
            std::memcpy(&walls[i].torque, torques.row(i).data(), sizeof walls[i].torque);
    }
    const auto shapes = wall_shape_columns();
    if (std::ranges::count(datasets_in(group), shapes.front().name) > 0) {
        const auto rows = table_of(group, shapes);
        if (rows.rows() != walls.size())
            wrong_rows(group + "/" + shapes.front().name, rows.rows(), walls.size());
        for (std::size_t i = 0; i < walls.size(); ++i)
            set_shape(rows.row(i), walls[i]);
    }
    return walls;
}

std::vector<std::string> Reader::texts(const std::string& name) const {
    const auto dataset = open_any(name);
    const Hdf5Handle stored(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
    if (H5Tis_variable_str(stored) <= 0)
        damaged(fmt::format("/{} is not text", name));
    std::vector<char*> pointers(row_count(dataset, name, 1));
    const auto type = text_type();
    if (!pointers.empty() && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
        damaged(fmt::format("/{}: {}", name, hdf5_reason()));
    std::vector<std::string> texts;
    for (const char* pointer : pointers)
        texts.emplace_back(pointer ? pointer : "");
    if (!pointers.empty())
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
    return texts;
}

void Reader::wrong_rows(const std::string& name, std::size_t found, std::size_t expected) const {
    damaged(fmt::format("/{} has {} rows instead of {}", name, found, expected));
}

Hdf5Handle Reader::open_any(const std::string& name) const {
    Hdf5Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid())
        damaged(fmt::format("no dataset /{}", name));
    return dataset;
}

std::size_t Reader::row_count(hid_t dataset, const std::string& name, std::size_t width) const {
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    hsize_t size[2] = {0, 1};
    const int dimensions = H5Sget_simple_extent_ndims(space);
    if (dimensions != (width == 1 ? 1 : 2) || H5Sget_simple_extent_dims(space, size, nullptr) < 0 ||
        size[1] != width)
        damaged(fmt::format("/{} has the wrong shape", name));
    // A damaged size would otherwise end in an allocation that nobody can serve.
    if (size[0] * width * 8 > H5Dget_storage_size(dataset))
        damaged(fmt::format("/{} is shorter than it says", name));
    return size[0];
}

std::vector<hsize_t> Reader::shape(const std::string& name) const {
    const auto dataset = open_any(name);
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    const int dimensions = H5Sget_simple_extent_ndims(space);
    if (dimensions < 0)
        damaged(fmt::format("/{} has no shape", name));
    std::vector<hsize_t> size(static_cast<std::size_t>(dimensions));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    return size;
}

std::optional<std::string> Reader::find_attribute(const std::string& name, const char* attribute) const {
    std::string text;
    return read_attribute(open_any(name), attribute, text) ? std::optional(text) : std::nullopt;
}

std::string Reader::attribute_of(const std::string& name, const char* attribute) const {
    const std::optional<std::string> text = find_attribute(name, attribute);
    if (!text)
        damaged(fmt::format("/{} has no {}", name, attribute));
    return *text;
}

std::string Reader::unit(const std::string& name) const { return attribute_of(name, "unit"); }

std::vector<std::string> Reader::members(const std::string& group, H5O_type_t type) const {
    struct Found {
        H5O_type_t type;
        std::vector<std::string> names{};
    } found{type};
    const auto visit = [](hid_t parent, const char* name, const H5L_info_t* link, void* data) -> herr_t {
        auto& to = *static_cast<Found*>(data);
        H5O_info_t object;
        if (link->type == H5L_TYPE_HARD && H5Oget_info_by_name(parent, name, &object, H5P_DEFAULT) >= 0 &&
            object.type == to.type)
            to.names.emplace_back(name);
        return 0;
    };
    if (H5Literate_by_name(file_, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &found,
                           H5P_DEFAULT) < 0)
        damaged(fmt::format("{}: {}", group, hdf5_reason()));
    return found.names;
}

std::vector<std::string> Reader::datasets_in(const std::string& group) const {
    return members(group, H5O_TYPE_DATASET);
}

std::vector<std::string> Reader::groups_in(const std::string& group) const {
    return members(group, H5O_TYPE_GROUP);
}

} // namespace tamp
