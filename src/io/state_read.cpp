#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/hdf5.hpp"
#include "tamp/io/seal.hpp"
#include "tamp/io/state_file.hpp"
#include "tamp/io/state_layout.hpp"

namespace tamp {

namespace {

/// A state file that is open for reading, and its complaints.
class Reader {
public:
    explicit Reader(const std::string& path) : path_(path) {
        // Asked of the system first: its reasons are clearer than HDF5's.
        const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (probe < 0)
            fail(fmt::format("{}. Check the name and the permissions", std::strerror(errno)));
        ::close(probe);
        if (std::filesystem::is_directory(path))
            fail("it is a folder. Name the file in it");
        if (H5Fis_hdf5(path.c_str()) <= 0)
            fail("it is not an HDF5 file, or its beginning is lost. Choose a file that tamp wrote");
        if (seal_is_broken(path))
            damaged("its structure does not match its seal");
        file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
        if (!file_.valid())
            damaged(hdf5_reason());
        check_format();
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw FileError(fmt::format("cannot read {}: {}.", path_, what));
    }
    [[noreturn]] void damaged(const std::string& what) const {
        fail(fmt::format("the file is damaged or incomplete ({}). Use an older file, or write it again",
                         what));
    }

    void text(const char* name, std::string& value) const {
        if (!read_attribute(file_, name, value))
            damaged(fmt::format("no attribute {}", name));
    }
    template <class T>
    void number(const char* name, WordKind kind, T& value) const {
        static_assert(sizeof value % 8 == 0);
        if (!read_attribute(file_, name, kind, std::as_writable_bytes(std::span(&value, 1))))
            damaged(fmt::format("no attribute {}", name));
    }

