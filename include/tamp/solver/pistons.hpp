#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamp/base/exact_sum.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/mpi/profile.hpp"
#include "tamp/solver/kernel.hpp"

namespace tamp {

/// Walls in a solve. A piston of mass M and free speed v (its own and that of its applied force) has contacts
/// on many ranks. Each of its k contacts relaxes against a share M/k of the mass, and after each sweep
///   V = v - sum of p_n / M
/// with the exact sum over all ranks, hence the same bits on any number of them.
class PistonCoupling {
public:
    PistonCoupling(const Communicator& communicator, Profile& profile);

    /// `contacts_of_wall`: on this rank. Collective if there are pistons.
    void begin(std::span<const Wall> walls, std::span<const std::int64_t> contacts_of_wall, double time_step);

    /// The walls as the next sweep sees them.
    std::span<const WallState> states() const { return states_; }

    /// Before a sweep with momentum: pistons go on as the impulses do, see `advance` of kernel.hpp.
    void advance(double momentum);
    /// After a sweep: velocities of the pistons from the impulses of this rank's contacts. Collective if
    /// there are pistons. `also` is summed over the ranks in the same message.
    void update(std::span<const WallBatch> batches, ExactSum* also = nullptr);

    /// Gives the walls their velocities and reactions. Collective if there are walls.
    void finish(std::span<const WallBatch> batches, std::span<Wall> walls, double time_step);

private:
    struct Piston {
        std::int32_t wall;
        double mass, free_speed; ///< along the normal
        double earlier = 0;      ///< speed one sweep ago
    };
    void sum_over_ranks();

    const Communicator& communicator_;
    Profile& profile_;
    ProfilePart reduction_part_;
    std::vector<WallState> states_;
    std::vector<Piston> pistons_;
    std::vector<std::int64_t> counts_;
    std::vector<ExactSum> sums_;
};

} // namespace tamp
