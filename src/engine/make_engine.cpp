#include "tamp/engine/make_engine.hpp"

#include "tamp/engine/rigid_engine.hpp"
#include "tamp/engine/soft_engine.hpp"

namespace tamp {

EngineNeeds engine_needs(const WorldSetup& world, const EngineSettings& settings, const StartSizes& sizes) {
    return settings.kind == EngineKind::soft ? SoftEngine::needs(world, settings, sizes)
                                             : RigidEngine::needs(world, settings, sizes);
}

std::unique_ptr<Engine> make_engine(World& world, const EngineSettings& settings,
                                    std::span<const SavedWords> saved) {
    if (settings.kind == EngineKind::soft)
        return std::make_unique<SoftEngine>(world, settings, saved);
    return std::make_unique<RigidEngine>(world, settings, saved);
}

} // namespace tamp
