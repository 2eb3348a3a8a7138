#pragma once

#include <hdf5.h>

#include <cerrno>
#include <string>
#include <utility>

#include "tamp/io/hdf5.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

// What all ranks need that write one file together.

/// Throws the first problem of any rank on all of them, as a FileError, and leaves no partial file behind.
void agree(const Communicator& communicator, const std::string& path, std::string problem);

/// What is wrong, for the user, if HDF5 failed with this reason while errno was this.
std::string hdf5_problem(const std::string& path, const char* reason, int error);

/// What is wrong, for the user, of something that may throw Hdf5Failure.
template <class Action>
std::string problem_of(const std::string& path, Action&& action) {
    errno = 0;
    try {
        action();
    } catch (const Hdf5Failure& failure) {
        return hdf5_problem(path, failure.what(), errno);
    }
    return {};
}

/// The rows of a dataset that one rank holds.
struct Slab {
    hsize_t begin, count, total;
};

/// Ranks hold slabs one after the other. Collective.
Slab slab_of(const Communicator& communicator, std::size_t count);

/// Access to a file by all ranks at once.
Hdf5Handle parallel_access(const Communicator& communicator);

/// Closes a file that all ranks have open, if nothing went wrong on any of them; else adds what did to the
/// problem, and leaves it open for ever: HDF5 frees a file that it could not write to the end, and crashes
/// when the library closes it once more. Collective.
void close_together(const Communicator& communicator, const std::string& path, Hdf5Handle& file,
                    std::string& problem);

} // namespace tamp
