#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/app/folder_lock.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Where a checkpoint lies.
std::string folder_of(const std::string& checkpoint);

/// Locks the folder at `path`, or that of the checkpoint at `path`, for a run that goes on there. Done before
/// a checkpoint is read: a run that is alive would remove it meanwhile. A folder without checkpoints is left
/// alone. Collective; an InputError on every rank if a run is at work there.
FolderLock lock_for_resume(const Communicator& communicator, const std::string& path);

/// Rank 0 looks whether there is such a file. Collective.
bool is_there(const Communicator& communicator, const std::string& path);

/// The run came to its end with the state of a checkpoint: the report beside it has its hash. Collective.
bool is_reported(const Communicator& communicator, const std::string& checkpoint, const std::string& hash);

/// With other physics than before, a run may go on in the folder of its checkpoint only if it replaces
/// nothing there: the run is not complete, and there is nothing of later steps. Else an InputError on every
/// rank. Collective.
void refuse_to_replace(const Communicator& communicator, const std::string& path,
                       const Checkpoint& checkpoint, bool complete);

/// Makes a folder ready for a run that goes on from `step`. Checkpoints that are newer would be taken for its
/// own and are set aside; if there are some, or the run may become another from here on, the series get a
/// copy. In the latter case the report so far is set aside. Says what it did, and what is missing.
/// Collective; a FileError on every rank.
std::vector<std::string> make_ready(const Communicator& communicator, const std::string& folder,
                                    std::int64_t step, bool other_physics);

} // namespace tamp