    template <class Record>
    std::vector<Record> records(const std::string& group, std::span<const Column> columns) const {
        std::vector<Record> records;
        for (const auto& column : columns) {
            const auto name = group + "/" + column.name;
            const auto dataset = open(name, column.kind);
            const auto count = rows(dataset, name, column.width);
            if (&column == columns.data())
                records.resize(count);
            if (records.size() != count)
                damaged(fmt::format("/{} has {} rows instead of {}", name, count, records.size()));
            std::vector<std::byte> words(count * column.width * 8);
            if (count > 0 &&
                H5Dread(dataset, memory_type(column.kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()) < 0)
                damaged(fmt::format("/{}: {}", name, hdf5_reason()));
            scatter(column, words, std::as_writable_bytes(std::span(records)), sizeof(Record));
        }
        return records;
    }

    std::vector<std::string> texts(const std::string& name) const {
        const auto dataset = open_any(name);
        const Hdf5Handle stored(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
        if (H5Tis_variable_str(stored) <= 0)
            damaged(fmt::format("/{} is not text", name));
        std::vector<char*> pointers(rows(dataset, name, 1));
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

private:
    void check_format() const {
        std::string format;
        std::int64_t format_version = 0;
        if (!read_attribute(file_, "format", format) || format != state_format)
            fail("it is an HDF5 file, but not a tamp state. Choose a file that tamp wrote");
        number("format_version", WordKind::signed_integer, format_version);
        if (format_version != state_format_version)
            fail(fmt::format(
                "its format version is {}, and this tamp reads version {}. Use the tamp that wrote it",
                format_version, state_format_version));
    }

    Hdf5Handle open_any(const std::string& name) const {
        Hdf5Handle dataset(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
        if (!dataset.valid())
            damaged(fmt::format("no dataset /{}", name));
        return dataset;
    }

    Hdf5Handle open(const std::string& name, WordKind kind) const {
        auto dataset = open_any(name);
        const Hdf5Handle stored(H5Dget_type(dataset), H5Tclose);
        if (H5Tequal(stored, file_type(kind)) <= 0)
            damaged(fmt::format("/{} has numbers of another type", name));
        return dataset;
    }

    std::size_t rows(hid_t dataset, const std::string& name, std::size_t width) const {
        const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
        hsize_t shape[2] = {0, 1};
        const int dimensions = H5Sget_simple_extent_ndims(space);
        if (dimensions != (width == 1 ? 1 : 2) || H5Sget_simple_extent_dims(space, shape, nullptr) < 0 ||
            shape[1] != width)
            damaged(fmt::format("/{} has the wrong shape", name));
        // A damaged size would otherwise end in an allocation that nobody can serve.
        if (shape[0] * width * 8 > H5Dget_storage_size(dataset))
            damaged(fmt::format("/{} is shorter than it says", name));
        return shape[0];
    }

    std::string path_;
    Hdf5Handle file_;
};

StateHeader read_header(const Reader& reader) {
    using enum WordKind;
    StateHeader header;
    std::int64_t dimension = 0, ranks = 0;
    reader.number("time", real, header.time);
    reader.number("step", signed_integer, header.step);
    reader.number("time_step", real, header.time_step);
    reader.number("dimension", signed_integer, dimension);
    reader.text("stage", header.stage);
    reader.number("seed", unsigned_integer, header.seed);
    reader.number("ranks", signed_integer, ranks);
    reader.number("lower", real, header.lower);
    reader.number("upper", real, header.upper);
    reader.text("input", header.input);
    if (dimension != 2 && dimension != 3)
        reader.damaged(fmt::format("{} dimensions", dimension));
    header.dimension = static_cast<int>(dimension);
    header.ranks = static_cast<int>(ranks);
    return header;
}

void check_hash(const Reader& reader, const char* name, const StateHash& hash) {
    std::string stored;
    reader.text(name, stored);
    if (hash.text() != stored)
        reader.damaged(fmt::format("the data do not match their {}: {} is stored, {} is found", name, stored,
                                   hash.text()));
}

} // namespace

State read_state(const std::string& path) {
    const QuietHdf5 quiet;
    const Reader reader(path);
    State state;
    state.header = read_header(reader);
    reader.text("version", state.version);
    reader.text("revision", state.revision);
    state.grains = reader.records<Grain>("particles", grain_columns());
    state.contacts = reader.records<ContactRecord>("contacts", contact_columns());
    const auto walls = reader.records<WallRecord>("walls", wall_columns());
    const auto names = reader.texts("walls/name");
    if (names.size() != walls.size())
        reader.damaged(fmt::format("{} names for {} walls", names.size(), walls.size()));
    for (std::size_t i = 0; i < walls.size(); ++i)
        state.walls.push_back(to_wall(walls[i], names[i]));

    if (std::ranges::adjacent_find(state.grains, std::ranges::greater_equal{}, &Grain::id) !=
        state.grains.end())
        reader.damaged("the ids of the particles do not grow");
    state.hash = state_hash(state.grains, state.contacts);
    check_hash(reader, "state_hash", state.hash);
    check_hash(reader, "data_hash", data_hash(state.grains, state.contacts, state.walls));
    return state;
}

std::string describe_state(const std::string& path) {
    const auto state = read_state(path);
    const auto& header = state.header;
    const auto loaded = std::ranges::count_if(state.contacts, [](const ContactRecord& contact) {
        return contact.impulse != Vec3{0, 0, 0};
    });
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("{:<12} {}\n", fmt::format("{}:", name), value);
    };
    const auto corner = [](const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); };
    line("file", path);
    line("format", fmt::format("{} {}", state_format, state_format_version));
    line("written by", fmt::format("tamp {} ({}) on {} rank{}", state.version, state.revision, header.ranks,
                                   header.ranks == 1 ? "" : "s"));
    line("stage", header.stage);
    line("time", fmt::format("{} s", header.time));
    line("step", fmt::format("{} (last time step {} s)", header.step, header.time_step));
    line("seed", fmt::format("{}", header.seed));
    line("box",
         fmt::format("{} to {} m, {}-D", corner(header.lower), corner(header.upper), header.dimension));
    line("particles", fmt::format("{}", state.grains.size()));
    if (!state.grains.empty()) {
        const auto [smallest, largest] = std::ranges::minmax(state.grains, {}, &Grain::radius);
        line("diameters", fmt::format("{} to {} m", 2 * smallest.radius, 2 * largest.radius));
    }
    line("contacts", fmt::format("{}, {} of them loaded", state.contacts.size(), loaded));
    line("walls", fmt::format("{}", state.walls.size()));
    line("input", fmt::format("{} bytes", header.input.size()));
    text += fmt::format("state hash: {}\n", state.hash.text());
    return text;
}

} // namespace tamp
