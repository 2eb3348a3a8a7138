#include "tamp/laws/rigid/law_use.hpp"

#include <algorithm>

#include "tamp/geometry/grain_volume.hpp"
#include "tamp/laws/rigid/cohesion.hpp"

namespace tamp::rigid {
namespace {

template <class Action>
void each_pair(const MaterialTable& materials, Action&& action) {
    for (int a = 0; a < materials.size(); ++a)
        for (int b = 0; b <= a; ++b)
            action(a, b, materials.laws(a, b));
}

} // namespace

LawUse laws_used(const MaterialTable& materials, int dimension) {
    LawUse use;
    use.options.discs = dimension == 2;
    each_pair(materials, [&](int, int, const ContactLaws& laws) {
        use.restitution |= laws.restitution > 0;
        use.set.rebound |= laws.tangential_restitution > 0;
        use.set.cohesion |= laws.cohesion.value > 0;
        const auto add = [&](const TorqueLimit& limit) {
            use.set.torques |= limit.value > 0;
            use.options.hertz |= limit.value > 0 && limit.scale == TorqueScale::hertz;
        };
        add(laws.rolling);
        if (dimension == 3) // discs cannot twist
            add(laws.torsion);
        use.options.coupled |= dimension == 3 && laws.coupled_torsion && laws.torsion.value > 0;
    });
    return use;
}

double longest_range(const MaterialTable& materials, double smallest_radius, int dimension, double gravity) {
    double longest = 0;
    each_pair(materials, [&](int a, int b, const ContactLaws& laws) {
        // An energy reaches furthest where the force is weakest: between the smallest particles.
        const double lightest =
            grain_mass(std::min(materials[a].density, materials[b].density), smallest_radius, dimension);
        const CohesionPartners partners{0.5 * smallest_radius, lightest, gravity};
        if (laws.cohesion.value > 0)
            longest =
                std::max(longest, cohesion_range(laws.cohesion, cohesion_force(laws.cohesion, partners)));
    });
    return longest;
}

} // namespace tamp::rigid
