#include <algorithm>

#include <fmt/format.h>

#include "tamp/io/reader.hpp"
#include "tamp/io/state_file.hpp"
#include "tamp/io/state_layout.hpp"
#include "tamp/io/table_file.hpp"

namespace tamp {

namespace {

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
    if (reader.has("gravity"))
        reader.number("gravity", real, header.gravity.emplace());
    reader.text("input", header.input);
    if (dimension != 2 && dimension != 3)
        reader.damaged(fmt::format("{} dimensions", dimension));
    header.dimension = static_cast<int>(dimension);
    header.ranks = static_cast<int>(ranks);
    return header;
}

/// 2 or 3 of a file that an older tamp wrote; else the present one is to be expected.
std::int64_t version_of(const Reader& reader) {
    std::int64_t version = 0;
    if (reader.format() == state_format)
        reader.number("format_version", WordKind::signed_integer, version);
    return version == 2 || version == 3 ? version : state_format_version;
}

/// What versions 2 and 3 called the hash of a state: of particles only where they are and how they move.
StateHash older_hash(const StateTables& tables) {
    StateHash hash = contact_hash(tables.contacts);
    const WordTable& particles = tables.particles;
    std::vector<std::uint64_t> words;
    for (std::size_t r = 0; r < particles.rows(); ++r) {
        const auto row = particles.row(r);
        words.assign(row.begin(), row.begin() + 4);                   // id and position
        words.insert(words.end(), row.begin() + 5, row.begin() + 11); // velocity and spin
        hash.add(words);
    }
    return hash;
}

/// As written before columns were declared: packings of that time are still to start from.
StateTables tables_of_version_2(const Reader& reader) {
    using enum WordKind;
    const std::vector<ColumnInfo> history{{.name = "impulse", .width = 3, .unit = "N s"},
                                          {.name = "bond", .kind = signed_integer},
                                          {.name = "torque", .width = 3, .unit = "N m s"}};
    return {reader.table_of("particles", state_particle_columns()),
            reader.table_of("contacts", state_contact_columns(history))};
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
    const std::int64_t version = version_of(reader);
    if (version == state_format_version)
        reader.check_format(state_format, state_format_version, "a tamp state");
    State state;
    state.header = read_header(reader);
    reader.text("version", state.version);
    reader.text("revision", state.revision);
    state.tables = version == 2 ? tables_of_version_2(reader)
                                : StateTables{reader.word_table("particles", state_particle_columns()),
                                              reader.word_table("contacts", state_contact_columns({}))};
    state.walls = reader.walls("walls");
    if (version == state_format_version)
        state.header.materials = reader.texts("materials/name");
    check_derived(reader, "particles", state_mass_column());
    check_derived(reader, "contacts", state_wall_column());

    const WordTable& particles = state.tables.particles;
    for (std::size_t at = particles.row_words(); at < particles.words.size(); at += particles.row_words())
        if (particles.words[at] <= particles.words[at - particles.row_words()])
            reader.damaged("the ids of the particles do not grow");
    state.hash = table_hash(state.tables);
    state.hash.merge(shared_hash(state.header, state.walls));
    check_hash(reader, "state_hash", version == state_format_version ? state.hash : older_hash(state.tables));
    if (version > 2) // before, files had their numbers in another order
        check_hash(reader, "data_hash", data_hash(state.tables, state.walls));
    return state;
}

} // namespace tamp
