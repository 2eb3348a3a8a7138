// How a world is taken apart for a checkpoint and put together again.

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/domain/holders.hpp"
#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/world/world.hpp"

namespace tamp {
namespace {

using Rows = std::vector<std::uint64_t>;

constexpr std::size_t position_offset = 2, radius_offset = 5; // in a row of ParticleStore::columns

Vec3 vector_at(const std::uint64_t* words) {
    return {std::bit_cast<double>(words[0]), std::bit_cast<double>(words[1]),
            std::bit_cast<double>(words[2])};
}

/// The columns of a saved particle.
std::vector<ColumnInfo> saved_columns(const ParticleStore& particles) {
    std::vector<ColumnInfo> columns(particles.columns().begin(), particles.columns().end());
    columns.push_back({"reference", 3, WordKind::real, "m", "Centre when neighbours were last searched"});
    return columns;
}

Rows sent(const Communicator& communicator, const std::map<int, Rows>& to) {
    Rows all;
    for (const auto& [rank, rows] : sparse_exchange(communicator, to))
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

void append(Rows& to, const std::uint64_t* row, std::size_t width) { to.insert(to.end(), row, row + width); }

/// Of so many tiles over so many ranks.
bool is_partition(const std::vector<std::int64_t>& pieces, int ranks, int tiles) {
    return static_cast<int>(pieces.size()) == ranks + 1 && pieces.front() == 0 && pieces.back() == tiles &&
           std::ranges::is_sorted(pieces);
}

} // namespace

SavedWorld World::save() const {
    SavedWorld saved{.time = clock.time,
                     .last_time_step = clock.last_step,
                     .largest_speed = communicator.max(motion.local_speed),
                     .skin = neighbours.skin(),
                     .displacement = communicator.max(motion.local_displacement),
                     .wall_displacement = motion.wall_displacement,
                     .sizes = sizes_at_start,
                     .growth = growth_,
                     .last_growth = last_growth_,
                     .grown = grown_,
                     .totals = totals,
                     .gravity = gravity,
                     .walls = walls,
                     .walls_at_search = walls_at_search_,
                     .partition = neighbours.partition().pieces()};
    saved.particles.columns = saved_columns(particles);
    Rows& rows = saved.particles.words;
    rows.reserve(particles.owned * saved.particles.row_words());
    for (std::size_t i = 0; i < particles.owned; ++i) {
        particles.append_row(i, rows);
        const Vec3& reference = particles.reference[i];
        for (int axis = 0; axis < 3; ++axis)
            rows.push_back(std::bit_cast<std::uint64_t>(reference[axis]));
    }
    saved.contacts = saved_history(neighbours.searched() ? &neighbours.tiles() : nullptr, particles, lists());
    return saved;
}

World::World(const Communicator& ranks, const WorldSetup& world_setup, const EngineNeeds& engine_needs,
             const SavedWorld& saved)
    : World(ranks, world_setup, engine_needs, saved.sizes) {
    clock = {saved.time, saved.last_time_step};
    motion.local_speed = saved.largest_speed;
    motion.local_displacement = saved.displacement;
    motion.wall_displacement = saved.wall_displacement;
    totals = saved.totals;
    gravity = saved.gravity.value_or(setup.gravity);
    walls = saved.walls;
    for (std::size_t w = 0; w < std::min(walls.size(), setup.walls.size()); ++w)
        walls[w].damping = setup.walls[w].damping; // files do not have it: it never changes
    walls_at_search_ = saved.walls_at_search;
    growth_ = saved.growth;
    last_growth_ = saved.last_growth;
    grown_ = saved.grown;
    sizes = grown_sizes(sizes_at_start, grown_.now, dimension());
    if (grown_.at_tiles != Grown{})
        neighbours.make_tiles(grown_sizes(sizes_at_start, grown_.at_tiles, dimension()));
    neighbours.set_sizes(sizes_at_search());
    neighbours.restore_skin(saved.skin);

    const TileGrid& grid = neighbours.grid();
    const std::vector<ColumnInfo> columns = saved_columns(particles);
    const std::size_t width = row_words(columns);
    // Where a particle is sorted in: where it was when neighbours were searched, if they ever were.
    const std::size_t place_offset = saved.has_neighbours() ? width - 3 : position_offset;
    const auto tile_of = [&](const std::uint64_t* row) {
        return grid.tile_of(vector_at(row + place_offset));
    };
    Rows rows = matched_rows(saved.particles, columns);
    if (is_partition(saved.partition, communicator.size(), grid.count())) {
        neighbours.set_partition(Partition(saved.partition)); // which was balanced, and may decide about bits
    } else {
        std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 0);
        for (std::size_t at = 0; at < rows.size(); at += width)
            ++costs[static_cast<std::size_t>(grid.number(tile_of(&rows[at])))];
        communicator.sum(std::span<std::int64_t>(costs));
        neighbours.set_partition(Partition(costs, communicator.size()));
    }

