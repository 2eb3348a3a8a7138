#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/app/start.hpp"

namespace tamp {

/// The columns of Start::contacts: of all that engines remember, bonds are what the law of cohesion knows of
/// the past. Impulses and torques are guesses, which the solver finds anew; springs of soft grains are in the
/// frame of their contact. A bond is a state without a direction: it stays, however a packing is turned.
std::vector<ColumnInfo> remembered_columns();

/// Fits the state or checkpoint at `path` to a case that starts from it: materials, walls, bonds, and where
/// the packing is put. Its particles come behind those that `start` has. One process does that.
void fit_file(const Case& settings, const GeneratorSettings& generator, const std::string& path,
              Start& start);

/// The same of a table of particles (.csv).
void fit_table(const Case& settings, const GeneratorSettings& generator, const std::string& text,
               const std::string& path, Start& start);

/// Refuses particles that an entry has put outside of the domain. `number`: of the entry; `first`: of its
/// particles.
void check_placed(const Case& settings, std::size_t number, const Start& start, std::size_t first);

} // namespace tamp
