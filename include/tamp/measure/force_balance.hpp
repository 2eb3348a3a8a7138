#pragma once

#include "tamp/measure/view.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// How far a packing is from rest under its loads. Zero: every force has its counterpart. Speeds do not
/// enter: a packing that drifts as a whole, or a rattler that flies for ever, is in balance.
struct ForceBalance {
    /// Resultant (contacts and weight) of the particles that bear forces, root of the mean square, relative
    /// to the mean contact force. Those with fewer than two contacts are left out. 1 if nothing bears a
    /// force.
    double particles = 1;
    /// The worst of: what a free wall bears against what is applied to it, relative to the latter; and the
    /// resultant of all particles together, also those in flight, relative to the largest load.
    double loads = 1;

    double worst() const { return particles > loads ? particles : loads; }
};

/// The same bits on any number of ranks. Collective.
ForceBalance force_balance(const World& world, const View& view);

} // namespace tamp
