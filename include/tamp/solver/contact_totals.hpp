#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/solver/load_slabs.hpp"
#include "tamp/solver/task.hpp"

namespace tamp {

/// What the contacts of all ranks come to after a sweep: what `StoppingRule` judges by.
struct ContactTotals {
    double residual = 0, normal = 0, loaded = 0; ///< as in ResidualSums
    double largest = 0;                          ///< the largest residual of a contact
    double approach = 0;                         ///< the fastest one of two beyond contact, m/s
    double fast = 0;                             ///< number of contacts beyond the limit of the solve
    /// Diagonal of the stress, up to the branch length, then the normal impulse of each wall.
    std::vector<double> forces = std::vector<double>(3, 0.0);
    std::optional<double> missing{}; ///< the largest impulse that is missing, relative, where there is a load
    double pressing = 0;             ///< the largest impulse along the load over its cross-section, Pa s

    /// Sum of p_n, tension negative: the trace of the stress.
    double normal_impulse() const { return forces[0] + forces[1] + forces[2]; }
};

/// Adds up contacts over tiles and ranks, exactly: the same bits on any number of ranks.
class TotalsOverRanks {
public:
    TotalsOverRanks(const Communicator& communicator, Profile& profile);

    /// A new solve, whose bodies have their free velocities.
    void begin(const SolveTask& task);
    /// Collective. The result is good until the next call.
    const ContactTotals& collect(const SolveTask& task, std::span<const WallState> walls);

    /// What tells `missing`; to be planned and begun for each solve, else nothing is missed.
    LoadSlabs& slabs() { return slabs_; }

private:
    /// In sums_; after them each wall, and what the slabs add.
    enum { residual_sum, normal_sum, loaded_sum, fast_sum, stress_sum, sum_count = stress_sum + 3 };

    void add_contacts(const SolveTask& task, std::span<const WallState> walls);
    TileChange change_of(int slot, const SolveTask& task) const;

    const Communicator& communicator_;
    Profile& profile_;
    ProfilePart residual_part_, reduction_part_;
    std::vector<ExactSum> sums_;
    /// How a particle began; without mass, if it never moves.
    struct Free {
        Vec3 velocity;
        double mass;
    };
    std::vector<Free> free_; ///< of the particles that this rank owns, where there is a load
    LoadSlabs slabs_;
    ContactTotals totals_;
};

} // namespace tamp
