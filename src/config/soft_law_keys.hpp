#pragma once

#include <array>

#include "schema_ranges.hpp"

namespace tamp {

/// The laws of soft grains.
constexpr auto soft_law_keys(std::string_view section) {
    using enum KeyType;
    const bool pair = section == "pair";
    const auto preset = [&](std::string_view of_material, std::string_view of_pair = "mean") {
        return pair ? of_pair : of_material;
    };
    return std::to_array<KeySchema>({
        {section, "normal_law", choice, "", preset("\"linear\"", "of both"), any,
         "linear|hertz|yielding|latching|adhesive", "",
         "Soft: linear spring and dashpot; Hertz; Thornton's elastic-plastic; Walton and Braun's latching "
         "spring; "
         "Luding's adhesive elasto-plastic spring"},
        {section, "stiffness", number, "N/m", preset(""), positive, "", "",
         "Soft: linear: k; latching, adhesive: k_1 while loading"},
        {section, "unloading_stiffness", number, "N/m", preset(""), positive, "", "",
         "Soft: k_2 of latching and adhesive"},
        {section, "unloading_growth", number, "1/m", preset("0"), non_negative, "", "",
         "Soft: growth of k_2 with the largest force, of latching"},
        {section, "adhesion_stiffness", number, "N/m", preset("0"), non_negative, "", "",
         "Soft: k_c of adhesive"},
        {section, "plasticity_depth", number, "", preset("0"), non_negative, "", "",
         "Soft: phi_f of adhesive, in mean radii"},
        {section, "contact_modulus", number, "Pa", preset(""), positive, "", "",
         "Soft: E* of hertz and yielding; E/(2 (1 - nu^2)) of a material against itself"},
        {section, "yield_pressure", number, "Pa", preset(""), positive, "", "", "Soft: of yielding"},
        {section, "viscosity", number, "N s/m", preset("of restitution"), non_negative, "", "",
         "Soft: dashpot of the normal force; instead of restitution. hertz: D of a dashpot D delta^l v^m, in "
         "N/(m^l (m/s)^m)"},
        {section, "damping_exponent", number, "", preset("0.5", "of both"), exponents, "", "",
         "Soft: l of the dashpot of hertz, a multiple of 1/4. The restitution rises with the speed for l = "
         "0, "
         "is the same at all speeds for 1/4, and falls for more"},
        {section, "speed_exponent", number, "", preset("1", "of both"), exponents, "", "",
         "Soft: m of the dashpot of hertz: 0.5, 1 or 2"},
        {section, "sliding_law", choice, "", preset("\"spring\"", "of both"), any, "spring|mindlin|walton",
         "",
         "Soft: spring: constant stiffness; mindlin: stiffness 8 G* sqrt(R* overlap); walton: softens "
         "towards "
         "the Coulomb limit as micro-slip does, with either stiffness"},
        {section, "contact_shear_modulus", number, "Pa", preset(""), positive, "", "",
         "Soft: G* of mindlin and walton, 1/G* = (2 - nu1)/G1 + (2 - nu2)/G2"},
        {section, "attraction_energy", number, "J", preset("0"), non_negative, "", "",
         "Soft: epsilon of an attraction at a distance, a Lennard-Jones force that is shifted to zero at its "
         "cut-off, on top of the contact law; 0: none. A wall attracts as a mirror does"},
        {section, "attraction_range", number, "", preset("0.5"), positive, "", "",
         "Soft: r_0 of the attraction, in sums of radii"},
        {section, "attraction_cutoff", number, "", preset("1.5"), positive, "", "",
         "Soft: r_c, in sums of radii; more than 1"},
        {section, "sliding_stiffness", number, "N/m", preset("2/7 stiffness"), positive, "", "",
         "Soft: spring of friction (2-D: 1/3)"},
        {section, "sliding_viscosity", number, "N s/m", preset("0"), non_negative, "", "",
         "Soft: its dashpot"},
        {section, "rolling_stiffness", number, "N/m", preset("of sliding"), positive, "", "",
         "Soft: spring of rolling resistance, whose limit is rolling_ratio"},
        {section, "rolling_viscosity", number, "N s/m", preset("0"), non_negative, "", "",
         "Soft: its dashpot"},
        {section, "torsion_stiffness", number, "N/m", preset("of sliding"), positive, "", "",
         "Soft: spring of torsion resistance, whose limit is torsion_ratio"},
        {section, "torsion_viscosity", number, "N s/m", preset("0"), non_negative, "", "",
         "Soft: its dashpot"},
        {section, "dynamic_friction_ratio", number, "", preset("1"), share, "", "",
         "Soft: dynamic over static friction, also of rolling and torsion"},
    });
}

} // namespace tamp
