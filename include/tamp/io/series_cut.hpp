#pragma once

#include <hdf5.h>

#include <cstddef>
#include <map>
#include <string>

namespace tamp {

/// Cuts all groups of an open series (see SeriesFile) behind their last row up to a time, and says how many
/// rows each has left. Throws Hdf5Failure.
std::map<std::string, std::size_t> cut_series(hid_t file, double after);

} // namespace tamp
