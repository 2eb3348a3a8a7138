#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/domain/local_tiles.hpp"

namespace tamp {

/// Pairs that may touch before the next search, by owned tile. Side 1 is the particle with the smaller id.
struct PairList {
    std::vector<std::int32_t> first, second;
    std::vector<std::int32_t> tile_begin; ///< by slot of owned tiles, one more at the end

    std::size_t size() const { return first.size(); }
};

/// Particles that may touch a wall: by owned tile, then by wall. The wall is side 1.
struct WallList {
    std::vector<std::int32_t> body, wall;
    std::vector<std::int32_t> tile_begin;

    std::size_t size() const { return body.size(); }
};

/// All pairs with a gap below `skin`. The order within a tile does not depend on the number of ranks.
PairList find_pairs(const TileGrid& grid, const LocalTiles& tiles, const ParticleStore& store, double skin);

WallList find_wall_contacts(const LocalTiles& tiles, const ParticleStore& store, std::span<const Wall> walls,
                            double skin);

/// The partner of a contact as a number: the id of a particle, or this and the index of a wall.
inline constexpr std::uint64_t wall_bit = std::uint64_t{1} << 63;
inline bool is_wall(std::uint64_t partner) { return partner >= wall_bit; }
inline std::uint64_t wall_partner(std::int32_t wall) { return wall_bit + static_cast<std::uint64_t>(wall); }
inline std::size_t wall_index(std::uint64_t partner) { return static_cast<std::size_t>(partner - wall_bit); }

} // namespace tamp
