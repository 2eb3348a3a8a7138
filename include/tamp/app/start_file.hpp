#pragma once

#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/particles/grain.hpp"

namespace tamp {

/// What a case can start from: the end of another run, or some moment of it.
struct StartFile {
    int dimension = 3;
    std::vector<Grain> grains;          ///< by id
    std::vector<std::string> materials; ///< names, in the order of the grains' indices; empty: not known
    std::vector<Wall> walls;
    WordTable contacts; ///< `first`, `second`, and what was remembered of them
    std::string input;  ///< the case of that run
};

/// A state file or a checkpoint. One process reads; what cannot be read is a FileError that says why.
StartFile read_start_file(const std::string& path);

} // namespace tamp
