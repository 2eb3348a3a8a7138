#pragma once

#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/config/case.hpp"
#include "tamp/mpi/communicator.hpp"
#include "tamp/particles/grain.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// What a run begins with.
struct Start {
    std::vector<Grain> grains;        ///< of all entries
    std::vector<Wall> walls;          ///< of the case; some may stand where a file had them
    WordTable contacts;               ///< what files remember of contacts, as World wants it
    std::vector<std::string> notes{}; ///< of rank 0, for the log: what was taken from files and what was not,
                                      ///< and how steps are solved
};

/// The same on every rank, checked to be a possible start. Collective.
Start make_start(const Communicator& communicator, const Case& settings, const std::string& case_path);

/// The world of the case with this start. Collective.
World starting_world(const Communicator& communicator, const Case& settings, const Start& start);

} // namespace tamp
