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
///   V = v - sum of p.n / M,                            |V| at most as fast as it may be,
/// n being its normal, with the exact sum over all ranks, hence the same bits on any number of them. A wall
/// of inertia I that is free to turn about an axis e follows likewise, with the arms of `Wall::arm`:
///   W = w - sum of (p.arm + t.e) / I,                  t: the torque impulses of rolling and torsion.
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
    /// `rows`: the torques of those batches, if they have any.
    void update(std::span<const WallBatch> batches, ExactSum* also = nullptr, const LawBatches& rows = {});

    /// Gives the walls their velocities and reactions. Collective if there are walls.
    void finish(std::span<const WallBatch> batches, std::span<Wall> walls, double time_step);

private:
    /// A wall that may move along its normal, or turn about its axis.
    struct Free {
        std::int32_t wall;
        bool turns;
        double inertia, free_speed; ///< kg and m/s, or kg m^2 and rad/s
        double most_speed = 0;      ///< 0: unbounded
        Vec3 drift{0, 0, 0};        ///< velocity across the normal, which is given
        double earlier = 0;         ///< speed one sweep ago
    };
    double speed(const Free& free) const;
    void set_speed(const Free& free, double speed);
    double pushed(const Free& free, const WallBatch& batch, const LawBatches& rows, std::size_t i) const;
    void sum_over_ranks();

    const Communicator& communicator_;
    Profile& profile_;
    ProfilePart reduction_part_;
    std::vector<WallState> states_;
    std::vector<Free> free_;
    std::vector<std::int64_t> counts_;
    std::vector<ExactSum> sums_;
};

} // namespace tamp
