#include "tamp/engine/make_engine.hpp"

#include "tamp/engine/rigid_engine.hpp"

namespace tamp {

EngineNeeds engine_needs(const WorldSetup& world, const EngineSettings& settings, const StartSizes& sizes) {
    return RigidEngine::needs(world, settings, sizes);
}

std::unique_ptr<Engine> make_engine(World& world, const EngineSettings& settings,
                                    std::span<const SavedWords> saved) {
    return std::make_unique<RigidEngine>(world, settings, saved);
}

} // namespace tamp
