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

FrictionSpring spring_of(const SoftLaws::Spring& spring, double dynamic_ratio) {
    return {
        spring.stiffness, spring.viscosity, {.friction = spring.friction, .dynamic_ratio = dynamic_ratio}};
}

} // namespace

PairLaws pair_laws(const SoftLaws& laws) {
    return {normal_law(laws),
            {laws.cohesion_force, laws.cohesion_per_radius, laws.cohesion_per_mass},
            spring_of(laws.sliding, laws.dynamic_ratio),
            spring_of(laws.rolling, laws.dynamic_ratio),
            spring_of(laws.torsion, laws.dynamic_ratio),
            laws.sliding_law,
            {.shear_modulus = laws.shear_modulus, .viscosity = laws.sliding.viscosity},
            {laws.sliding.friction},
            {laws.attraction_energy, laws.attraction_range, laws.attraction_cutoff}};
}

LawTable::LawTable(const MaterialTable& materials) : materials_(materials.size()) {
    for (int a = 0; a < materials_; ++a)
        for (int b = 0; b < materials_; ++b)
            laws_.push_back(pair_laws(materials.laws(a, b).soft));
}

} // namespace tamp::soft
