#include "tamp/solver/step_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamp {
namespace {

// Chosen on 30 000 grains that settle 68 layers deep, one seed, by overlap, ringing of the floor's force and
// time: among shares of 0.055 to 0.16 and 4 + L/16 to L/4 sweeps while these did not depend on the length of
// the step, then among 0.11 with 4 + L/5, 0.16 with 6 + 0.36 L and 0.22 with 8 + 0.4 L.
constexpr double fewest_layers = 30, share_of_inertial_time = 0.16, least_sweeps = 6, sweeps_a_layer = 0.36;
// Chosen on inputs/settle.toml (two seeds) and inputs/compaction.toml (three): 0.0064 let one of these
// overlap by 0.11 %.
constexpr double growth_in_a_fall = 0.005;
// What inputs/compaction.toml (2.9e-4 s for 1 cm) was found to need for overlaps of about 0.1 %: steps of
// 6e-4 and 1e-3 s save a third of the time and overlap by 0.26 and 0.35 %.
constexpr double share_of_fall = 0.009, most_of_fall = 0.03;
// Where nothing tells a time, and of plain sweeps, whose bits are not to change.
constexpr double old_step = 1e-3;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Of a dense layer, over its area.
double layer_mass(const LoadedPacking& packing) {
    const double d = packing.diameter;
    return packing.dimension == 3 ? 1.15 * packing.mass / (d * d) : 1.05 * packing.mass / d;
}

} // namespace

StepRule::StepRule(const LoadedPacking& packing)
    : packing_(packing), layers_(packing.load_mass > 0 ? packing.load_mass / layer_mass(packing) : 0.0) {}

bool StepRule::is_deep() const { return layers_ > fewest_layers; }

double StepRule::inertial_time(double pressure) const {
    const double load = pressure * (packing_.dimension == 3 ? packing_.diameter : 1.0);
    return load > 0 ? std::sqrt(packing_.mass / load) : unbounded;
}

double StepRule::longest_step(double pressure) const {
    return std::min(share_of_inertial_time * inertial_time(pressure), most_of_fall * fall_time());
}

int StepRule::sweeps(double share) const {
    return static_cast<int>(
        std::ceil(std::max(least_sweeps, share * (least_sweeps + sweeps_a_layer * layers_))));
}

double StepRule::fall_time() const {
    return packing_.acceleration > 0 ? std::sqrt(packing_.diameter / packing_.acceleration) : unbounded;
}

double StepRule::longest_step(const TimeSettings& time, SweepMethod method) const {
    if (time.step > 0 || time.max_step > 0)
        return time.step > 0 ? time.step : time.max_step;
    return method != SweepMethod::plain && packing_.acceleration > 0 ? share_of_fall * fall_time() : old_step;
}

double StepRule::overlap_growth(double longest_step) const {
    return packing_.acceleration > 0 ? growth_in_a_fall * packing_.diameter * longest_step / fall_time()
                                     : unbounded;
}

} // namespace tamp
