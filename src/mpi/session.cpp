#include "tamp/mpi/session.hpp"

#include <petscsys.h>

#include <malloc.h>

#include <cstdlib>

#include <stdexcept>

namespace tamp {
namespace {

/// Large vectors come and go at every search. Left alone, the C library (and Open MPI, which changes its
/// settings) keeps what is freed in pieces that do not fit the next vector: a third of all memory.
void return_freed_memory() {
    mallopt(M_MMAP_MAX, 65536);
    mallopt(M_MMAP_THRESHOLD, 8 << 20); // naming it also stops it from growing
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

} // namespace

Session::Session(int argc, char** argv) {
    bool for_petsc = false;
    petsc_arguments_.emplace_back(argc > 0 ? argv[0] : "tamp");
    for (int i = 0; i < argc; ++i) {
        if (!for_petsc && std::string(argv[i]) == "--")
            for_petsc = true;
        else
            (for_petsc ? petsc_arguments_ : arguments_).emplace_back(argv[i]);
    }
    petsc_arguments_.emplace_back("-no_signal_handler");
    for (auto& argument : petsc_arguments_)
        petsc_argv_.push_back(argument.data());
    petsc_argc_ = static_cast<int>(petsc_argv_.size());
    petsc_argv_.push_back(nullptr);
    petsc_args_ = petsc_argv_.data();

    int mpi_runs = 0;
    MPI_Initialized(&mpi_runs);
    if (!mpi_runs) {
        // Bodies of a phase fit into one eager message: larger ones cost system calls and a handshake on the
        // same node.
        setenv("OMPI_MCA_btl_vader_eager_limit", "65536", 0);
        // Else Open MPI's look at the hardware asks every display of the machine, also those of other users.
        setenv("HWLOC_COMPONENTS", "-gl", 0);
        MPI_Init(nullptr, nullptr);
        owns_mpi_ = true;
    }
    return_freed_memory();
    PetscBool petsc_runs = PETSC_FALSE;
    if (PetscInitialized(&petsc_runs) || petsc_runs)
        return;
    if (const auto error = PetscInitialize(&petsc_argc_, &petsc_args_, nullptr, nullptr)) {
        if (owns_mpi_)
            MPI_Finalize();
        throw std::runtime_error("PETSc does not start (error " + std::to_string(error) +
                                 "): check the options after --, PETSC_OPTIONS and .petscrc");
    }
    owns_petsc_ = true;
    (void)PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
}

Session::~Session() {
    if (owns_petsc_) {
        (void)PetscPopErrorHandler();
        (void)PetscFinalize();
    }
    if (owns_mpi_)
        MPI_Finalize();
}

} // namespace tamp
