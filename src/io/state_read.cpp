#include <algorithm>

#include <fmt/format.h>

#include "tamp/io/reader.hpp"
#include "tamp/io/state_file.hpp"
#include "tamp/io/state_layout.hpp"

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
    reader.check_format(state_format, state_format_version, "a tamp state");
    State state;
    state.header = read_header(reader);
    reader.text("version", state.version);
    reader.text("revision", state.revision);
    state.grains = reader.records<Grain>("particles", grain_columns());
    state.contacts = reader.records<ContactRecord>("contacts", contact_columns());
    state.walls = reader.walls("walls");

    if (std::ranges::adjacent_find(state.grains, std::ranges::greater_equal{}, &Grain::id) !=
        state.grains.end())
        reader.damaged("the ids of the particles do not grow");
    state.hash = state_hash(state.grains, state.contacts);
    check_hash(reader, "state_hash", state.hash);
    check_hash(reader, "data_hash", data_hash(state.grains, state.contacts, state.walls));
    return state;
}

} // namespace tamp
