#pragma once

#include <cstdint>
#include <vector>

#include "tamp/measure/view.hpp"
#include "tamp/world/world.hpp"

namespace tamp {

/// What bounds the sums over a state, the same on every rank. NaN where something is not a number.
struct Extremes {
    double force = 0, branch = 0, overlap = 0;        ///< of a contact: N, m, m
    double mass = 0, radius = 0, volume = 0;          ///< of a particle: kg, m, m^3 (2-D: m^2)
    double speed = 0, coordination = 0;               ///< of a particle: m/s, 1
    std::int64_t particles = 0, pairs = 0, walls = 0; ///< numbers of particles and of contacts

    std::int64_t contacts() const { return pairs + walls; }
};

/// Collective. `masses`: of the particles of the view.
Extremes extremes_of(const World& world, const View& view, const std::vector<double>& masses);

/// kg; zero for particles that are held fixed.
std::vector<double> masses_of(const World& world, const ParticleView& particles);

/// Raises `to`; a NaN stays.
inline void raise(double& to, double value) {
    if (!(value <= to) && to == to)
        to = value;
}

} // namespace tamp
