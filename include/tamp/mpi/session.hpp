#pragma once

#include <string>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Starts MPI and PETSc and ends them in the right order. Files, solvers and the Catalyst processor must be
/// gone before it. What already runs when it is made is left running when it goes.
///
/// PETSc sees the arguments after `--` only; its signal handlers are off, and its
/// errors come back as return values instead of a printed trace.
class Session {
public:
    Session(int argc, char** argv);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Communicator world() const { return Communicator(MPI_COMM_WORLD); }

    /// The arguments before `--`, program name included: those that are ours.
    const std::vector<std::string>& arguments() const { return arguments_; }

private:
    bool owns_mpi_ = false, owns_petsc_ = false;
    std::vector<std::string> arguments_, petsc_arguments_;
    // PETSc keeps pointers to these until it ends.
    std::vector<char*> petsc_argv_;
    int petsc_argc_ = 0;
    char** petsc_args_ = nullptr;
};

} // namespace tamp
