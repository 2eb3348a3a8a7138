#include "tamp/io/state_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tamp/contacts/lists.hpp"
#include "tamp/geometry/grain_volume.hpp"
#include "tamp/io/hdf5_make.hpp"
#include "tamp/io/row_order.hpp"
#include "tamp/io/state_layout.hpp"
#include "tamp/io/table_file.hpp"

namespace tamp {

namespace {

using enum WordKind;

static_assert(std::is_trivially_copyable_v<Grain> && sizeof(Grain) == 8 * state_grain_words);

/// The rows of all ranks in the order of their keys, of which this rank writes some. Column by column: no
/// rank holds more than one of them twice.
WordTable in_file_order(const Communicator& communicator, const WordTable& table, bool by_second) {
    const std::size_t width = table.row_words();
    std::vector<RowKey> keys;
    keys.reserve(table.rows());
    for (std::size_t at = 0; at < table.words.size(); at += width)
        keys.push_back({table.words[at], by_second ? table.words[at + 1] : 0});
    const RowOrder order(communicator, keys, 1);
    std::vector<RowKey>().swap(keys);
    WordTable sorted{table.columns, std::vector<std::uint64_t>(order.slab().count * width)};
    for (const Column& column : columns_of(table.columns)) {
        const auto words = gather(column, std::as_bytes(std::span(table.words)), 8 * width);
        scatter(column, order.arrange(words, 8 * column.width),
                std::as_writable_bytes(std::span(sorted.words)), 8 * width);
    }
    return sorted;
}

/// Two neighbours of a sorted table have the same first word, be they on one rank or on two. Collective.
bool has_twins(const Communicator& communicator, const WordTable& table) {
    const std::size_t width = table.row_words(), rows = table.rows();
    bool twins = false;
    for (std::size_t r = 1; r < rows; ++r)
        twins |= table.words[r * width] == table.words[(r - 1) * width];
    // First and last id of every rank, and whether there is one.
    std::vector<std::uint64_t> ends(3 * static_cast<std::size_t>(communicator.size()), 0);
    if (rows > 0) {
        std::uint64_t* mine = &ends[3 * static_cast<std::size_t>(communicator.rank())];
        mine[0] = table.words.front(), mine[1] = table.words[(rows - 1) * width], mine[2] = 1;
    }
    communicator.sum(std::span(ends));
    const std::uint64_t* before = nullptr;
    for (std::size_t k = 0; k < ends.size(); k += 3)
        if (ends[k + 2] != 0) {
            twins |= before && *before == ends[k];
            before = &ends[k + 1];
        }
    return communicator.any(twins);
}

bool is_zero(std::span<const std::uint64_t> words, std::span<const ColumnInfo> columns) {
    std::size_t next = 0;
    for (const ColumnInfo& column : columns)
        for (std::size_t k = 0; k < column.width; ++k, ++next)
            if (column.kind == real ? std::bit_cast<double>(words[next]) != 0 : words[next] != 0)
                return false;
    return true;
}

Table table_of(std::string name, std::span<const Column> columns, const WordTable& table) {
    return {std::move(name), columns, 8 * table.row_words(), std::as_bytes(std::span(table.words))};
}

WordTable masses_of(const WordTable& particles, const StateHeader& header) {
    WordTable masses{{state_mass_column()}};
    if (!header.densities.empty())
        for (const Grain& grain : grains_of(particles))
            masses.words.push_back(StateHash::bits(grain_mass(
                header.densities[static_cast<std::size_t>(grain.material)], grain.radius, header.dimension)));
    return masses;
}

WordTable walls_touched(const WordTable& contacts) {
    WordTable walls{{state_wall_column()}};
    for (std::size_t c = 0; c < contacts.rows(); ++c)
        walls.words.push_back(is_wall(contacts.row(c)[1]) ? wall_index(contacts.row(c)[1])
                                                          : static_cast<std::uint64_t>(-1));
    return walls;
}

} // namespace

std::vector<ColumnInfo> state_particle_columns(std::span<const ColumnInfo> attributes) {
    std::vector<ColumnInfo> columns{
        {"id", 1, unsigned_integer, "1", "Name of the particle for the whole run"},
        {"position", 3, real, "m", "Centre"},
        {"radius", 1, real, "m", "Radius"},
        {"velocity", 3, real, "m/s", "Velocity of the centre"},
        {"angular_velocity", 3, real, "rad/s", "Angular velocity"},
        {"material", 1, signed_integer, "1", "Index in the materials of the input"}};
    columns.insert(columns.end(), attributes.begin(), attributes.end());
    return columns;
}

ColumnInfo state_mass_column() { return {"mass", 1, real, "kg", "Density times volume"}; }

ColumnInfo state_wall_column() {
    return {"wall", 1, signed_integer, "1",
            "Row in /walls, which has the names, of the wall that is touched; -1: second is a particle"};
}

std::vector<ColumnInfo> state_contact_columns(std::span<const ColumnInfo> history) {
    std::vector<ColumnInfo> columns{
        {"first", 1, unsigned_integer, "1", "Id of the first particle"},
        {"second", 1, unsigned_integer, "1",
         "Id of the second particle; 2^63 + row in /walls: a wall, see wall"},
        {"normal", 3, real, "1",
         "Unit vector from first to second, at the start of the last step, when its impulse was found"},
        {"gap", 1, real, "m", "Distance of the surfaces at the same moment; negative: overlap"}};
    columns.insert(columns.end(), history.begin(), history.end());
    return columns;
}

WordTable particle_table(std::span<const Grain> grains) {
    WordTable table{state_particle_columns(), std::vector<std::uint64_t>(grains.size() * state_grain_words)};
    if (!grains.empty())
        std::memcpy(table.words.data(), grains.data(), grains.size_bytes());
    return table;
}

std::vector<Grain> grains_of(const WordTable& particles) {
    const std::size_t width = particles.row_words();
    std::vector<Grain> grains(particles.rows());
    for (std::size_t i = 0; i < grains.size(); ++i)
        std::ranges::copy(std::as_bytes(std::span(&particles.words[i * width], state_grain_words)),
                          std::as_writable_bytes(std::span(&grains[i], 1)).begin());
    return grains;
}

void write_state(const Communicator& communicator, const std::string& path, const StateHeader& header,
                 StateTables owned, std::span<const Wall> walls) {
    // Each table goes as soon as it is sorted: a large run has no room for both.
    const auto in_order = [&](WordTable& table, bool of_contacts) {
        return in_file_order(communicator, std::exchange(table, {}), of_contacts);
    };
    const StateTables sorted{in_order(owned.particles, false), in_order(owned.contacts, true)};
    if (has_twins(communicator, sorted.particles))
        throw std::logic_error("write_state: two particles have the same id");

    const auto hash = state_hash(communicator, sorted, header, walls);
    const auto own_walls = communicator.rank() == 0 ? walls : std::span<const Wall>{};
    const auto data = merge_over_ranks(communicator, data_hash(sorted, own_walls));
    const auto particle_columns = columns_of(sorted.particles.columns),
               contact_columns = columns_of(sorted.contacts.columns);
    std::vector<Table> tables{table_of("particles", particle_columns, sorted.particles),
                              table_of("contacts", contact_columns, sorted.contacts)};
    const WordTable masses = masses_of(sorted.particles, header), partners = walls_touched(sorted.contacts);
    const auto mass_columns = columns_of(masses.columns), partner_columns = columns_of(partners.columns);
    tables.push_back(table_of("contacts", partner_columns, partners));
    if (!header.densities.empty())
        tables.push_back(table_of("particles", mass_columns, masses));
    for (Table& table : std::span(tables).subspan(2))
        table.derived = true;
    write_tables(communicator, path, tables, [&](hid_t file) {
        make_state_attributes(file, header, hash, data);
        make_walls(file, "walls", walls);
        make_names(make_group(file, "materials"), header.materials);
    });
}

StateHash table_hash(const StateTables& tables) {
    const WordTable& particles = tables.particles;
    StateHash hash = contact_hash(tables.contacts);
    const std::size_t width = particles.row_words();
    const auto attributes =
        std::span(particles.columns).subspan(std::min<std::size_t>(6, particles.columns.size()));
    std::vector<std::uint64_t> named;
    for (std::size_t at = 0; at < particles.words.size(); at += width) {
        const auto row = std::span(particles.words).subspan(at, width);
        hash.add(row.first(state_grain_words));
        if (const auto more = row.subspan(state_grain_words); !is_zero(more, attributes)) {
            named.assign(1, row[0]);
            named.insert(named.end(), more.begin(), more.end());
            hash.add(named);
        }
    }
    return hash;
}

StateHash contact_hash(const WordTable& contacts) {
    StateHash hash;
    if (contacts.words.empty())
        return hash;
    std::vector<std::uint64_t> words;
    const auto add = [&](std::span<const std::uint64_t> key, std::span<const std::uint64_t> more) {
        words.assign(key.begin(), key.end());
        words.insert(words.end(), more.begin(), more.end());
        hash.add(words);
    };
    const std::size_t width = contacts.row_words();
    const auto history = std::span(contacts.columns).subspan(4);
    const auto first_column = history.first(std::min<std::size_t>(1, history.size())),
               others = history.subspan(first_column.size());
    const std::size_t first_words = row_words(first_column);
    for (std::size_t at = 0; at < contacts.words.size(); at += width) {
        const auto row = std::span(contacts.words).subspan(at, width);
        const auto key = row.first(2), force = row.subspan(state_touch_words, first_words),
                   more = row.subspan(state_touch_words + first_words);
        if (!is_zero(force, first_column))
            add(key, force);
        if (!is_zero(more, others))
            add(key, more);
    }
    return hash;
}

StateHash shared_hash(const StateHeader& header, std::span<const Wall> walls) {
    StateHash hash;
    // No particle and no pair of partners begins with such a word: the highest bit belongs to walls, and a
    // wall is never first.
    std::vector<std::uint64_t> words{~std::uint64_t{0}, static_cast<std::uint64_t>(header.step),
                                     static_cast<std::uint64_t>(header.dimension)};
    for (const double number : {header.time, header.time_step, header.lower.x, header.lower.y, header.lower.z,
                                header.upper.x, header.upper.y, header.upper.z})
        words.push_back(StateHash::bits(number));
    hash.add(words);
    const WordTable table = wall_table(walls), shapes = wall_shape_table(walls);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        words.assign(1, wall_partner(static_cast<std::int32_t>(w)));
        const auto row = table.row(w), shape = shapes.row(w);
        words.insert(words.end(), row.begin(), row.end());
        if (!is_plain(walls[w]))
            words.insert(words.end(), shape.begin(), shape.end());
        hash.add(words);
    }
    return hash;
}

StateHash merge_over_ranks(const Communicator& communicator, const StateHash& part) {
    auto words = part.words();
    communicator.sum(std::span(words));
    return StateHash(words);
}

StateHash state_hash(const Communicator& communicator, const StateTables& owned, const StateHeader& header,
                     std::span<const Wall> walls) {
    StateHash part = table_hash(owned);
    if (communicator.rank() == 0)
        part.merge(shared_hash(header, walls));
    return merge_over_ranks(communicator, part);
}

} // namespace tamp
