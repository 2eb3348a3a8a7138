#pragma once

#include <cmath>

namespace tamp {

/// What radii a became by growing: factor a + addition, the same for all particles that grow.
struct Grown {
    double factor = 1, addition = 0; ///< 1, m

    double operator()(double radius) const { return factor * radius + addition; }
    /// What a radius was before.
    double before(double radius) const { return (radius - addition) / factor; }

    /// This growth and the next one together.
    Grown then(const Grown& next) const { return {next.factor * factor, next(addition)}; }
    /// The part of this growth that came after `earlier`, which it began with.
    Grown since(const Grown& earlier) const {
        const double ratio = factor / earlier.factor;
        return {ratio, addition - ratio * earlier.addition};
    }

    friend bool operator==(const Grown&, const Grown&) = default;
};

/// How fast radii grow, da/dt = rate + relative_rate a [004 eq. 28]; one of the two is zero. Density stays,
/// so that mass follows. Velocities and angular velocities stay as they are. Particles that are held fixed do
/// not grow.
struct Growth {
    double rate = 0;          ///< m/s
    double relative_rate = 0; ///< 1/s: the sizes of all particles keep their ratios

    bool any() const { return rate > 0 || relative_rate > 0; }
    Grown over(double time) const { return {std::exp(relative_rate * time), rate * time}; }
    /// How fast the surface of a particle moves outwards, m/s. Times the length of a step that ended with
    /// this radius, this is no less than what the radius grew by in it.
    double speed(double radius) const { return rate + relative_rate * radius; }

    friend bool operator==(const Growth&, const Growth&) = default;
};

} // namespace tamp
