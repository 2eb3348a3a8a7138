#pragma once

#include <string>

#include "tamp/base/vec3.hpp"

namespace tamp {

enum class WallMotion {
    fixed,
    driven,  ///< moves with a given velocity
    piston,  ///< free along its normal: has a mass and an applied force, takes part in the solve
    removed, ///< touches nothing any more
};

/// A sphere next to a wall.
struct WallTouch {
    double gap;  ///< m; negative: overlap
    Vec3 normal; ///< from the wall to the sphere, where they touch or would touch
};

/// A plane. Particles are on the side that `normal` points to.
struct Wall {
    std::string name;
    Vec3 point{0, 0, 0};
    Vec3 normal{0, 0, 1};
    int material = 0;
    WallMotion motion = WallMotion::fixed;
    Vec3 velocity{0, 0, 0};
    double mass = 0;  ///< pistons
    double force = 0; ///< pistons: applied along `normal`, in N
    double area = 0;  ///< as the case gives it, m^2 (2-D: m); 0: what the wall covers, see `stress_area`
    /// Force of the particles on the wall in the last step.
    Vec3 reaction{0, 0, 0};
    /// Their torque on it about `point`, N m: what their angular momentum about that point lost to the wall a
    /// second. Particles count where they are in the box, along periodic directions too.
    Vec3 torque{0, 0, 0};
    double damping = 0; ///< N s/m; pistons of soft grains: a force against their velocity
    double stress = 0;  ///< as the case gives it, Pa (2-D: N/m): `force` at the start is this times the area

    double gap(const Vec3& position, double radius) const {
        return motion == WallMotion::removed ? 1e300 : dot(normal, position - point) - radius;
    }
    /// Force of the particles along the direction in which the wall may move, against its normal: positive
    /// when they push.
    double pressing_force() const { return 0.0 - dot(reaction, normal); } // not -0 for an untouched wall
    /// Contacts ask for their normal here: only a plane has the same one everywhere.
    WallTouch touch(const Vec3& position, double radius) const { return {gap(position, radius), normal}; }
};

} // namespace tamp
