#pragma once

namespace tamp {

/// How soft grains push each other apart; see laws/soft.
enum class NormalLaw { linear, hertz, yielding, latching, adhesive };

/// How they resist sliding.
enum class SlidingLaw { spring, mindlin, walton };

/// What happens where two soft materials touch: the numbers of a case, in SI. Of the laws that a pair does
/// not use, they are zero.
struct SoftLaws {
    NormalLaw normal = NormalLaw::linear;
    double stiffness = 0;           ///< k or k_1, N/m
    double unloading_stiffness = 0; ///< k_2, N/m: latching and adhesive
    double unloading_growth = 0;    ///< S, 1/m: latching
    double adhesion_stiffness = 0;  ///< k_c, N/m: adhesive
    double plasticity_depth = 0;    ///< phi_f: adhesive
    double modulus = 0;             ///< E*, Pa: hertz and yielding
    double yield_pressure = 0;      ///< p_y, Pa: yielding
    double viscosity = 0;           ///< gamma, N s/m; hertz: D of D delta^l v
    double damping_ratio = 0;       ///< of critical damping: linear and hertz
    int damping_exponent = 2;       ///< hertz: l of D delta^l v^m, in quarters
    double speed_exponent = 1;      ///< hertz: m; 1/2, 1 or 2

    /// A spring with a dashpot that gives way at a limit [004 eq. 21-25].
    struct Spring {
        double stiffness = 0; ///< N/m
        double viscosity = 0; ///< N s/m
        double friction = 0;  ///< static; 0: none

        friend bool operator==(const Spring&, const Spring&) = default;
    };
    Spring sliding{}, rolling{}, torsion{};
    SlidingLaw sliding_law = SlidingLaw::spring;
    double shear_modulus = 0; ///< G*, Pa: mindlin and walton; 0: `sliding.stiffness` instead
    double dynamic_ratio = 1; ///< mu_d/mu_s of all three
    // Attraction at a distance [004 eq. 9-10]; lengths in units of the sum of radii.
    double attraction_energy = 0;                           ///< eps, J; 0: none
    double attraction_range = 0.5, attraction_cutoff = 1.5; ///< r_0, r_c
    // Cohesion by a force: a sum of these, times 1, the reduced radius and the reduced mass.
    double cohesion_force = 0, cohesion_per_radius = 0, cohesion_per_mass = 0; ///< N, N/m, N/kg

    friend bool operator==(const SoftLaws&, const SoftLaws&) = default;
};

} // namespace tamp
