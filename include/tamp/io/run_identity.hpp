#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>

namespace tamp {

/// What every result file says about the run that wrote it, beside version and revision of tamp.
struct RunIdentity {
    std::string title;
    std::string input; ///< the effective case as TOML
    std::uint64_t seed = 0;
    int ranks = 1;
};

/// As attributes of a file. Throws Hdf5Failure.
void write_identity(hid_t file, const char* format, std::int64_t format_version, const RunIdentity& identity);

} // namespace tamp
