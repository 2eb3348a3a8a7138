#pragma once

#include <hdf5.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tamp {

/// What an open series (see SeriesFile) has of a group.
struct CutGroup {
    std::size_t rows = 0;
    std::map<std::string, std::vector<std::size_t>> columns{}; ///< shapes of a row, by name; the time is one
};

/// Cuts all groups of a series behind their last row up to a time, and says what each has left; the name ""
/// is that of the file. Throws Hdf5Failure.
std::map<std::string, CutGroup> cut_series(hid_t file, double after);

} // namespace tamp
