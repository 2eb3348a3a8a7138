#pragma once

#include <string>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Makes the folder that a run writes to and returns its path. A folder with results is never written to
/// again: a folder that the user named is refused, a default one gets a number. Collective; FileError or
/// InputError on every rank.
std::string make_output_folder(const Communicator& communicator, const std::string& named,
                               const std::string& fallback);

} // namespace tamp
