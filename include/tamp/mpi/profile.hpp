#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// A named part of the step; see `Profile::part`.
struct ProfilePart {
    int index = -1;
};

/// Where the wall time of this rank goes. Every part is a PETSc log event too, so that `-- -log_view`
/// explains a run in the same words. Times of nested scopes are counted in both. Not thread-safe.
class Profile {
public:
    /// Finds or makes the part of that name. Not for the inner loop.
    ProfilePart part(const char* name);

    /// Times from its making to its end, exceptions included.
    class Scope {
    public:
        Scope(Profile& profile, ProfilePart part);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        using Clock = std::chrono::steady_clock;
        Profile& profile_;
        std::size_t index_;
        Clock::time_point begin_;
    };

    struct Entry {
        std::string name;
        double seconds = 0;
        std::int64_t calls = 0;
    };

    double seconds(ProfilePart part) const { return entries_[static_cast<std::size_t>(part.index)].seconds; }
    std::int64_t calls(ProfilePart part) const {
        return entries_[static_cast<std::size_t>(part.index)].calls;
    }
    /// In the order in which the parts were made.
    const std::vector<Entry>& entries() const { return entries_; }

private:
    std::vector<Entry> entries_;
    std::vector<int> events_; ///< PetscLogEvent of each part; -1 without PETSc
};

/// A part of the step on all ranks.
struct PartOverRanks {
    std::string name;
    double mean_seconds = 0, max_seconds = 0;
    std::int64_t calls = 0; ///< of the rank with most
};

/// The parts that rank 0 knows, in its order; ranks that do not know one count with zero. Collective.
std::vector<PartOverRanks> over_ranks(const Communicator& communicator, const Profile& profile);

} // namespace tamp
