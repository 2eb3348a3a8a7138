#pragma once

#include <memory>
#include <span>

#include "rigid_run.hpp"
#include "tamp/engine/make_engine.hpp"

namespace tamp {

/// A world and the engine that its setup asks for, as a run has them, with short ways to what tests look at.
class EngineRun {
public:
    EngineRun(const Communicator& communicator, const RigidSetup& setup, std::span<const Grain> grains)
        : world(communicator, setup, engine_needs(setup, setup, start_sizes(grains, setup.box.dimension)),
                grains),
          engine(make_engine(world, setup)) {}
    /// Goes on from what was saved.
    EngineRun(const Communicator& communicator, const RigidSetup& setup, const SavedWorld& saved,
              std::span<const SavedWords> saved_by_engine)
        : world(communicator, setup, engine_needs(setup, setup, saved.sizes), saved),
          engine(make_engine(world, setup, saved_by_engine)) {}

    World world;
    std::unique_ptr<Engine> engine;

    operator const World&() const { return world; }

    StepReport step(double end_time) { return engine->step(end_time); }
    const Communicator& communicator() const { return world.communicator; }
    const ParticleStore& store() const { return world.particles; }
    std::span<Wall> walls() { return world.walls; }
    std::span<const Wall> walls() const { return world.walls; }
    const Totals& totals() const { return world.totals; }
    double time() const { return world.clock.time; }
};

inline View view(const EngineRun& run) { return view(run.world, run.engine->forces()); }
inline Measures measure(const EngineRun& run) { return measure(run.world, run.engine->forces()); }

} // namespace tamp
