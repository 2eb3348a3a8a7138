#pragma once

#include <memory>
#include <string>

#include <spdlog/spdlog.h>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Console and `run.log` on rank 0, silence elsewhere. A log that is there goes on. Collective.
std::shared_ptr<spdlog::logger> make_logger(const Communicator& communicator, const std::string& folder);

} // namespace tamp
