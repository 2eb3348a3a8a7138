#pragma once

#include <memory>
#include <span>

#include "rigid_run.hpp"
#include "tamp/engine/make_engine.hpp"

namespace tamp {

/// A world and the engine that its setup asks for, as a run has them.
class EngineRun : public WorldRun {
public:
    EngineRun(const Communicator& communicator, const RigidSetup& setup, std::span<const Grain> grains)
        : WorldRun(communicator, setup, engine_needs(setup, setup, start_sizes(grains, setup.box.dimension)),
                   grains),
          engine(make_engine(world, setup)) {}
    /// Goes on from what was saved.
    EngineRun(const Communicator& communicator, const RigidSetup& setup, const SavedWorld& saved,
              std::span<const SavedWords> saved_by_engine)
        : WorldRun(communicator, setup, engine_needs(setup, setup, saved.sizes), saved),
          engine(make_engine(world, setup, saved_by_engine)) {}

    std::unique_ptr<Engine> engine;

    StepReport step(double end_time) { return engine->step(end_time); }
};

inline View view(const EngineRun& run) { return view(run.world, run.engine->forces()); }
inline Measures measure(const EngineRun& run) { return measure(run.world, run.engine->forces()); }

} // namespace tamp
