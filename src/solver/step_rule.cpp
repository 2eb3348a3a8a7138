#include "tamp/solver/step_rule.hpp"

#include <cmath>
#include <limits>

namespace tamp {
namespace {

// Chosen on 30 000 grains that settle 68 layers deep, one seed, among shares of 0.055, 0.08, 0.11 and 0.16
// and 4 + L/16, L/8, L/6, L/5 and L/4 sweeps, by overlap, ringing of the floor's force and time.
constexpr double fewest_layers = 30, share_of_inertial_time = 0.11, least_sweeps = 4, sweeps_a_layer = 0.2;
// Chosen on inputs/settle.toml (two seeds) and inputs/compaction.toml (three): 0.0064 let one of these
// overlap by 0.11 %.
constexpr double growth_in_a_fall = 0.005;
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
    return share_of_inertial_time * inertial_time(pressure);
}

int StepRule::sweeps() const { return static_cast<int>(std::ceil(least_sweeps + sweeps_a_layer * layers_)); }

double StepRule::overlap_growth(double longest_step) const {
    return packing_.acceleration > 0
               ? growth_in_a_fall * longest_step * std::sqrt(packing_.diameter * packing_.acceleration)
               : unbounded;
}

} // namespace tamp
