#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/world/start_sizes.hpp"
#include "tamp/world/totals.hpp"

namespace tamp {

/// What radii of the start have become until some moments. Sizes at that moment follow from it.
struct GrownSoFar {
    Grown now, at_search; ///< when neighbours were last searched
    Grown at_tiles;       ///< when tiles were made
};

/// All of a world that the next steps depend on: a world made of this goes on with the same bits, on any
/// number of ranks. Particles and contacts are those of one rank; the rest is the same on every rank.
struct SavedWorld {
    double time = 0, last_time_step = 0;
    double largest_speed = 0;
    double skin = 0, displacement = 0, wall_displacement = 0; ///< since the last search
    StartSizes sizes;                                         ///< at the start
    Growth growth{};
    Grown last_growth{};
    GrownSoFar grown{};
    Totals totals;
    std::optional<Vec3> gravity{}; ///< m/s^2; none: as the case has it, which older files did not say
    std::vector<Wall> walls{};
    std::vector<Wall> walls_at_search{};   ///< when neighbours were last searched
    std::vector<std::int64_t> partition{}; ///< of tiles over ranks; used on the same number of them
    /// The columns of the particle store, and `reference`: where a particle was when neighbours were last
    /// searched. Pairs and their order follow from that, not from where it is now.
    WordTable particles{};
    WordTable contacts{}; ///< see `saved_history`

    bool has_neighbours() const { return totals.searches > 0; }
};

/// Something that an engine saves beyond its world: a name and numbers as bits, the same on every rank.
struct SavedWords {
    std::string name;
    std::vector<std::int64_t> words;
};

} // namespace tamp
