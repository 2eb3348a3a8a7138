#pragma once

#include <memory>
#include <span>

#include "tamp/engine/engine.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

// The one place that chooses an engine.

/// What the engine of a case will ask of its world.
EngineNeeds engine_needs(const WorldSetup& world, const EngineSettings& settings, const StartSizes& sizes);

/// The engine of a case, bound to its world. `saved`: what an engine of an earlier run left; empty at a
/// start.
std::unique_ptr<Engine> make_engine(World& world, const EngineSettings& settings,
                                    std::span<const SavedWords> saved = {});

} // namespace tamp
