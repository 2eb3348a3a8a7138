#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/boundaries/wall.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/world/neighbours.hpp"
#include "tamp/world/saved_world.hpp"

namespace tamp {

/// What a case says about a world.
struct WorldSetup {
    Box box;
    Vec3 gravity{0, 0, 0}; ///< at the start, and what `cohesion_bond` counts in, m/s^2
    MaterialTable materials;
    std::vector<Wall> walls;
    NeighbourSettings neighbours;
    std::uint64_t seed = 1; ///< of all random numbers
};

struct SimulatedTime {
    double time = 0;      ///< s
    double last_step = 0; ///< s
};

/// How fast and how far things move.
struct Motion {
    double local_speed = 0;                          ///< largest of the particles of this rank, m/s
    double displacement = 0, local_displacement = 0; ///< since the last search: of all, of this rank, m
    double wall_displacement = 0;                    ///< since the last search, at most
};

/// All that a simulation has, whatever finds its contact forces: particles, walls, who is near whom, time and
/// counts. Engines move it; everybody else looks.
class World {
public:
    /// `grains` is the whole initial state, the same on every rank; each rank keeps its share. `remembered`
    /// is what is known of contacts from before, the same on every rank as well: `first`, `second`, and
    /// columns of the history that `needs` asks for; those that are left out are zero.
    World(const Communicator& communicator, const WorldSetup& setup, const EngineNeeds& needs,
          std::span<const Grain> grains, const WordTable& remembered = {});
    /// Goes on where `save` was called, with the same bits: `saved` has some share of particles and contacts
    /// on each rank, whichever. Collective.
    World(const Communicator& communicator, const WorldSetup& setup, const EngineNeeds& needs,
          const SavedWorld& saved);
    World(const World&) = delete; // engines hold on to it
    World& operator=(const World&) = delete;

    const Communicator& communicator;
    const WorldSetup setup;
    const EngineNeeds needs;
    const StartSizes sizes_at_start;
    StartSizes sizes; ///< of the same particles, as they have grown
    Vec3 gravity;     ///< of the last step, and of the next one unless a stage changes it, m/s^2
    std::vector<Wall> walls;
    ParticleStore particles;
    Neighbours neighbours;
    SimulatedTime clock;
    Motion motion;
    Totals totals;
    Profile profile;
    std::int64_t contact_work = 0; ///< of this rank in the last step, in units of its engine

    const Box& box() const { return setup.box; }
    int dimension() const { return setup.box.dimension; }
    const ContactLists& lists() const { return neighbours.lists(); }
    ContactLists& lists() { return neighbours.lists(); }

    /// Largest speed of a particle after the last step, on all ranks. Collective.
    double largest_speed() const { return communicator.max(motion.local_speed); }
    /// The same, and how far particles and walls have come since the last search. `largest` becomes the
    /// largest of all ranks in the same message. Collective.
    double gather_motion(double* largest = nullptr);

    /// Whether neighbours must be searched before a step in which gaps below `margin` matter.
    bool neighbours_are_stale(double margin) const {
        return neighbours.stale(margin, motion.displacement + grown_since_search());
    }
    /// Collective.
    void search_neighbours(const SearchRequest& request);

    /// Particles and walls go on with their velocities; copies as their owners: the same numbers, hence no
    /// exchange.
    void move(double time_step);
    /// Walls alone, for engines that move particles themselves.
    void move_walls(double time_step);
    /// How fast the surface of a wall may come nearer to a particle, m/s.
    double fastest_wall() const;
    /// How radii grow from now on.
    void set_growth(const Growth& wanted);
    const Growth& growth() const { return growth_; }
    /// The fastest that a surface moves outwards by growth, now or in the last step, m/s.
    double growth_speed() const;
    /// Radii grow for so long: once a step, after particles have moved.
    void grow(double time_step);
    /// What radii became by growing in the last step.
    const Grown& last_growth() const { return last_growth_; }
    /// The sizes when neighbours were last searched.
    StartSizes sizes_at_search() const { return grown_sizes(sizes_at_start, grown_.at_search, dimension()); }

    /// Ends a step. Never a tiny remainder before `end_time`.
    void advance_clock(double time_step, double end_time);

    /// What the cost of tiles is taken from.
    LoadCost load_cost() const;
    const LoadBalanceRecord& load_balance() const { return load_balance_; }
    /// Largest contact work of a rank over the mean, in the last step. Collective.
    double imbalance() const;
    /// Largest time of a rank at work since the last balance over the mean. Collective.
    double busy_imbalance() const;

    /// Collective.
    SavedWorld save() const;

    /// In debug builds: throws std::logic_error where particles, tiles, lists or history contradict each
    /// other. Collective.
    void validate() const;

private:
    World(const Communicator& communicator, const WorldSetup& setup, const EngineNeeds& needs,
          const StartSizes& sizes);
    void deal_out(std::span<const Grain> grains);
    void restore_neighbours(const SavedWorld& saved, std::vector<std::uint64_t> held);
    BusySeconds busy_seconds() const;
    void rebalance(const SearchRequest& request);
    bool follow_growth();
    double grown_since_search() const;

    Growth growth_;
    GrownSoFar grown_;
    Grown last_growth_;
    double last_growth_speed_ = 0; ///< m/s
    std::vector<Wall> walls_at_search_;
    BusySeconds busy_at_balance_;
    LoadBalanceRecord load_balance_;
    bool has_stepped_ = false; ///< since it was made or restored
};

} // namespace tamp
