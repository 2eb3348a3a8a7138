#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tamp/engine/engine.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/engine/soft_budget.hpp"
#include "tamp/soft/active_contacts.hpp"
#include "tamp/solver/phase_exchange.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Explicit particle dynamics of soft grains [002, 004]: forces from overlaps, then a leapfrog step,
///   v_(n+1/2) = v_(n-1/2) + a(x_n, v_(n-1/2)) (dt_(n-1) + dt_n)/2,   x_(n+1) = x_n + v_(n+1/2) dt_n.
/// At the start dt_(n-1) is zero, which makes the first kick half a step long.
class SoftEngine : public Engine {
public:
    static EngineNeeds needs(const WorldSetup& world, const EngineSettings& settings,
                             const StartSizes& sizes);

    SoftEngine(World& world, const EngineSettings& settings, std::span<const SavedWords> saved = {});
    SoftEngine(const SoftEngine&) = delete;
    SoftEngine& operator=(const SoftEngine&) = delete;

    StepReport step(double end_time) override;
    double largest_time_step() const override { return time_step_; }
    std::int64_t steps_between_looks() const override;
    ContactForces forces() const override;
    std::optional<EnergyFlows> energy_flows() const override;
    std::optional<double> elastic_energy() const override;
    std::optional<double> spring_energy() const override;
    std::vector<SavedWords> save() const override;
    void make_room() override;

    // For benchmarks and tests.
    const soft::ActiveContacts& contacts() const { return contacts_; }

private:
    double step_until(double end_time) const;
    double gather();
    double largest_wall_speed() const;
    void prepare_contacts(double speed, StepReport& report);
    void search_neighbours(double speed);
    void plan_exchange();
    void take_contacts(double speed);
    void find_forces();
    std::int64_t add_up();
    void push_walls(double kick);
    void move(double kick, double time_step);
    std::vector<TileWork> work_of_tiles() const;

    World& world_;
    EngineSettings settings_;
    double time_step_;
    soft::ForceUnit unit_;
    soft::ActiveContacts contacts_;
    SoftBudget energy_;
    Vec3 gravity_before_; ///< of the step before, for its work, m/s^2
    std::optional<PhaseExchange> exchange_;
    std::vector<soft::ForceSum> sums_, on_walls_;
    std::vector<std::int64_t> words_; ///< of `add_up`
    double overlap_ = 0;              ///< largest of this rank in the last step; of all after `gather`
    double wall_speed_ = 0;           ///< largest in the last step, m/s
    double margin_ = 0;               ///< m: gaps below this were taken over
    double moved_ = 0;                ///< m: how far anything may have come since then
    bool taken_ = false;              ///< contacts are in batches
    ProfilePart search_part_, screen_part_, force_part_, exchange_part_, wait_part_, reduction_part_,
        move_part_;
};

} // namespace tamp
