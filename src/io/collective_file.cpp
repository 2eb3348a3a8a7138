#include "tamp/io/collective_file.hpp"

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/io/safe_file.hpp"

namespace tamp {

void agree(const Communicator& communicator, const std::string& path, std::string problem) {
    problem = communicator.first_problem(std::move(problem));
    if (problem.empty())
        return;
    if (communicator.rank() == 0)
        discard_partial(path);
    communicator.barrier(); // who catches the error finds the folder clean
    throw FileError(problem);
}

std::string hdf5_problem(const std::string& path, const char* reason, int error) {
    // MPI-IO tells HDF5 no more than that it failed; the system call below knows why.
    if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO)
        return writing_problem(path, error);
    return fmt::format("cannot write {}: {}. Check free space, quota and health of the file system.", path,
                       reason);
}

Slab slab_of(const Communicator& communicator, std::size_t count) {
    const auto local = static_cast<std::int64_t>(count);
    return {static_cast<hsize_t>(communicator.exclusive_sum(local)), static_cast<hsize_t>(local),
            static_cast<hsize_t>(communicator.sum(local))};
}

void close_together(const Communicator& communicator, const std::string& path, Hdf5Handle& file,
                    std::string& problem) {
    const auto flushed = problem_of(path, [&] { hdf5_check(H5Fflush(file, H5F_SCOPE_GLOBAL)); });
    if (problem.empty())
        problem = flushed;
    if (communicator.any(!problem.empty()))
        file.forget();
    else
        problem = problem_of(path, [&] { hdf5_check(file.close()); });
}

Hdf5Handle parallel_access(const Communicator& communicator) {
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_mpio(access, communicator.raw(), MPI_INFO_NULL);
    return access;
}

} // namespace tamp
