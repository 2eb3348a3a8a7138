#include "tamp/soft/pair_laws.hpp"

namespace tamp::soft {
namespace {

SpeedExponent speed_exponent(double m) {
    return m < 1 ? SpeedExponent::half : m > 1 ? SpeedExponent::two : SpeedExponent::one;
}

AnyNormalLaw normal_law(const SoftLaws& laws) {
    switch (laws.normal) {
    case NormalLaw::hertz:
        return Hertz{.modulus = laws.modulus,
                     .damping = laws.viscosity,
                     .overlap_quarters = laws.damping_exponent,
                     .speed_exponent = speed_exponent(laws.speed_exponent),
                     .damping_ratio = laws.damping_ratio};
    case NormalLaw::yielding:
        return Yielding{laws.modulus, laws.yield_pressure, laws.viscosity};
    case NormalLaw::latching:
        return LatchingSpring{laws.stiffness, laws.unloading_stiffness, laws.unloading_growth,
                              laws.viscosity};
    case NormalLaw::adhesive:
        return AdhesivePlastic{laws.stiffness, laws.unloading_stiffness, laws.adhesion_stiffness,
                               laws.plasticity_depth, laws.viscosity};
    case NormalLaw::linear:
        break;
    }
    return Linear{laws.stiffness, laws.viscosity, laws.damping_ratio};
}

} // namespace

PairLaws pair_laws(const SoftLaws& laws, bool dashpot_kept) {
    const auto spring_of = [&](const SoftLaws::Spring& spring) -> FrictionSpring {
        return {spring.stiffness,
                spring.viscosity,
                {.friction = spring.friction,
                 .dynamic_ratio = laws.dynamic_ratio,
                 .dashpot_kept = dashpot_kept ? 1.0 : 0.0}};
    };
    return {.normal = normal_law(laws),
            .cohesion = {laws.cohesion_force, laws.cohesion_per_radius, laws.cohesion_per_mass},
            .sliding = spring_of(laws.sliding),
            .rolling = spring_of(laws.rolling),
            .torsion = spring_of(laws.torsion),
            .sliding_law = laws.sliding_law,
            .mindlin = {.shear_modulus = laws.shear_modulus, .viscosity = laws.sliding.viscosity},
            .walton = {laws.sliding.friction},
            .attraction = {laws.attraction_energy, laws.attraction_range, laws.attraction_cutoff}};
}

LawTable::LawTable(const MaterialTable& materials, bool dashpot_kept) : materials_(materials.size()) {
    for (int a = 0; a < materials_; ++a)
        for (int b = 0; b < materials_; ++b)
            laws_.push_back(pair_laws(materials.laws(a, b).soft, dashpot_kept));
}

double LawTable::largest_reach() const {
    double reach = 1;
    for (const PairLaws& laws : laws_)
        reach = larger(reach, laws.reach());
    return reach;
}

} // namespace tamp::soft
