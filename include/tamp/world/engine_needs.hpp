#pragma once

#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"

namespace tamp {

/// What an engine asks of the world that it moves. Known before the world is made.
struct EngineNeeds {
    double reach = 0;                     ///< m; the largest gap over which contacts act
    bool reaches_far = false;             ///< so far that skins have to be wider than usual
    std::string what_reaches{};           ///< the law that does, for an error,
    std::string shorter_reach{};          ///< and what to change in a case so that it reaches less far
    std::vector<ColumnInfo> history{};    ///< what is remembered of a contact, see contacts/history.hpp
    std::vector<ColumnInfo> attributes{}; ///< what particles have beside the columns that all have
    // Parts of the profile whose time goes with contacts, and with particles; not those in which ranks wait.
    std::vector<std::string> contact_parts{}, particle_parts{};
    bool depends_on_ranks = false; ///< results depend on who owns what: no clock may decide about that
};

} // namespace tamp
