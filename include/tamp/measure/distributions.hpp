#pragma once

#include <vector>

#include "tamp/measure/displacements.hpp"
#include "tamp/measure/fields.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/measure/settings.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

/// Distributions, a profile and fields of a packing. All results are the same bits on every rank and on any
/// number of ranks; names, order and shapes depend on the case alone. All calls are collective.
class Distributions {
public:
    explicit Distributions(const MeasureSettings& settings) : settings_(settings) {}

    /// Where particles are now. Displacements count from the first call, and stay true if no particle goes
    /// further than half the box between calls; `fields` calls it too.
    void follow(const World& world, const View& view);

    /// P(f), mobilisation, overlaps, the profile along an axis and the pair correlation.
    std::vector<Quantity> measure(const World& world, const View& view) const;

    /// Averages over the cells of a grid that spans what axis-parallel walls leave of the box, and follows
    /// them when they move: see `coarse_grained`.
    Fields fields(const World& world, const View& view);

    /// To be kept over a restart.
    Displacements& displacements() { return displacements_; }

private:
    MeasureSettings settings_;
    Displacements displacements_;
};

} // namespace tamp
