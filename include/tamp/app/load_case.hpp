#pragma once

#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/grain.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Rank 0 reads the file, every rank parses the same text: all get the same case or the same InputError.
Case load_case(const Communicator& communicator, const std::string& path,
               const std::vector<std::string>& overrides);

/// What the case says about its world, and about how that is moved.
WorldSetup world_setup(const Case& settings);
EngineSettings engine_settings(const Case& settings);

/// The initial particles of all entries, the same on every rank, checked to be a possible start.
std::vector<Grain> initial_grains(const Communicator& communicator, const Case& settings,
                                  const std::string& case_path);

} // namespace tamp
