#pragma once

#include <string>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Keeps other runs out of the folder that this one writes to.
///
/// Rank 0 holds a lock of the operating system on FOLDER/run.lock (fcntl, F_OFD_SETLK). The system takes the
/// lock away when the process ends, whatever ended it, so a kill or a crash leaves no lock behind. The file
/// itself stays: if it were removed, two runs could hold locks on two files of one name. Its text says who
/// holds it, for people and for the message of a run that is refused. The text alone locks nothing.
///
/// Between nodes this relies on locks of the file system: NFS 4, GPFS, and Lustre mounted with `flock` have
/// them. (With `localflock` a lock is seen on its own node only.) If a node dies, its locks go when the
/// server gives up on it, which takes a minute or two. Without any locks a run says so and goes on.
class FolderLock {
public:
    static constexpr const char* name = "run.lock";

    /// Holds nothing.
    FolderLock() = default;
    /// Takes the lock. If another process holds it: an InputError on every rank that names host and process.
    /// Collective.
    FolderLock(const Communicator& communicator, const std::string& folder);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    ~FolderLock();

    /// Why this folder could not be locked; empty if it is. The same on every rank.
    const std::string& problem() const { return problem_; }

private:
    int file_ = -1; ///< only on rank 0
    std::string problem_;
};

} // namespace tamp
