#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tamp/io/checkpoint_file.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/series_file.hpp"
#include "tamp/io/snapshot_index.hpp"
#include "tamp/io/snapshot_layout.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {

namespace {

using enum WordKind;

std::string triple(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }

std::string writer(const std::string& version, const std::string& revision, std::int64_t ranks) {
    return fmt::format("tamp {} ({}) on {} rank{}", version, revision, ranks, ranks == 1 ? "" : "s");
}

struct Lines {
    std::string text;
    void add(const std::string& name, const std::string& value) {
        text += fmt::format("{:<12} {}\n", fmt::format("{}:", name), value);
    }
};

/// " [m]: what it is", as far as the file says it.
std::string meaning(const Reader& reader, const std::string& dataset) {
    const auto unit = reader.find_attribute(dataset, "unit"),
               description = reader.find_attribute(dataset, "description");
    return (unit ? fmt::format(" [{}]", *unit) : "") +
           (description && !description->empty() ? fmt::format(": {}", *description) : "");
}

/// Rows, components, unit and meaning of every dataset in a group and the groups in it, a line each.
void describe_datasets(const Reader& reader, const std::string& group, Lines& lines) {
    for (const auto& name : reader.datasets_in(group.empty() ? "/" : group)) {
        const std::string path = group + name;
        lines.text +=
            fmt::format("  {} {}{}\n", path, fmt::join(reader.shape(path), " x "), meaning(reader, path));
    }
    for (const auto& member : reader.groups_in(group.empty() ? "/" : group))
        describe_datasets(reader, group + member + "/", lines);
}

/// Those whose first remembered column, which their force is made of, is not zero.
std::size_t loaded_contacts(const WordTable& contacts) {
    const std::size_t width = contacts.row_words();
    const std::size_t force = contacts.columns.size() > 4 ? contacts.columns[4].width : 0;
    std::size_t loaded = 0;
    for (std::size_t at = state_touch_words; at < contacts.words.size(); at += width)
        loaded += std::ranges::any_of(std::span(contacts.words).subspan(at, force), [](std::uint64_t word) {
            return word << 1 != 0; // neither 0.0 nor -0.0
        });
    return loaded;
}

std::string describe_run_state(const std::string& path) {
    const auto state = read_state(path);
    const auto& header = state.header;
    const auto grains = grains_of(state.tables.particles);
    Lines lines;
    lines.add("file", path);
    lines.add("format", fmt::format("{} {}", state_format, state_format_version));
    lines.add("written by", writer(state.version, state.revision, header.ranks));
    lines.add("stage", header.stage);
    lines.add("time", fmt::format("{} s", header.time));
    lines.add("step", fmt::format("{} (last time step {} s)", header.step, header.time_step));
    lines.add("seed", fmt::format("{}", header.seed));
    lines.add("box",
              fmt::format("{} to {} m, {}-D", triple(header.lower), triple(header.upper), header.dimension));
    if (header.gravity)
        lines.add("gravity", fmt::format("{} m/s^2", triple(*header.gravity)));
    lines.add("particles", fmt::format("{}", grains.size()));
    if (!grains.empty()) {
        const auto [smallest, largest] = std::ranges::minmax(grains, {}, &Grain::radius);
        lines.add("diameters", fmt::format("{} to {} m", 2 * smallest.radius, 2 * largest.radius));
    }
    lines.add("contacts", fmt::format("{}, {} of them loaded", state.tables.contacts.rows(),
                                      loaded_contacts(state.tables.contacts)));
    lines.add("walls", fmt::format("{}", state.walls.size()));
    lines.add("input", fmt::format("{} bytes", header.input.size()));
    lines.text += fmt::format("state hash: {}\n", state.hash.text());
    describe_datasets(Reader(path), "", lines);
    return lines.text;
}

/// What write_identity wrote.
Lines describe_identity(const Reader& reader, const std::string& path, const char* format,
                        std::int64_t format_version) {
    reader.check_format(format, format_version, "of tamp");
    std::string title, input, version, revision;
    std::uint64_t seed = 0;
    std::int64_t ranks = 0;
    reader.text("title", title);
    reader.text("input", input);
    reader.text("version", version);
    reader.text("revision", revision);
    reader.number("seed", unsigned_integer, seed);
    reader.number("ranks", signed_integer, ranks);
    Lines lines;
    lines.add("file", path);
    lines.add("format", fmt::format("{} {}", format, format_version));
    lines.add("written by", writer(version, revision, ranks));
    lines.add("title", title);
    lines.add("input", fmt::format("{} bytes", input.size()));
    lines.add("seed", fmt::format("{}", seed));
    return lines;
}

std::string describe_snapshot(const Reader& reader, const std::string& path) {
    auto lines = describe_identity(reader, path, snapshot_format, snapshot_format_version);
    double time = 0;
    std::int64_t step = 0, dimension = 0;
    std::string stage;
    Vec3 lower{}, upper{};
    reader.number("time", real, time);
    reader.number("step", signed_integer, step);
    reader.text("stage", stage);
    reader.number("dimension", signed_integer, dimension);
    reader.number("lower", real, lower);
    reader.number("upper", real, upper);
    lines.add("stage", stage);
    lines.add("time", fmt::format("{} s", time));
    lines.add("step", fmt::format("{}", step));
    lines.add("box", fmt::format("{} to {} m, {}-D", triple(lower), triple(upper), dimension));
    lines.add("particles", fmt::format("{}", reader.shape("particles/id")[0]));
    const bool contacts = std::ranges::count(reader.groups_in("/"), "contacts") > 0;
    lines.add("contacts", contacts ? fmt::format("{}", reader.shape("contacts/first")[0]) : "not stored");
    lines.add("walls", fmt::format("{}", fmt::join(reader.texts("walls/name"), ", ")));
    describe_datasets(reader, "", lines);
    return lines.text;
}

std::string describe_checkpoint(const Reader& reader, const std::string& path) {
    auto lines = describe_identity(reader, path, checkpoint_format, checkpoint_format_version);
    const auto checkpoint = read_checkpoint(Communicator(MPI_COMM_SELF), path); // checks all data
    const auto& world = checkpoint.world;
    lines.add("case", checkpoint.case_path);
    lines.add("stage", fmt::format("{}, {} steps in it", checkpoint.stage_name, checkpoint.run.stage_steps));
    lines.add("time", fmt::format("{} s", world.time));
    lines.add("step", fmt::format("{} (last time step {} s)", world.totals.steps, world.last_time_step));
    lines.add("particles", fmt::format("{}", world.particles.rows()));
    lines.add("contacts", fmt::format("{}", world.contacts.rows()));
    lines.add("walls", fmt::format("{}", world.walls.size()));
    lines.add("wall time", fmt::format("{:.0f} s in {} leg{}", checkpoint.run.wall_seconds,
                                       checkpoint.run.legs, checkpoint.run.legs == 1 ? "" : "s"));
    if (const auto& ranks = checkpoint.run.block_ranks; !ranks.empty())
        lines.add("scheme", fmt::format("block on {} rank{}", fmt::join(ranks, ", then "),
                                        ranks.size() == 1 && ranks[0] == 1 ? "" : "s"));
    lines.text += fmt::format("state hash: {}\n", checkpoint.state_hash);
    describe_datasets(reader, "", lines);
    return lines.text;
}

std::string describe_index(const Reader& reader, const std::string& path) {
    auto lines = describe_identity(reader, path, snapshot_index_format, snapshot_format_version);
    const auto entries = read_index(path);
    lines.add("snapshots", fmt::format("{}", entries.size()));
    for (const auto& [step, time, particles, contacts] : entries)
        lines.text += fmt::format("  {}: {} s, {} particles, {} contacts\n", snapshot_path(step), time,
                                  particles, contacts);
    return lines.text;
}

// Groups of a series end in '/', but the file itself is "".

std::string object(const std::string& group) { return group.empty() ? "/" : group; }

bool has_time(const Reader& reader, const std::string& group) {
    return std::ranges::count(reader.datasets_in(object(group)), "time") > 0;
}

/// The datasets of a table that are in the group `inside`, and in groups of that which have no time of their
/// own, as wall/floor/force_x. The others are `tables`.
void describe_columns(const Reader& reader, const std::string& table, const std::string& inside, Lines& lines,
                      std::vector<std::string>& tables) {
    const auto group = table + inside;
    for (const auto& name : reader.datasets_in(object(group))) {
        auto shape = reader.shape(group + name);
        if (shape.empty())
            reader.damaged(fmt::format("/{}{} has no rows", group, name));
        shape.erase(shape.begin());
        lines.text += fmt::format("  {}{}{}{}\n", inside, name,
                                  shape.empty() ? "" : fmt::format(" {}", fmt::join(shape, " x ")),
                                  meaning(reader, group + name));
    }
    for (const auto& member : reader.groups_in(object(group))) {
        const auto name = member + "/";
        if (has_time(reader, group + name))
            tables.push_back(group + name);
        else
            describe_columns(reader, table, inside + name, lines, tables);
    }
}

/// A group with a time, or the file itself, and the tables inside.
void describe_table(const Reader& reader, const std::string& group, Lines& lines) {
    const auto times =
        has_time(reader, group) ? reader.column<double>(group + "time", real) : std::vector<double>();
    lines.add(fmt::format("/{}", group.substr(0, group.find_last_of('/'))),
              times.empty() ? "no rows"
                            : fmt::format("{} row{}, {} to {} s", times.size(), times.size() == 1 ? "" : "s",
                                          times.front(), times.back()));
    std::vector<std::string> tables;
    describe_columns(reader, group, "", lines, tables);
    for (const auto& table : tables)
        describe_table(reader, table, lines);
}

std::string describe_series(const Reader& reader, const std::string& path) {
    auto lines = describe_identity(reader, path, series_format, series_format_version);
    describe_table(reader, "", lines);
    return lines.text;
}

} // namespace

std::string describe_state(const std::string& path) {
    const QuietHdf5 quiet;
    {
        const Reader reader(path);
        const auto format = reader.format();
        if (format == snapshot_format)
            return describe_snapshot(reader, path);
        if (format == checkpoint_format)
            return describe_checkpoint(reader, path);
        if (format == snapshot_index_format)
            return describe_index(reader, path);
        if (format == series_format)
            return describe_series(reader, path);
    }
    return describe_run_state(path);
}

} // namespace tamp
