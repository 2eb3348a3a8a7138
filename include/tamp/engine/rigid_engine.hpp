#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamp/contacts/candidates.hpp"
#include "tamp/contacts/contact_set.hpp"
#include "tamp/contacts/phase_exchange.hpp"
#include "tamp/engine/energy_budget.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/solver/relaxation.hpp"

namespace tamp {

/// What a rigid simulation is made of.
struct RigidSetup {
    Box box;
    Vec3 gravity{0, 0, 0};
    MaterialTable materials;
    std::vector<Wall> walls;
    SolverSettings solver;
    TimeSettings time;
    NeighbourSettings neighbours;
    std::uint64_t seed = 1;
    bool energy_budget = false; ///< follow the energy through every step: costs about a sweep
};

struct StepReport {
    double time_step = 0;
    SolveReport solve;
    std::int64_t contacts = 0; ///< relaxed in the step, on all ranks
    double overlap = 0;        ///< largest at the beginning of the step, m
    bool searched = false;     ///< neighbours were searched anew
};

/// Counts of a whole run.
struct RunTotals {
    std::int64_t steps = 0, sweeps = 0, capped_steps = 0, searches = 0, balances = 0;
    std::int64_t fast_steps = 0; ///< in which a particle moved further than time.displacement allows
    double contact_updates = 0;  ///< contacts times sweeps
    double largest_overlap = 0;
    std::int64_t lost = 0; ///< particles that left the region
    double skin_sum = 0;   ///< over searches
};

/// Contact dynamics: one implicit step after another [000 sec. 1.2-1.5].
class RigidEngine {
public:
    /// `grains` is the whole initial state, the same on every rank; each rank keeps its share.
    RigidEngine(const Communicator& communicator, const RigidSetup& setup, std::span<const Grain> grains);

    /// One time step, which ends at `end_time` if that is nearer.
    StepReport step(double end_time);

    /// Gives back memory that the next step makes anew, for those who need room to write the state.
    void make_room() { contacts_.release(); }

    double time() const { return time_; }
    const RunTotals& totals() const { return totals_; }
    const ParticleStore& store() const { return store_; }
    const PairCandidates& pairs() const { return pairs_; }
    const WallCandidates& wall_candidates() const { return wall_candidates_; }
    std::span<Wall> walls() { return walls_; }
    std::span<const Wall> walls() const { return walls_; }
    const RigidSetup& setup() const { return setup_; }
    const TileGrid& grid() const { return grid_; }
    const Partition& partition() const { return partition_; }
    const Communicator& communicator() const { return communicator_; }
    Profile& profile() { return profile_; }
    const Profile& profile() const { return profile_; }
    double mean_diameter() const { return mean_diameter_; }
    double smallest_diameter() const { return smallest_diameter_; }
    double largest_diameter() const { return largest_diameter_; }
    /// Largest speed of a particle after the last step, on all ranks. Collective.
    double largest_speed() const { return communicator_.max(local_speed_); }
    double last_time_step() const { return last_time_step_; }
    /// Largest number of batches of a rank over the mean, in the last step.
    double imbalance() const;
    const PhaseExchange& exchange() const { return *exchange_; }
    const ContactSet& contacts() const { return contacts_; }
    /// Where energy went; empty unless the setup asks for it. Collective.
    std::optional<EnergyFlows> energy_flows() const;

private:
    void choose_time_step(double end_time);
    bool neighbours_are_stale() const;
    void search_neighbours();
    template <class Record>
    void search_with_memory();
    void rebalance();
    void book_leavers();
    void add_free_velocity();
    void move();

    const Communicator& communicator_;
    RigidSetup setup_;
    std::vector<Wall> walls_;
    double smallest_diameter_ = 0, largest_diameter_ = 0, mean_diameter_ = 0;
    ParticleStore store_;
    TileGrid grid_;
    Partition partition_;
    std::optional<LocalTiles> tiles_;
    PairCandidates pairs_;
    WallCandidates wall_candidates_;
    std::optional<PhaseExchange> exchange_;
    ContactSet contacts_;
    Profile profile_;
    Relaxation relaxation_;
    ProfilePart search_part_, geometry_part_, move_part_, solve_part_, energy_part_;

    double time_ = 0, time_step_ = 0, last_time_step_ = 0;
    double margin_ = 0, skin_ = 0, largest_skin_ = 0;
    rigid::LawUse laws_;
    double cohesion_range_ = 0;                        ///< the largest gap over which a bond may last
    double local_speed_ = 0;                           ///< of particles
    double displacement_ = 0, local_displacement_ = 0; ///< since the last search, of particles
    double wall_displacement_ = 0;
    double sweep_seconds_ = 0, other_seconds_ = 0; ///< at the last balance
    RunTotals totals_;
    EnergyBudget energy_;
};

} // namespace tamp
