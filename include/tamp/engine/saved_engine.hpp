#pragma once

#include <cstdint>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/boundaries/wall.hpp"

namespace tamp {

/// Counts of a whole run.
struct RunTotals {
    std::int64_t steps = 0, sweeps = 0, capped_steps = 0, searches = 0, balances = 0;
    std::int64_t fast_steps = 0; ///< in which a particle moved further than time.displacement allows
    double contact_updates = 0;  ///< contacts times sweeps
    double largest_overlap = 0;
    double largest_residual = 0, residual_sum = 0; ///< at the end of steps
    std::int64_t lost = 0;                         ///< particles that left the region
    double skin_sum = 0;                           ///< over searches
};

/// Of the particles that a run started with: what tiles and skins are made for, whoever left since.
struct StartSizes {
    double smallest = 1e300, largest = 0, mean = 0; ///< m, diameters
    double mean_volume = 0;
    std::int64_t count = 0;
};

/// A particle exactly as it is, and where it was when neighbours were last searched: pairs and their order
/// follow from that, not from where it is now.
struct SavedParticle {
    std::uint64_t id = 0;
    std::int64_t material = 0;
    Vec3 position{0, 0, 0};
    double radius = 0;
    Vec3 velocity{0, 0, 0};
    Vec3 surface{0, 0, 0}; ///< radius times angular velocity, which is what the solver works with
    Vec3 reference{0, 0, 0};
};

/// What a pair, or a particle and a wall, had in the last step.
struct SavedContact {
    std::uint64_t first = 0, second = 0; ///< second: wall_memory + index for a wall
    std::int64_t tile = 0;               ///< that it belongs to, by its number on the curve
    Vec3 impulse{0, 0, 0};
};
/// The same of laws that remember more.
struct SavedContactLaw {
    Vec3 torque{0, 0, 0};
    std::int64_t bond = 0;
};

/// All that the next steps of a run depend on: an engine made of this goes on with the same bits, on any
/// number of ranks. Particles and contacts are those of one rank; the rest is the same on every rank.
struct SavedEngine {
    double time = 0, last_time_step = 0;
    double largest_speed = 0;
    double skin = 0, displacement = 0, wall_displacement = 0; ///< since the last search
    std::int64_t last_sweeps = 0;
    StartSizes sizes;
    RunTotals totals;
    std::vector<Wall> walls{};
    std::vector<Wall> walls_at_search{};      ///< when neighbours were last searched
    std::vector<std::int64_t> partition{};    ///< of tiles over ranks; used on the same number of them
    std::vector<std::int64_t> energy_words{}; ///< empty if the energy was not followed
    std::vector<SavedParticle> particles{};
    std::vector<SavedContact> contacts{};
    std::vector<SavedContactLaw> contact_laws{}; ///< empty, or one each

    bool has_neighbours() const { return totals.searches > 0; }
};

} // namespace tamp
