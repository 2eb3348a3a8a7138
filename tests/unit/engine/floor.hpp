#pragma once

#include "setups.hpp"

/// One particle at a plane, for the laws of its contact.
namespace tamp::setups {

/// Gives all contacts of the only material the same laws.
inline RigidSetup with_laws(RigidSetup setup, const ContactLaws& laws) {
    setup.materials.set(0, 0, laws);
    return setup;
}

/// The plane's normal is the last axis (z for spheres, y for discs); gravity is tilted by `angle` towards x.
struct Floor {
    static constexpr double g = 9.81, radius = 0.01;
    int dimension;
    Vec3 up, axle; ///< axle: spin about it rolls towards +x
    double kappa;

    explicit Floor(int d)
        : dimension(d), up(d == 3 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}), axle(cross(up, Vec3{1, 0, 0})),
          kappa(d == 3 ? 2.5 : 2.0) {}

    double mass() const { return 1000.0 * grain_volume(radius, dimension); }

    RigidSetup setup(const ContactLaws& laws, double angle, double time_step) const {
        RigidSetup result = with_laws(open_space(0.4, 0, time_step, dimension), laws);
        result.gravity = g * std::sin(angle) * Vec3{1, 0, 0} - g * std::cos(angle) * up;
        result.walls.push_back(wall({0, 0, 0}, up));
        return result;
    }

    RigidRun engine(const ContactLaws& laws, double angle, double time_step, const Vec3& velocity = {0, 0, 0},
                    const Vec3& spin = {0, 0, 0}, double gap = 0) const {
        return RigidRun(world(), setup(laws, angle, time_step),
                        std::vector<Grain>{grain(0, (radius + gap) * up, radius, velocity, spin)});
    }
};

} // namespace tamp::setups
