#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tamp/engine/solve_observer.hpp"
#include "tamp/world/contact_forces.hpp"
#include "tamp/world/energy_flows.hpp"
#include "tamp/world/saved_world.hpp"
#include "tamp/world/step_report.hpp"

namespace tamp {

/// How contact forces are found and a `World` is moved by them, one step after the other. An engine is bound
/// to its world when it is made; what it needs of it (how far contacts reach, what is remembered of them) it
/// declares before: see `EngineNeeds` and `engine_needs`. Calls are collective, but for `forces`,
/// `steps_between_looks` and `make_room`.
class Engine {
public:
    virtual ~Engine() = default;

    /// One time step, which ends at `end_time` if that is nearer.
    virtual StepReport step(double end_time) = 0;

    /// The time step that the engine would make now if no end time were near, s.
    virtual double largest_time_step() const = 0;

    /// In how many steps forces and energies may change so much that a stage is to look at them again. A run
    /// that goes on from a file gets the same number.
    virtual std::int64_t steps_between_looks() const { return 10; }

    /// Of the last step. Valid until the next one.
    virtual ContactForces forces() const = 0;

    /// Where energy went; nothing unless the settings ask for it.
    virtual std::optional<EnergyFlows> energy_flows() const = 0;

    /// Energy that contacts would give back, J; nothing where grains are rigid.
    virtual std::optional<double> elastic_energy() const { return {}; }

    /// Energy in the springs of contacts, J, each counted from where it bears no force. Unlike the elastic
    /// energy it is never negative: what adhesion holds back does not count. Nothing where grains are rigid.
    virtual std::optional<double> spring_energy() const { return {}; }

    /// What the next steps depend on beyond the world.
    virtual std::vector<SavedWords> save() const = 0;

    /// Gives back memory that the next step makes anew, for those who need room to look or to write.
    virtual void make_room() {}

    /// From now on `observer` sees every contact problem that is solved; soft grains solve none.
    virtual void observe_solves(const SolveObserver&) {}
};

} // namespace tamp
