#pragma once

#include <span>
#include <vector>

#include "tamp/solver/settings.hpp"

namespace tamp {

/// Tells how far the support of a load still is from its end value, from the way in which it changes over the
/// sweeps.
///
/// The residual of single contacts hides long waves: the stress of a deep packing is far off while every
/// contact looks nearly solved. What is missing decays as exp(-sweeps/tau) [000 eq. 1.32], so three looks at
/// a force tell tau and the remaining change. While no decay is seen, tau counts as ten times the sweeps made
/// so far.
class BalanceEstimate {
public:
    /// Forces (any number of them, always the same) after `sweeps` sweeps.
    void record(int sweeps, std::span<const double> forces);

    /// Estimated missing change of any force, relative to the largest of them (at least `least_scale`); 1
    /// while there are fewer than three looks.
    double error(double least_scale = 0) const;
    bool known() const { return looks_.size() == 3; }

private:
    struct Look {
        int sweeps;
        std::vector<double> forces;
    };
    std::vector<Look> looks_; ///< the last three
};

/// Sweeps after which the residual is evaluated next: 2, 3, 5, 8, then a share more each time, larger while
/// the goal is far. `distance` is the worst of residual and balance over its tolerance.
int next_check(int sweeps, double distance);

} // namespace tamp
