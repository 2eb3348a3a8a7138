#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamp/contacts/candidates.hpp"
#include "tamp/contacts/contact_set.hpp"
#include "tamp/contacts/phase_exchange.hpp"
#include "tamp/engine/energy_budget.hpp"
#include "tamp/engine/load_balance.hpp"
#include "tamp/engine/saved_engine.hpp"
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

/// Contact dynamics: one implicit step after another [000 sec. 1.2-1.5].
class RigidEngine {
public:
    /// `grains` is the whole initial state, the same on every rank; each rank keeps its share.
    RigidEngine(const Communicator& communicator, const RigidSetup& setup, std::span<const Grain> grains);
    /// Goes on where `save` was called, with the same bits: `saved` has some share of particles and contacts
    /// on each rank, whichever. Collective.
    RigidEngine(const Communicator& communicator, const RigidSetup& setup, const SavedEngine& saved);

    /// One time step, which ends at `end_time` if that is nearer.
    StepReport step(double end_time);

    /// Collective.
    SavedEngine save() const;

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
    double mean_diameter() const { return sizes_.mean; }
    double smallest_diameter() const { return sizes_.smallest; }
    double largest_diameter() const { return sizes_.largest; }
    /// Largest speed of a particle after the last step, on all ranks. Collective.
    double largest_speed() const { return communicator_.max(local_speed_); }
    double last_time_step() const { return last_time_step_; }
    /// Largest number of batches of a rank over the mean, in the last step.
    double imbalance() const;
    /// Largest time of a rank at work since the last balance over the mean. Collective.
    double busy_imbalance() const { return imbalance_of(communicator_, busy_seconds() - busy_at_balance_); }
    /// What the cost of tiles is taken from.
    BalanceCost balance_cost() const;
    const BalanceRecord& balance() const { return balance_; }
    const PhaseExchange& exchange() const { return *exchange_; }
    PhaseExchange& exchange() { return *exchange_; }
    const ContactSet& contacts() const { return contacts_; }
    /// Where energy went; empty unless the setup asks for it. Collective.
    std::optional<EnergyFlows> energy_flows() const;

private:
    RigidEngine(const Communicator& communicator, const RigidSetup& setup, const StartSizes& sizes);
    void restore_neighbours(const SavedEngine& saved, std::vector<SavedParticle> held);
    void choose_time_step(double end_time);
    bool neighbours_are_stale() const;
    void search_neighbours();
    void plan_exchange();
    template <class Record>
    void search_with_memory();
    void rebalance();
    BusySeconds busy_seconds() const;
    std::vector<TileWork> work_of_tiles() const;
    void book_leavers();
    void add_free_velocity();
    void move();

    const Communicator& communicator_;
    RigidSetup setup_;
    std::vector<Wall> walls_, walls_at_search_;
    StartSizes sizes_;
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
    ProfilePart search_part_, geometry_part_, move_part_, solve_part_, energy_part_, sweep_part_,
        residual_part_;

    double time_ = 0, time_step_ = 0, last_time_step_ = 0;
    double margin_ = 0, skin_ = 0, largest_skin_ = 0;
    rigid::LawUse laws_;
    double cohesion_range_ = 0;                        ///< the largest gap over which a bond may last
    double local_speed_ = 0;                           ///< of particles
    double displacement_ = 0, local_displacement_ = 0; ///< since the last search, of particles
    double wall_displacement_ = 0;
    BusySeconds busy_at_balance_;
    BalanceRecord balance_;
    RunTotals totals_;
    bool has_stepped_ = false; ///< since it was made or restored
    EnergyBudget energy_;
};

} // namespace tamp
