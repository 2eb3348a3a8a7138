#include "tamp/solver/law_terms.hpp"

#include "tamp/laws/rigid/restitution.hpp"

namespace tamp {

LawTerms law_terms(const ContactLaws& laws, const LawInput& input, int dimension, double time_step) {
    using namespace rigid;
    LawTerms terms;
    const double speed = dot(input.velocity, input.normal);
    terms.closing_speed =
        closing_speed(input.gap, speed, laws.restitution, laws.restitution_speed, time_step);
    const double share =
        tangential_share(input.gap, speed, laws.tangential_restitution, laws.restitution_speed, time_step);
    terms.shift = (input.velocity - speed * input.normal) * share;
    terms.spin_shift = input.spin * share;
    const double radius = input.partners.reduced_radius;
    if (laws.cohesion.value > 0) {
        const double force = cohesion_force(laws.cohesion, input.partners);
        const double range = cohesion_range(laws.cohesion, force);
        terms.bond = bond_now(input.past, input.gap, range, radius);
        terms.pull = pulling_speed(terms.bond, input.gap, time_step);
        if (terms.bond != Bond::none)
            terms.strength =
                cohesion_strength(laws.cohesion, terms.bond, force, range, input.gap, speed, time_step);
    }
    if (laws.rolling.value > 0)
        terms.rolling = lever(laws.rolling, radius, dimension, time_step);
    if (laws.torsion.value > 0)
        terms.torsion = lever(laws.torsion, radius, dimension, time_step);
    terms.coupled = laws.coupled_torsion && laws.torsion.value > 0;
    return terms;
}

} // namespace tamp