    const Partition& partition = neighbours.partition();
    const auto owner_of = [&](const std::uint64_t* row) {
        return partition.owner(grid.number(tile_of(row)));
    };
    std::map<int, Rows> to;
    const Holders holders(grid, partition);
    for (std::size_t at = 0; at < rows.size(); at += width) {
        const std::uint64_t* row = &rows[at];
        const Int3 tile = tile_of(row);
        if (saved.has_neighbours())
            holders.each(tile, grid.cell_of(vector_at(row + place_offset), tile),
                         [&](int rank) { append(to[rank], row, width); });
        else
            append(to[owner_of(row)], row, width);
    }
    Rows().swap(rows);
    Rows held = sent(communicator, to);
    to.clear();
    const auto is_owned = [&](const std::uint64_t* row) { return owner_of(row) == communicator.rank(); };
    std::size_t owned = 0;
    for (std::size_t at = 0; at < held.size(); at += width)
        owned += is_owned(&held[at]) ? 1 : 0;
    particles.resize(held.size() / width);
    particles.owned = owned;
    std::size_t next = 0, next_copy = owned;
    for (std::size_t at = 0; at < held.size(); at += width) {
        const std::size_t i = is_owned(&held[at]) ? next++ : next_copy++;
        particles.set(i, std::span(held).subspan(at, width - 3));
        particles.sphere[i].centre = vector_at(&held[at + place_offset]);
    }
    if (saved.has_neighbours())
        restore_neighbours(saved, std::move(held));
}

/// The search of the past, repeated: with everything where it was then. Only now particles go to where they
/// are.
void World::restore_neighbours(const SavedWorld& saved, Rows held) {
    // Radii were smaller then, to the last bit or so: nothing depends on who is listed or not at the edge of
    // the skin.
    const Grown since = grown_.now.since(grown_.at_search);
    const bool grew = grown_.now != grown_.at_search;
    for (std::size_t i = 0; grew && i < particles.size(); ++i)
        if (!particles.is_fixed(i))
            particles.set_radius(i, since.before(particles.sphere[i].radius));
    neighbours.repeat_search(communicator.rank(), particles, walls_at_search_);
#ifndef NDEBUG
    validate(); // everything is where it was at that search
#endif

    const std::size_t width = particles.row_words() + 3;
    std::vector<std::size_t> by_id(held.size() / width); // rows in the order of their ids
    std::iota(by_id.begin(), by_id.end(), std::size_t{0});
    const auto id_of = [&](std::size_t row) { return held[row * width]; };
    std::ranges::sort(by_id, {}, id_of);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::size_t row = *std::ranges::lower_bound(by_id, particles.id[i], {}, id_of);
        particles.sphere[i].centre = vector_at(&held[row * width + position_offset]);
        if (grew)
            particles.set_radius(i, std::bit_cast<double>(held[row * width + radius_offset]));
    }

    std::vector<ColumnInfo> columns = saved_history_key();
    columns.insert(columns.end(), needs.history.begin(), needs.history.end());
    if (!needs.history.empty() && !offset_of(saved.contacts.columns, needs.history.front().name))
        throw FileError(fmt::format("the state does not fit the case: its contacts have no {}",
                                    needs.history.front().name));
    Rows contacts = matched_rows(saved.contacts, columns);
    const std::size_t contact_width = row_words(columns);
    std::map<int, Rows> to;
    for (std::size_t at = 0; at < contacts.size(); at += contact_width) {
        const auto tile = static_cast<std::int64_t>(contacts[at + 2]);
        if (tile >= 0 && tile < neighbours.grid().count()) {
            Rows& list = to[neighbours.partition().owner(static_cast<int>(tile))];
            append(list, &contacts[at], 2);
            append(list, &contacts[at + 3], contact_width - 3);
        }
    }
    Rows().swap(contacts);
    HistoryRows rows;
    {
        const Rows arrived = sent(communicator, std::exchange(to, {}));
        rows.assign(arrived.begin(), arrived.end());
    }
    const std::size_t found = recall_history(rows, particles, lists());
    const std::int64_t lost =
        communicator.sum(static_cast<std::int64_t>(saved.contacts.rows()) - static_cast<std::int64_t>(found));
    if (lost != 0)
        throw FileError(fmt::format("the state does not fit the case: {} contacts of it would not be found "
                                    "again; resume with the domain and the neighbours of the case that wrote "
                                    "it",
                                    lost));
}

} // namespace tamp
