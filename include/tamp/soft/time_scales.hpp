#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "tamp/soft/pair_laws.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp::soft {

/// A time that a step has to resolve, and what has it.
struct ShortestTime {
    double time = std::numeric_limits<double>::infinity(); ///< s
    std::string mode{};                                    ///< "sliding between 'glass' and 'steel'"
};

/// What limits the time step. Springs and dashpots ask for different numbers of steps.
///
/// The leapfrog step with a dashpot that is evaluated at the velocity half a step before has, for one contact
/// with h = omega dt and d = gamma dt/m, the characteristic equation s^2 - (2 - d - h^2) s + 1 - d = 0, which
/// is stable while
///   h^2 + 2 d < 4.
/// z contacts of one particle make both h^2 and d up to z times as large. With twelve, that is h^2/2 + d <
/// 1/6.
///
/// Springs are of second order in h: with a fiftieth of t_c, h = 0.063, an elastic collision conserves its
/// energy to 1e-4. Dashpots are of first order, because half a step passes until they act: the velocity after
/// a contact errs by a share d/2 at most, in proportion to what is left of it. With d = 1/10 and a fiftieth
/// of t_c the restitution of a collision errs by less than 0.02 and its energy by less than 1.5 % of the
/// kinetic energy before, whatever the restitution is (unit tests: SoftStep). So a fifth of the steps is
/// enough for a dashpot.
struct ShortestTimes {
    ShortestTime contact; ///< half a period of the fastest spring
    ShortestTime dashpot; ///< m/gamma of the strongest dashpot

    static constexpr double fewest_in_contact = 10, good_in_contact = 20;
    static constexpr double fewest_in_dashpot = 6, good_in_dashpot = 8;

    /// The time step that is short enough for both, s.
    double step(double steps_per_contact) const {
        return std::min(contact.time / steps_per_contact, dashpot.time / steps_in_dashpot(steps_per_contact));
    }
    bool dashpot_decides(double steps_per_contact) const {
        return step(steps_per_contact) < contact.time / steps_per_contact;
    }

private:
    static double steps_in_dashpot(double steps_per_contact) {
        return std::max(good_in_dashpot, 0.2 * steps_per_contact);
    }
};

/// Of all pairs of materials, for the smallest particles of the case. Laws that stiffen with the overlap
/// count with the stiffness at `overlap_share` of the smallest diameter.
ShortestTimes shortest_times(const MaterialTable& materials, const StartSizes& sizes, int dimension);
inline constexpr double overlap_share = 0.02;

/// A bound of the force of one contact: at an overlap of a largest diameter, with friction, N.
double largest_force(const MaterialTable& materials, const StartSizes& sizes, int dimension);

} // namespace tamp::soft
