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
    reader.text("input", header.input);
    if (dimension != 2 && dimension != 3)
        reader.damaged(fmt::format("{} dimensions", dimension));
    header.dimension = static_cast<int>(dimension);
    header.ranks = static_cast<int>(ranks);
    return header;
}

bool is_version_2(const Reader& reader) {
    std::int64_t version = 0;
    if (reader.format() == state_format)
        reader.number("format_version", WordKind::signed_integer, version);
    return version == 2;
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
    const bool older = is_version_2(reader);
    if (!older)
        reader.check_format(state_format, state_format_version, "a tamp state");
    State state;
    state.header = read_header(reader);
    reader.text("version", state.version);
    reader.text("revision", state.revision);
    state.tables = older ? tables_of_version_2(reader)
                         : StateTables{reader.word_table("particles", state_particle_columns()),
                                       reader.word_table("contacts", state_contact_columns({}))};
    state.walls = reader.walls("walls");
    check_derived(reader, "particles", state_mass_column());
    check_derived(reader, "contacts", state_wall_column());

    const WordTable& particles = state.tables.particles;
    for (std::size_t at = particles.row_words(); at < particles.words.size(); at += particles.row_words())
        if (particles.words[at] <= particles.words[at - particles.row_words()])
            reader.damaged("the ids of the particles do not grow");
    state.hash = state_hash(state.tables);
    check_hash(reader, "state_hash", state.hash);
    if (!older) // an older file has its numbers in another order
        check_hash(reader, "data_hash", data_hash(state.tables, state.walls));
    return state;
}

} // namespace tamp
