#pragma once

namespace tamp {

/// What a case says about soft grains besides their contact laws.
struct SoftSettings {
    double steps_per_contact = 50;   ///< time steps in the shortest contact time t_c
    double background_viscosity = 0; ///< gamma_b, N s/m: a force -gamma_b v [004 eq. 26]
    bool rotate_springs = false;     ///< into the tangent plane, instead of projecting them [004 eq. 21]
    bool dashpot_after_slip = false; ///< springs of contacts that slip leave room for what dashpots bear
    double background_rotation_viscosity = 0; ///< gamma_br, N s/m: a torque -gamma_br a^2 omega [004 eq. 27]
};

} // namespace tamp
