#include "tamp/materials/mixing.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {
namespace {

/// Equal numbers stay what they are, to the last bit.
double mean(double a, double b) { return a == b ? a : std::sqrt(a * b); }

} // namespace

bool mixable(const TorqueLimit& a, const TorqueLimit& b) {
    return a.value == 0 || b.value == 0 || a.scale == b.scale;
}

bool mixable(const Cohesion& a, const Cohesion& b) {
    if (a.value == 0 || b.value == 0)
        return true;
    const bool energy_and_range = (a.energy > 0 && b.range > 0) || (a.range > 0 && b.energy > 0);
    return a.scale == b.scale && !energy_and_range;
}

TorqueLimit mixed(const TorqueLimit& a, const TorqueLimit& b) {
    if (a.value == 0 || b.value == 0 || !mixable(a, b))
        return {};
    return {.scale = a.scale, .value = mean(a.value, b.value), .modulus = mean(a.modulus, b.modulus)};
}

Cohesion mixed(const Cohesion& a, const Cohesion& b) {
    if (a.value == 0 || b.value == 0 || !mixable(a, b))
        return {};
    return {.scale = a.scale,
            .value = mean(a.value, b.value),
            .energy = mean(a.energy, b.energy),
            .range = mean(a.range, b.range),
            .impulse_time = mean(a.impulse_time, b.impulse_time)};
}

ContactLaws mixed(const ContactLaws& a, const ContactLaws& b) {
    const TorqueLimit torsion = mixed(a.torsion, b.torsion);
    return {.friction = mean(a.friction, b.friction),
            .restitution = mean(a.restitution, b.restitution),
            .tangential_restitution = mean(a.tangential_restitution, b.tangential_restitution),
            .restitution_speed = std::max(a.restitution_speed, b.restitution_speed),
            .rolling = mixed(a.rolling, b.rolling),
            .torsion = torsion,
            .coupled_torsion = a.coupled_torsion && b.coupled_torsion && torsion.value > 0,
            .cohesion = mixed(a.cohesion, b.cohesion)};
}

} // namespace tamp
