#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// What one tile of a rank asks for.
struct TileWork {
    int tile;
    double contacts;  ///< worked on in every sweep; in any unit
    double particles; ///< moved in every step
};

/// Seconds that a rank worked without waiting for others.
struct BusySeconds {
    double contacts = 0;  ///< goes with contacts
    double particles = 0; ///< goes with particles

    double sum() const { return contacts + particles; }
    friend BusySeconds operator-(const BusySeconds& a, const BusySeconds& b) {
        return {a.contacts - b.contacts, a.particles - b.particles};
    }
};

/// Cost of each of the `tiles` of the grid in nanoseconds, the same on all ranks. Every rank spreads its
/// own time over its own tiles: whatever makes a rank slow (its laws, its walls, its node) makes its tiles
/// cost more. Collective.
std::vector<std::int64_t> tile_costs(const Communicator& communicator, int tiles,
                                     std::span<const TileWork> work, const BusySeconds& seconds);

/// What `work` should take in a step of so many sweeps: for those who may not depend on a clock.
BusySeconds expected_seconds(std::span<const TileWork> work, double sweeps_a_step);

/// Largest over mean of the busy seconds of the ranks. Collective.
double imbalance_of(const Communicator& communicator, const BusySeconds& seconds);

/// How tiles were rebalanced: largest cost of a rank over the mean, before and after.
struct LoadBalanceRecord {
    struct Change {
        double before = 1, after = 1;
    };
    std::int64_t count = 0; ///< times that tiles changed hands
    Change first, last;     ///< of these times

    void add(const Change& change) {
        if (++count == 1)
            first = change;
        last = change;
    }
};

} // namespace tamp
