#pragma once

#include "rigid_cases.hpp"

/// Cases of soft grains for the table of cases.hpp.
namespace tamp::test {

/// Soft grains: so stiff that some tens of steps are one collision.
inline SoftLaws soft_laws(NormalLaw normal, double stiffness) {
    SoftLaws laws{.normal = normal, .stiffness = stiffness};
    laws.unloading_stiffness = 3 * stiffness;
    laws.adhesion_stiffness = stiffness;
    laws.plasticity_depth = 0.05;
    laws.modulus = stiffness / (0.05 * diameter);
    laws.yield_pressure = 0.02 * laws.modulus;
    laws.viscosity = normal == NormalLaw::hertz ? 0 : 2e-5 * stiffness;
    laws.damping_ratio = normal == NormalLaw::hertz ? 0.2 : 0;
    laws.sliding = {0.3 * stiffness, 4e-6 * stiffness, 0.4};
    return laws;
}

/// Discs have the mass of rods of 1 m.
inline double soft_stiffness(int dimension) { return dimension == 3 ? 50 : 5e5; }

inline RankCase soften(RankCase result) {
    RigidSetup& setup = result.setup;
    setup.kind = EngineKind::soft;
    setup.soft.steps_per_contact = 12;
    setup.neighbours.skin = 0.1 * diameter;
    for (int a = 0; a < setup.materials.size(); ++a)
        for (int b = a; b < setup.materials.size(); ++b) {
            ContactLaws laws = setup.materials.laws(a, b);
            laws.soft = soft_laws(NormalLaw::linear, soft_stiffness(setup.box.dimension));
            setup.materials.set(a, b, laws);
        }
    result.steps = 300;
    return result;
}

template <RankCase (*make)()>
RankCase soft_grains() {
    return soften(make());
}

/// Another law for every pair of materials, with rolling, torsion, a memory of slip and a background.
template <RankCase (*make)()>
RankCase soft_laws_of() {
    RankCase result = soften(make());
    const std::array normal{NormalLaw::adhesive, NormalLaw::hertz,    NormalLaw::yielding,
                            NormalLaw::latching, NormalLaw::adhesive, NormalLaw::linear};
    MaterialTable& materials = result.setup.materials;
    std::size_t next = 0;
    for (int a = 0; a < materials.size(); ++a)
        for (int b = a; b < materials.size(); ++b) {
            ContactLaws laws = materials.laws(a, b);
            const double stiffness = soft_stiffness(result.setup.box.dimension) * (1 + 0.2 * a);
            laws.soft = soft_laws(normal[next++ % normal.size()], stiffness);
            laws.soft.dynamic_ratio = 0.7;
            laws.soft.cohesion_force = 1e-7 * stiffness, laws.soft.cohesion_per_mass = 5;
            laws.soft.rolling = {0.2 * stiffness, 2e-6 * stiffness, 0.1};
            laws.soft.torsion = {0.2 * stiffness, 2e-6 * stiffness,
                                 result.setup.box.dimension == 3 ? 0.1 : 0.0};
            materials.set(a, b, laws);
        }
    result.setup.soft.background_viscosity = 1e-6;
    result.setup.soft.background_rotation_viscosity = 1e-6;
    return result;
}

/// Radii grow by a third at a rate, then a little more by a share; then the stage is over. Luding's law.
template <RankCase (*make)()>
RankCase growing() {
    RankCase result = soft_laws_of<make>();
    result.growth = {{0, {.rate = 0.06}}, {210, {.relative_rate = 100}}, {330, {}}};
    result.steps = 380;
    return result;
}

/// Tiles are hardly longer than a particle, and soon too short.
inline RankCase short_tiles() {
    RankCase result = start_case(make_box(14, 14, 14, {periodic, periodic, walled}));
    result.setup.gravity = {0, 0, 0};
    result.setup.neighbours.tile = 2 * diameter;
    fill(result, spheres(result.setup.box, 590, 0.5));
    return result;
}

/// Grains that attract each other at a distance, friction of Mindlin and of Walton, springs that are rotated.
inline RankCase far_laws() {
    RankCase result = soft_laws_of<all_laws_of_spheres>();
    MaterialTable& materials = result.setup.materials;
    std::size_t next = 0;
    for (int a = 0; a < materials.size(); ++a)
        for (int b = a; b < materials.size(); ++b) {
            ContactLaws laws = materials.laws(a, b);
            laws.soft.sliding_law =
                std::array{SlidingLaw::walton, SlidingLaw::mindlin, SlidingLaw::spring}[next++ % 3];
            laws.soft.shear_modulus = laws.soft.sliding_law == SlidingLaw::mindlin ? laws.soft.modulus : 0;
            if (laws.soft.sliding_law == SlidingLaw::walton)
                laws.soft.dynamic_ratio = 1;
            laws.soft.attraction_energy = 1e-4 * laws.soft.stiffness * diameter * diameter;
            laws.soft.attraction_cutoff = 1.3 + 0.05 * b;
            materials.set(a, b, laws);
        }
    result.setup.soft.rotate_springs = result.setup.soft.dashpot_after_slip = true;
    result.setup.neighbours.skin = 0.5 * diameter;
    return result;
}

template <RankCase (*make)()>
RankCase without_energy() {
    RankCase result = make();
    result.follows_energy = false;
    return result;
}

} // namespace tamp::test
