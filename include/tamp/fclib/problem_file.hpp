#pragma once

#include <string>

#include "tamp/fclib/problem.hpp"

/// Files in the HDF5 layout of FCLIB; src/fclib/README.md lists groups and datasets. One process calls these.
namespace tamp::fclib {

/// Throws a FileError that names the dataset at fault. What is returned has matching sizes, finite numbers,
/// indices within the matrices, and at least one contact.
ProblemFile read_problem(const std::string& path);

/// The file appears whole or not at all; the same problem gives the same bytes. Returns what is wrong, empty:
/// nothing, because all ranks must hear of it.
std::string write_problem(const std::string& path, const ProblemFile& problem);

/// Puts the solution in the place of the one that the file has, and leaves all else as it is.
void replace_solution(const std::string& path, const Solution& solution);

} // namespace tamp::fclib
