#pragma once

#include <string>

#include "tamp/app/folder_lock.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

struct OutputFolder {
    std::string path;
    FolderLock lock;
};

/// Makes and locks the folder that a run writes to. A folder with results is never written to again: a folder
/// that the user named is refused, a default one gets a number. Collective; FileError or InputError on every
/// rank.
OutputFolder make_output_folder(const Communicator& communicator, const std::string& named,
                                const std::string& fallback);

} // namespace tamp
