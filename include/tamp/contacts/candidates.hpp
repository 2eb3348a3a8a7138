#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/domain/local_tiles.hpp"

namespace tamp {

/// Pairs that may touch before the next search, by owned tile, and the impulse that each had last. Side 1 is
/// the particle with the smaller id.
struct PairCandidates {
    std::vector<std::int32_t> first, second;
    std::vector<Vec3> impulse;
    std::vector<std::int32_t> tile_begin; ///< by slot of owned tiles, one more at the end

    std::size_t size() const { return first.size(); }
};

/// Particles that may touch a wall: by owned tile, then by wall.
struct WallCandidates {
    std::vector<std::int32_t> body, wall;
    std::vector<Vec3> impulse;
    std::vector<std::int32_t> tile_begin;

    std::size_t size() const { return body.size(); }
};

/// All pairs with a gap below `skin`. The order within a tile does not depend on the number of ranks.
PairCandidates find_pairs(const TileGrid& grid, const LocalTiles& tiles, const ParticleStore& store,
                          double skin);

WallCandidates find_wall_contacts(const LocalTiles& tiles, const ParticleStore& store,
                                  std::span<const Wall> walls, double skin);

} // namespace tamp
