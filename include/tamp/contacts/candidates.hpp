#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/domain/local_tiles.hpp"
#include "tamp/laws/rigid/laws.hpp"

namespace tamp {

/// What candidates had in the last step. Torques and bonds are kept only if a law needs them.
struct ContactMemory {
    std::vector<Vec3> impulse;
    std::vector<Vec3> torque;      ///< empty, or one each
    std::vector<rigid::Bond> bond; ///< empty, or one each

    void remember_for(const rigid::LawSet& laws) {
        torque.resize(laws.torques ? impulse.size() : 0, Vec3{0, 0, 0});
        bond.resize(laws.cohesion ? impulse.size() : 0, rigid::Bond::none);
    }
    rigid::Bond last_bond(std::size_t c) const { return bond.empty() ? rigid::Bond::none : bond[c]; }
    void set_bond(std::size_t c, rigid::Bond is) {
        if (!bond.empty())
            bond[c] = is;
    }
    Vec3 last_torque(std::size_t c) const { return torque.empty() ? Vec3{0, 0, 0} : torque[c]; }
    void forget(std::size_t c) {
        set_bond(c, rigid::Bond::none);
        if (!torque.empty())
            torque[c] = {0, 0, 0};
    }
    /// Nothing that the next step would miss.
    bool is_blank(std::size_t c) const {
        return impulse[c] == Vec3{0, 0, 0} && last_bond(c) == rigid::Bond::none &&
               last_torque(c) == Vec3{0, 0, 0};
    }
};

/// Pairs that may touch before the next search, by owned tile, and the impulse that each had last. Side 1 is
/// the particle with the smaller id.
struct PairCandidates : ContactMemory {
    std::vector<std::int32_t> first, second;
    std::vector<std::int32_t> tile_begin; ///< by slot of owned tiles, one more at the end

    std::size_t size() const { return first.size(); }
};

/// Particles that may touch a wall: by owned tile, then by wall.
struct WallCandidates : ContactMemory {
    std::vector<std::int32_t> body, wall;
    std::vector<std::int32_t> tile_begin;

    std::size_t size() const { return body.size(); }
};

/// All pairs with a gap below `skin`. The order within a tile does not depend on the number of ranks.
/// `impulse` is of an earlier search: its memory is used again, unless it has become much too large.
PairCandidates find_pairs(const TileGrid& grid, const LocalTiles& tiles, const ParticleStore& store,
                          double skin, std::vector<Vec3> impulse = {});

WallCandidates find_wall_contacts(const LocalTiles& tiles, const ParticleStore& store,
                                  std::span<const Wall> walls, double skin);

} // namespace tamp
