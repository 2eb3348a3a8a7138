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
class ForceErrorEstimate {
public:
    /// Forces (any number of them, always the same) after `sweeps` sweeps.
    void record(int sweeps, std::span<const double> forces);

    /// Estimated missing change of any force, relative to the largest of them (at least `least_scale`); 1
    /// while there are fewer than three looks.
    double error(double least_scale = 0) const;
    bool known() const { return looks_.size() == 3; }

private:
    struct Record {
        int sweeps;
        std::vector<double> forces;
    };
    std::vector<Record> looks_; ///< the last three
};

/// A look at residual and force error: the worse of them over its tolerance, after so many sweeps.
struct Look {
    int sweeps = 0;
    double distance = 0; ///< 0: never looked
};

/// Sweeps after which to look next: 2, 3, 5, 8, then when the distance would reach 1 if it went on falling as
/// between the last two looks, but a quarter more at least and twice as many at most. Convergence slows down,
/// so this is seldom too late.
int next_look(const Look& last, const Look& before);

} // namespace tamp
