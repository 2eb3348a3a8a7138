#pragma once

#include <string>
#include <vector>

#include "tamp/geometry/box.hpp"

namespace tamp {

/// Largest diameter of a case over its smallest.
inline constexpr double largest_size_ratio = 5;

/// What is wrong with a box, and the key of [domain] to change.
struct BoxFault {
    std::string key, what;
};

/// A box must have room for its largest particles, and images of one particle may not touch. A box that is
/// enormous beside them is a slip of the keyboard. Empty if all is well.
std::vector<BoxFault> box_faults(const Box& box, double largest_diameter);

/// Volume fractions of random placement, which puts one particle after the other wherever there is room. For
/// equal particles this random sequential addition jams at 0.384 (spheres) and 0.547 (discs), between walls a
/// little later. Unequal particles fill more.
struct RandomPlacementLimits {
    double allowed;           ///< the most that a case may ask for: equal particles jam soon after it
    double jammed;            ///< where equal particles jam, as messages give it
    double hopeless;          ///< more than this of equal particles is refused without a try
    double hopeless_if_mixed; ///< the same of unequal particles
};

constexpr RandomPlacementLimits random_placement_limits(int dimension) {
    return dimension == 3 ? RandomPlacementLimits{0.36, 0.38, 0.42, 0.8}
                          : RandomPlacementLimits{0.5, 0.54, 0.6, 0.8};
}

} // namespace tamp
