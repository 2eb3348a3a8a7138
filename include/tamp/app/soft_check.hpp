#pragma once

#include <string>
#include <vector>

#include "tamp/config/case.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp {

/// The largest pressure that the case makes, about: of stages and walls, and of the weight of all particles
/// on the face of the box across gravity; Pa (2-D: N/m).
double expected_pressure(const Case& settings, const StartSizes& sizes);

/// What a soft case comes to: its time step and what decides it, contact time and restitution of each pair of
/// materials, and the overlap that its load makes.
struct SoftOutlook {
    double time_step = 0;              ///< s
    std::vector<std::string> lines;    ///< for `tamp check`
    std::vector<std::string> warnings; ///< grains too soft for their load, a step that is hardly short enough
};

/// An InputError where time.step is too long for the stiffest contact.
SoftOutlook soft_outlook(const Case& settings, const StartSizes& sizes);

} // namespace tamp
