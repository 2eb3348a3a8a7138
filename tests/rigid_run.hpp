#pragma once

#include <span>
#include <vector>

#include "tamp/engine/rigid_engine.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

/// All that a test or a benchmark says about a rigid simulation.
struct RigidSetup : WorldSetup, EngineSettings {};

/// A world with short ways to what tests look at.
class WorldRun {
public:
    /// `start`: grains, or what was saved.
    template <class Start>
    WorldRun(const Communicator& communicator, const RigidSetup& setup, const EngineNeeds& needs,
             const Start& start)
        : world(communicator, setup, needs, start) {}

    World world;

    operator const World&() const { return world; }

    const WorldSetup& setup() const { return world.setup; }
    const Communicator& communicator() const { return world.communicator; }
    const ParticleStore& store() const { return world.particles; }
    std::span<Wall> walls() { return world.walls; }
    std::span<const Wall> walls() const { return world.walls; }
    const Totals& totals() const { return world.totals; }
    double time() const { return world.clock.time; }
};

/// A world and the rigid engine that moves it, as a run has them.
class RigidRun : public WorldRun {
public:
    RigidRun(const Communicator& communicator, const RigidSetup& setup, std::span<const Grain> grains)
        : WorldRun(communicator, setup,
                   RigidEngine::needs(setup, setup, start_sizes(grains, setup.box.dimension)), grains),
          engine(world, setup) {}
    /// Goes on from what was saved.
    RigidRun(const Communicator& communicator, const RigidSetup& setup, const SavedWorld& saved,
             std::span<const SavedWords> saved_by_engine)
        : WorldRun(communicator, setup, RigidEngine::needs(setup, setup, saved.sizes), saved),
          engine(world, setup, saved_by_engine) {}

    RigidEngine engine;

    StepReport step(double end_time) { return engine.step(end_time); }
    const PairList& pairs() const { return world.lists().pairs; }
    const WallList& wall_contacts() const { return world.lists().walls; }
    // What is remembered, an entry a contact of the lists.
    std::span<const Vec3> impulses() const { return world.lists().pair_history.vectors(0); }
    std::span<const Vec3> wall_impulses() const { return world.lists().wall_history.vectors(0); }
    std::span<const Vec3> torques() const { return column_of_pairs<Vec3>("torque"); }
    rigid::Bond bond(std::size_t pair) const {
        return static_cast<rigid::Bond>(column_of_pairs<std::int64_t>("bond")[pair]);
    }

private:
    template <class T>
    std::span<const T> column_of_pairs(const char* name) const {
        const ColumnTable& history = world.lists().pair_history;
        if constexpr (std::is_same_v<T, Vec3>)
            return history.vectors(history.find(name).value());
        else
            return history.integers(history.find(name).value());
    }
};

inline View view(const RigidRun& run) { return view(run.world, run.engine.forces()); }
inline Measures measure(const RigidRun& run) { return measure(run.world, run.engine.forces()); }

} // namespace tamp
