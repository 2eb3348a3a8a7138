#include "drawing_threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tamp {

void share_cores_for_drawing(const Communicator& communicator) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(communicator.raw(), MPI_COMM_TYPE_SHARED, communicator.rank(), MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    cpu_set_t usable;
    CPU_ZERO(&usable);
    const int bound = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
    const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    const int share = std::min(bound, cores / ranks);
    // 0: no thread but the rank itself.
    setenv("LP_NUM_THREADS", std::to_string(share > 1 ? std::min(share, 16) : 0).c_str(), 0);
}

} // namespace tamp
