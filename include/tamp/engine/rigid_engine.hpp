#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/engine/energy_budget.hpp"
#include "tamp/engine/engine.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/solver/contact_set.hpp"
#include "tamp/solver/phase_exchange.hpp"
#include "tamp/solver/relaxation.hpp"
#include "tamp/solver/step_rule.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Contact dynamics: one implicit step after another [000 sec. 1.2-1.5].
class RigidEngine : public Engine {
public:
    static EngineNeeds needs(const WorldSetup& world, const EngineSettings& settings,
                             const StartSizes& sizes);

    RigidEngine(World& world, const EngineSettings& settings, std::span<const SavedWords> saved = {});
    // It stays where it is made: its parts refer to each other and to the world.
    RigidEngine(const RigidEngine&) = delete;
    RigidEngine& operator=(const RigidEngine&) = delete;

    StepReport step(double end_time) override;
    double largest_time_step() const override;
    ContactForces forces() const override;
    std::optional<EnergyFlows> energy_flows() const override;
    std::vector<SavedWords> save() const override;
    void make_room() override { contacts_.release(); }
    void observe_solves(const SolveObserver& observer) override { observer_ = observer; }

    // For benchmarks and tests.
    const ContactSet& contacts() const { return contacts_; }
    PhaseExchange& exchange() { return *exchange_; }

private:
    void choose_time_step(double end_time);
    /// The step at this speed of the fastest one, its sub-steps and limits: what the case leaves open follows
    /// from step_rule.hpp.
    void choose_substeps(double speed);
    /// How far anything may move in an adaptive step, m.
    double displacement_bound() const;
    /// The step that keeps to it at this speed, and is no longer than `longest`; or the fixed one.
    double step_within_bound(double speed, double longest) const;
    /// The largest speed of particles or walls.
    double with_walls(double speed_of_particles) const;
    double largest_acceleration() const;
    /// As the rule for steps sees it.
    LoadedPacking packing_under(const StaticLoad& load) const;
    void search_neighbours();
    void plan_exchange();
    std::vector<TileWork> work_of_tiles() const;
    void find_contacts(bool has_geometry, double time_step, double impulse_scale);
    void substep(double time_step, bool last, SolveReport& report);
    void remember();
    void add_free_velocity(double time_step);
    void find_wall_torques(double time_step);
    void count(const StepReport& report);

    World& world_;
    EngineSettings settings_;
    rigid::LawUse laws_;
    ContactSet contacts_;
    std::optional<PhaseExchange> exchange_;
    Relaxation relaxation_;
    EnergyBudget energy_;
    SolveObserver observer_;
    ProfilePart search_part_, geometry_part_, move_part_, solve_part_, energy_part_;

    std::vector<ExactSum> torques_; ///< on walls
    double time_step_ = 0;
    int substeps_ = 1;
    SolveLimits limits_;
    double pressure_ = 0; ///< along the load, of late; Pa (2-D: N/m)
    double margin_ = 0;   ///< gaps below this may close in the step, or are bridged by cohesion
};

} // namespace tamp
