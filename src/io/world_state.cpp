#include "tamp/io/world_state.hpp"

#include <bit>
#include <cstring>

#include "tamp/world/force_geometry.hpp"

namespace tamp {

namespace {

/// Appends a row.
void add_contact(WordTable& table, std::uint64_t first, std::uint64_t second, const ContactGeometry& geometry,
                 const ColumnTable& history, std::size_t row, bool turned_round) {
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    const auto& [branch, normal, gap] = geometry;
    table.words.insert(table.words.end(),
                       {first, second, bits(normal.x), bits(normal.y), bits(normal.z), bits(gap)});
    table.words.resize(table.words.size() + history.row_words());
    const auto remembered = std::span(table.words).last(history.row_words());
    history.read_row(row, remembered);
    if (turned_round)
        reverse(history.columns(), remembered);
}

WordTable contacts_of(const World& world) {
    const std::vector<std::uint64_t>& id = world.particles.id;
    const auto& [pairs, walls, pair_history, wall_history] = world.lists();
    const ForceGeometry geometry(world, world.clock.last_step);
    WordTable table{state_contact_columns(world.needs.history)};
    std::size_t count = 0;
    for (const ColumnTable* history : {&pair_history, &wall_history})
        for (std::size_t c = 0; c < history->rows(); ++c)
            count += history->is_zero(c) ? 0 : 1;
    table.words.reserve(count * table.row_words()); // growing by doubling would take twice the room
    for (std::size_t c = 0; c < pairs.size(); ++c)
        if (!pair_history.is_zero(c))
            add_contact(table, id[static_cast<std::size_t>(pairs.first[c])],
                        id[static_cast<std::size_t>(pairs.second[c])], geometry.pair(c), pair_history, c,
                        false);
    // From the particle to the wall, as in every row: in the lists the wall is side 1.
    for (std::size_t c = 0; c < walls.size(); ++c)
        if (!wall_history.is_zero(c))
            add_contact(table, id[static_cast<std::size_t>(walls.body[c])], wall_partner(walls.wall[c]),
                        geometry.wall_contact(c), wall_history, c, true);
    return table;
}

} // namespace

std::vector<Grain> owned_grains(const World& world) {
    std::vector<Grain> grains;
    grains.reserve(world.particles.owned);
    for (std::size_t i = 0; i < world.particles.owned; ++i)
        grains.push_back(world.particles.grain(i));
    return grains;
}

StateTables state_of(const World& world) {
    const ParticleStore& particles = world.particles;
    const std::size_t more = particles.attributes.row_words();
    StateTables state{{state_particle_columns(particles.attributes.columns())}, contacts_of(world)};
    std::vector<std::uint64_t>& words = state.particles.words;
    words.resize(particles.owned * (state_grain_words + more));
    for (std::size_t i = 0; i < particles.owned; ++i) {
        const auto row = std::span(words).subspan(i * (state_grain_words + more), state_grain_words + more);
        const Grain grain = particles.grain(i);
        std::memcpy(row.data(), &grain, sizeof grain);
        particles.attributes.read_row(i, row.last(more));
    }
    return state;
}

StateHeader header_of(const World& world) {
    StateHeader header{.time = world.clock.time,
                       .step = world.totals.steps,
                       .dimension = world.dimension(),
                       .stage = {},
                       .input = {},
                       .seed = world.setup.seed,
                       .ranks = world.communicator.size(),
                       .time_step = world.clock.last_step,
                       .lower = world.box().lower,
                       .upper = world.box().upper,
                       .materials = {},
                       .densities = {},
                       .gravity = world.gravity};
    for (int m = 0; m < world.setup.materials.size(); ++m) {
        header.materials.push_back(world.setup.materials[m].name);
        header.densities.push_back(world.setup.materials[m].density);
    }
    return header;
}

StateHash state_hash(const World& world) {
    return state_hash(world.communicator, state_of(world), header_of(world), world.walls);
}

} // namespace tamp
