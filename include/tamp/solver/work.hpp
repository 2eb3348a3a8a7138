#pragma once

#include <span>

#include "tamp/particles/body.hpp"
#include "tamp/solver/law_batches.hpp"

namespace tamp {

/// Work that contacts do on their particles in one step, J. An impulse p that changes the contact's velocity
/// from u- to u+ does p.(u+ + u-)/2, exactly; the same holds for torques. What is dissipated is minus this.
struct ContactWork {
    double pushing = 0; ///< along the normal, where it pushes: inelastic collisions
    double pulling = 0; ///< along the normal, where it pulls: cohesion
    double sliding = 0;
    double rolling = 0;
    double torsion = 0;
};

/// How a wall moves before and after a step.
struct WallVelocities {
    Vec3 before{0, 0, 0}, after{0, 0, 0};
    Vec3 axis{0, 0, 1};                     ///< that it turns about
    double turn_before = 0, turn_after = 0; ///< rad/s
    bool turns() const { return turn_before != 0 || turn_after != 0; }
};

/// `rows` as in kernel.hpp. The sums are made in the order of the batches.
ContactWork work(std::span<const Body> before, std::span<const Body> after,
                 std::span<const ContactBatch> batches, const LawBatches& rows);
/// Relative to the walls; what each wall does on the particles is added to `by_wall`.
ContactWork work_of_walls(std::span<const Body> before, std::span<const Body> after,
                          std::span<const WallBatch> batches, std::span<const WallVelocities> walls,
                          const LawBatches& rows, std::span<double> by_wall);

} // namespace tamp
