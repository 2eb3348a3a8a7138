#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamp/config/case.hpp"

namespace tamp {

/// Reads and checks a case. `overrides` are the values of `--set`, such as `solver.tolerance=1e-5`.
/// Opens no file: the text is handed in, so that one rank reads it and all get the same case or the same
/// error. Throws one InputError that lists all mistakes, each as `FILE:LINE:COLUMN: key: what; remedy`.
Case parse_case(std::string_view text, const std::string& file_name,
                std::span<const std::string> overrides = {});

/// A path in a case file is meant relative to the folder of that file.
std::string resolve_path(const std::string& case_file, const std::string& path);

} // namespace tamp
