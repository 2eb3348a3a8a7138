#pragma once

#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/engine/settings.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// Rank 0 reads, all get the text or the same InputError; `what` the file is called there. Collective.
std::string read_text(const Communicator& communicator, const std::string& path, const std::string& what);

/// Rank 0 reads the file, every rank parses the same text: all get the same case or the same InputError.
Case load_case(const Communicator& communicator, const std::string& path,
               const std::vector<std::string>& overrides);

/// What the case says about its world, and about how that is moved.
WorldSetup world_setup(const Case& settings);
EngineSettings engine_settings(const Case& settings);

} // namespace tamp
