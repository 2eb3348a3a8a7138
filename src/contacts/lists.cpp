#include "tamp/contacts/lists.hpp"

#include <algorithm>
#include <array>

namespace tamp {
namespace {

/// Two neighbouring cells of a tile and its forward neighbours; `corner` is the offset (0 or 1 along each
/// axis) as bits.
struct CellPair {
    int corner_a, cell_a, corner_b, cell_b;
};

/// The cell pairs that belong to a tile: those whose component-wise minimum of tiles is the tile itself. The
/// same for every tile, hence listed once.
std::vector<CellPair> cell_pairs(const TileGrid& grid) {
    const Int3 m = grid.cells();
    const int dimension = grid.box().dimension;
    std::vector<CellPair> pairs;
    const auto corner_of = [&](Int3 c) {
        return (c[0] >= m[0] ? 1 : 0) | (c[1] >= m[1] ? 2 : 0) | (dimension == 3 && c[2] >= m[2] ? 4 : 0);
    };
    const auto cell_of = [&](Int3 c) { return (c[2] % m[2] * m[1] + c[1] % m[1]) * m[0] + c[0] % m[0]; };
    const int last_z = dimension == 3 ? m[2] : 0;
    for (int z = 0; z <= last_z; ++z)
        for (int y = 0; y <= m[1]; ++y)
            for (int x = 0; x <= m[0]; ++x) {
                const Int3 a{x, y, z};
                for (int dz = dimension == 3 ? -1 : 0; dz <= (dimension == 3 ? 1 : 0); ++dz)
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx) {
                            if (dz < 0 || (dz == 0 && (dy < 0 || (dy == 0 && dx < 0))))
                                continue; // each pair of cells once
                            const Int3 b{x + dx, y + dy, z + dz};
                            if (b[0] < 0 || b[1] < 0 || b[2] < 0 || b[0] > m[0] || b[1] > m[1] ||
                                b[2] > last_z)
                                continue;
                            if (corner_of(a) & corner_of(b))
                                continue; // belongs to a tile further forward
                            pairs.push_back({corner_of(a), cell_of(a), corner_of(b), cell_of(b)});
                        }
            }
    return pairs;
}

/// A forward neighbour of a tile, as seen from it.
struct Corner {
    int slot = -1;
    Vec3 shift{0, 0, 0};
};

std::array<Corner, 8> forward_block(const TileGrid& grid, const LocalTiles& tiles, int tile) {
    std::array<Corner, 8> block;
    for (int corner = 0; corner < grid.phases(); ++corner) {
        Int3 neighbour;
        Vec3 shift;
        if (grid.neighbour(grid.tile(tile), grid.corner_offset(corner, 1), neighbour, shift))
            block[static_cast<std::size_t>(corner)] = {tiles.slot(grid.number(neighbour)), shift};
    }
    return block;
}

/// That holds all particles of a tile.
Sphere sphere_around(const LocalTiles& tiles, int slot, const ParticleStore& store) {
    Bounds centres;
    double largest = 0;
    for (std::int32_t i = tiles.begin(slot); i < tiles.end(slot); ++i) {
        centres.include(store.sphere[static_cast<std::size_t>(i)].centre);
        largest = std::max(largest, store.sphere[static_cast<std::size_t>(i)].radius);
    }
    if (tiles.begin(slot) == tiles.end(slot))
        return {{0, 0, 0}, 0};
    const Vec3 half = 0.5 * (centres.upper - centres.lower);
    return {centres.lower + half, (norm(half) + largest) * (1 + 1e-12)};
}

} // namespace

PairList find_pairs(const TileGrid& grid, const LocalTiles& tiles, const ParticleStore& store, double skin) {
    PairList found;
    // More than enough for most packings: memory that is never touched costs nothing, growing by doubling
    // does.
    found.first.reserve(12 * store.size()), found.second.reserve(12 * store.size());
    const std::vector<CellPair> pairs = cell_pairs(grid);
    // Half of all tries are close: a branch each would be mispredicted half the time, so a cell's close ones
    // are listed first, without one.
    std::vector<std::int32_t> close;
    const auto list_close = [&](std::size_t i, std::int32_t begin, std::int32_t end, const Vec3& shift) {
        const Vec3 centre = store.sphere[i].centre - shift;
        const double reach = store.sphere[i].radius + skin;
        std::size_t count = 0;
        if (close.size() < static_cast<std::size_t>(end - begin))
            close.resize(static_cast<std::size_t>(end - begin));
        for (std::int32_t j = begin; j < end; ++j) {
            const Sphere& other = store.sphere[static_cast<std::size_t>(j)];
            const Vec3 d = other.centre - centre;
            const double most = reach + other.radius;
            close[count] = j;
            count += dot(d, d) < most * most ? 1 : 0;
        }
        return std::span<const std::int32_t>(close).first(count);
    };
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        found.tile_begin.push_back(static_cast<std::int32_t>(found.size()));
        const std::array<Corner, 8> block = forward_block(grid, tiles, tiles.tile(slot));
        for (const CellPair& pair : pairs) {
            const Corner& a = block[static_cast<std::size_t>(pair.corner_a)];
            const Corner& b = block[static_cast<std::size_t>(pair.corner_b)];
            if (a.slot < 0 || b.slot < 0)
                continue;
            const bool same = pair.corner_a == pair.corner_b && pair.cell_a == pair.cell_b;
            const Vec3 shift = b.shift - a.shift;
            const std::int32_t begin = tiles.begin(b.slot, pair.cell_b), end = tiles.end(b.slot, pair.cell_b);
            for (std::int32_t i = tiles.begin(a.slot, pair.cell_a); i < tiles.end(a.slot, pair.cell_a); ++i) {
                const auto p = static_cast<std::size_t>(i);
                for (const std::int32_t j : list_close(p, same ? i + 1 : begin, end, shift)) {
                    const auto q = static_cast<std::size_t>(j);
                    if (store.is_fixed(p) && store.is_fixed(q))
                        continue;
                    const bool ordered = store.id[p] < store.id[q];
                    found.first.push_back(ordered ? i : j);
                    found.second.push_back(ordered ? j : i);
                }
            }
        }
    }
    found.tile_begin.push_back(static_cast<std::int32_t>(found.size()));
    return found;
}

WallList find_wall_contacts(const LocalTiles& tiles, const ParticleStore& store, std::span<const Wall> walls,
                            double skin) {
    WallList found;
    for (int slot = 0; slot < tiles.owned(); ++slot) {
        found.tile_begin.push_back(static_cast<std::int32_t>(found.size()));
        const Sphere around = sphere_around(tiles, slot, store);
        for (std::size_t w = 0; w < walls.size(); ++w) {
            if (walls[w].gap(around.centre, around.radius) >= skin)
                continue; // distances change by no more than the way between two positions
            for (std::int32_t i = tiles.begin(slot); i < tiles.end(slot); ++i) {
                const Sphere& sphere = store.sphere[static_cast<std::size_t>(i)];
                if (walls[w].gap(sphere.centre, sphere.radius) < skin &&
                    !store.is_fixed(static_cast<std::size_t>(i))) {
                    found.body.push_back(i);
                    found.wall.push_back(static_cast<std::int32_t>(w));
                }
            }
        }
    }
    found.tile_begin.push_back(static_cast<std::int32_t>(found.size()));
    return found;
}

} // namespace tamp
