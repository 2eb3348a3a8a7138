#pragma once

#include <numbers>

namespace tamp {

/// Volume of a sphere; area of a disc.
inline double grain_volume(double radius, int dimension) {
    return dimension == 3 ? 4.0 / 3.0 * std::numbers::pi * radius * radius * radius
                          : std::numbers::pi * radius * radius;
}

/// Mass of a sphere (density in kg/m^3) or of a disc (kg/m^2).
inline double grain_mass(double density, double radius, int dimension) {
    return density * grain_volume(radius, dimension);
}

} // namespace tamp
