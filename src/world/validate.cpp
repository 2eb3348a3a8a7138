// Whole-structure checks, made after every search in debug builds: what all other code takes for granted.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/world/world.hpp"

namespace tamp {
namespace {

template <class... Arguments>
void demand(bool holds, fmt::format_string<Arguments...> what, Arguments&&... arguments) {
    if (!holds)
        throw std::logic_error("world: " + fmt::format(what, std::forward<Arguments>(arguments)...));
}

/// Columns are as long as there are particles; masses and inverses belong to sizes and materials.
void validate_particles(const World& world) {
    const ParticleStore& p = world.particles;
    const std::size_t count = p.size();
    demand(p.material.size() == count && p.sphere.size() == count && p.reference.size() == count &&
               p.body.size() == count + 1 && p.attributes.rows() == count && p.owned <= count,
           "columns of particles differ in length");
    demand(p.body[count].velocity == Vec3{0, 0, 0} && p.body[count].surface == Vec3{0, 0, 0},
           "the rest body moves");
    std::set<std::uint64_t> ids(p.id.begin(), p.id.end());
    demand(ids.size() == count, "a particle is held twice");
    for (std::size_t i = 0; i < count; ++i) {
        const Material& material = world.setup.materials[p.material[i]];
        demand(p.sphere[i].radius > 0 && p.body[i].inverse_radius == 1.0 / p.sphere[i].radius,
               "radius of particle {}", p.id[i]);
        demand(p.body[i].inverse_mass == (material.fixed ? 0.0 : 1.0 / p.nominal_mass(i)),
               "mass of particle {}", p.id[i]);
        demand(std::isfinite(dot(p.sphere[i].centre, p.sphere[i].centre)) &&
                   p.sphere[i].centre == world.box().wrapped(p.sphere[i].centre),
               "particle {} lies outside of the periodic box", p.id[i]);
        demand(p.reference[i] == p.sphere[i].centre, "particle {} has moved since the search", p.id[i]);
    }
}

/// Particles are sorted by slot, cell and id; owned tiles come first and are owned.
void validate_tiles(const World& world) {
    const TileGrid& grid = world.neighbours.grid();
    const Partition& partition = world.neighbours.partition();
    const LocalTiles& tiles = world.neighbours.tiles();
    const ParticleStore& p = world.particles;
    const int rank = world.communicator.rank();
    demand(partition.tiles() == grid.count() && partition.ranks() == world.communicator.size(),
           "the partition is of another grid");
    std::int32_t next = 0;
    for (int slot = 0; slot < tiles.count(); ++slot) {
        const int tile = tiles.tile(slot);
        demand(tiles.slot(tile) == slot, "slot of tile {}", tile);
        demand((partition.owner(tile) == rank) == (slot < tiles.owned()), "owner of tile {}", tile);
        for (int cell = 0; cell < grid.cell_count(); ++cell) {
            demand(tiles.begin(slot, cell) == next, "cell {} of tile {} has a gap before it", cell, tile);
            next = tiles.end(slot, cell);
            for (std::int32_t i = tiles.begin(slot, cell); i < next; ++i) {
                const auto k = static_cast<std::size_t>(i);
                const Int3 at = grid.tile_of(p.sphere[k].centre);
                demand(grid.number(at) == tile && grid.cell_of(p.sphere[k].centre, at) == cell,
                       "particle {} is in the wrong cell", p.id[k]);
                demand(i == tiles.begin(slot, cell) || p.id[k - 1] < p.id[k], "ids in a cell do not grow");
            }
        }
        if (slot + 1 == tiles.owned())
            demand(next == static_cast<std::int32_t>(p.owned), "owned tiles hold {} of {} particles", next,
                   p.owned);
    }
    demand(next == static_cast<std::int32_t>(p.size()), "tiles hold {} of {} particles", next, p.size());
}

/// The bounds of a list by tile.
template <class List>
void validate_begins(const List& list, const ColumnTable& history, int owned, const char* name) {
    demand(list.tile_begin.size() == static_cast<std::size_t>(owned) + 1 && list.tile_begin.front() == 0 &&
               list.tile_begin.back() == static_cast<std::int32_t>(list.size()) &&
               std::ranges::is_sorted(list.tile_begin),
           "the {} list does not fit its tiles", name);
    demand(history.rows() == list.size(), "{} entries in the {} list, {} rows of history", list.size(), name,
           history.rows());
}

/// Pairs are ordered by id, listed once, nearer than the skin, and in the tile that they belong to.
void validate_lists(const World& world) {
    const LocalTiles& tiles = world.neighbours.tiles();
    const TileGrid& grid = world.neighbours.grid();
    const ParticleStore& p = world.particles;
    const auto& [pairs, walls, pair_history, wall_history] = world.lists();
    validate_begins(pairs, pair_history, tiles.owned(), "pair");
    validate_begins(walls, wall_history, tiles.owned(), "wall");
    const double skin = world.neighbours.skin();
    std::set<std::pair<std::int32_t, std::int32_t>> known;
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        const auto s = static_cast<std::size_t>(slot);
        for (auto c = static_cast<std::size_t>(pairs.tile_begin[s]);
             c < static_cast<std::size_t>(pairs.tile_begin[s + 1]); ++c) {
            const auto i = static_cast<std::size_t>(pairs.first[c]),
                       j = static_cast<std::size_t>(pairs.second[c]);
            demand(i < p.size() && j < p.size() && p.id[i] < p.id[j], "sides of a pair");
            demand(known.insert({pairs.first[c], pairs.second[c]}).second, "pair {} {} is listed twice",
                   p.id[i], p.id[j]);
            const Vec3 branch = world.box().nearest(p.sphere[j].centre - p.sphere[i].centre);
            demand(norm(branch) - p.sphere[i].radius - p.sphere[j].radius < skin * (1 + 1e-9),
                   "pair {} {} is too far apart", p.id[i], p.id[j]);
            // Both lie in the tile or in one of its forward neighbours.
            for (const std::size_t body : {i, j}) {
                bool reached = false;
                for (int corner = 0; corner < grid.phases(); ++corner) {
                    Int3 at;
                    Vec3 shift;
                    reached |= grid.neighbour(grid.tile(tiles.tile(slot)), grid.corner_offset(corner, 1), at,
                                              shift) &&
                               at == grid.tile_of(p.sphere[body].centre);
                }
                demand(reached, "pair {} {} is in the list of a tile that does not reach it", p.id[i],
                       p.id[j]);
            }
        }
        for (auto c = static_cast<std::size_t>(walls.tile_begin[s]);
             c < static_cast<std::size_t>(walls.tile_begin[s + 1]); ++c) {
            demand(walls.body[c] >= tiles.begin(slot) && walls.body[c] < tiles.end(slot) &&
                       walls.wall[c] >= 0 && static_cast<std::size_t>(walls.wall[c]) < world.walls.size(),
                   "a contact with a wall is in the list of another tile");
        }
    }
}

/// Copies have the bits of their owners. Returns what is wrong. Collective.
std::string validate_copies(const World& world) {
    const ParticleStore& p = world.particles;
    const TileGrid& grid = world.neighbours.grid();
    const std::size_t width = p.row_words();
    std::map<int, std::vector<std::uint64_t>> to;
    for (std::size_t i = p.owned; i < p.size(); ++i)
        p.append_row(i, to[world.neighbours.partition().owner(grid.number(grid.tile_of(p.reference[i])))]);
    std::map<std::uint64_t, std::size_t> index;
    for (std::size_t i = 0; i < p.owned; ++i)
        index[p.id[i]] = i;
    std::string problem;
    for (const auto& [rank, rows] : sparse_exchange(world.communicator, to))
        for (std::size_t at = 0; at < rows.size(); at += width) {
            const auto found = index.find(rows[at]);
            std::vector<std::uint64_t> own;
            if (found != index.end())
                p.append_row(found->second, own);
            if (!std::ranges::equal(own, std::span(rows).subspan(at, width)) && problem.empty())
                problem = fmt::format("world: rank {} holds another copy of particle {}", rank, rows[at]);
        }
    return problem;
}

} // namespace

void World::validate() const {
    std::string problem;
    try {
        validate_particles(*this);
        if (neighbours.searched()) {
            validate_tiles(*this);
            validate_lists(*this);
        }
    } catch (const std::logic_error& error) {
        problem = error.what(); // on this rank: the others are to hear of it
    }
    if (problem = communicator.first_problem(problem); problem.empty() && neighbours.searched())
        problem = communicator.first_problem(validate_copies(*this));
    if (!problem.empty())
        throw std::logic_error(problem);
}

} // namespace tamp
