#pragma once

#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/solver/task.hpp"

namespace tamp {

/// What the contacts of all ranks come to after a sweep: what `StoppingRule` judges by.
struct ContactTotals {
    double residual = 0, normal = 0, loaded = 0; ///< as in ResidualSums
    double largest = 0;                          ///< the largest residual of a contact
    /// Diagonal of the stress, up to the branch length, then the normal impulse of each wall.
    std::vector<double> forces = std::vector<double>(3, 0.0);

    /// Sum of p_n, tension negative: the trace of the stress.
    double normal_impulse() const { return forces[0] + forces[1] + forces[2]; }
};

/// Adds up contacts over tiles and ranks, exactly: the same bits on any number of ranks.
class TotalsOverRanks {
public:
    TotalsOverRanks(const Communicator& communicator, Profile& profile);

    /// Collective. The result is good until the next call.
    const ContactTotals& collect(const SolveTask& task, std::span<const WallState> walls);

private:
    /// In sums_; after them each wall.
    enum { residual_sum, normal_sum, loaded_sum, stress_sum, sum_count = stress_sum + 3 };

    double add_contacts(const SolveTask& task, std::span<const WallState> walls);

    const Communicator& communicator_;
    Profile& profile_;
    ProfilePart residual_part_, reduction_part_;
    std::vector<ExactSum> sums_;
    ContactTotals totals_;
};

} // namespace tamp
