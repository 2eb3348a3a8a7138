#pragma once

#include <cstdint>
#include <vector>

namespace tamp::test {

/// Hears what this rank really asks of MPI while it lives: the calls of this executable go through the
/// profiling interface of MPI. One at a time.
class MpiListener {
public:
    struct Message {
        int partner, tag;
        std::int64_t bytes;
        friend bool operator==(const Message&, const Message&) = default;
    };

    MpiListener();
    ~MpiListener();
    MpiListener(const MpiListener&) = delete;
    MpiListener& operator=(const MpiListener&) = delete;

    /// Persistent sends and receives that were started.
    std::vector<Message> sent, received;
    /// MPI_Allreduce: calls, and bytes of this rank.
    std::int64_t reductions = 0, reduced_bytes = 0;
};

} // namespace tamp::test
