#pragma once

#include <string>

#include "tamp/base/vec3.hpp"
#include "tamp/geometry/shape.hpp"

namespace tamp {

enum class WallMotion {
    fixed,
    driven,  ///< moves and turns with given velocities
    piston,  ///< free along its normal: has a mass and an applied force, takes part in the solve
    removed, ///< touches nothing any more
    turning, ///< free to turn about its axis: has an inertia and an applied moment, takes part in the solve
};

/// A sphere next to a wall.
struct WallTouch {
    double gap;  ///< m; negative: overlap
    Vec3 normal; ///< from the wall to the sphere, where they touch or would touch
};

/// A wall turns about an axis that moves with it.
struct WallRotation {
    Vec3 pivot{0, 0, 0}; ///< a point of the axis
    Vec3 axis{0, 0, 1};  ///< unit vector
    double speed = 0;    ///< rad/s, right-handed about the axis
    double inertia = 0;  ///< kg m^2, about the axis; of walls that are free to turn
    double moment = 0;   ///< N m, applied about the axis to walls that are free to turn

    Vec3 spin() const { return speed * axis; } ///< rad/s
};

/// The displacement amplitude (sin(2 pi frequency (t - begin) + phase) - sin(phase)), beside other motion.
struct WallOscillation {
    Vec3 amplitude{0, 0, 0}; ///< m
    double frequency = 0;    ///< 1/s
    double phase = 0;        ///< rad
    double begin = 0;        ///< s

    bool any() const { return frequency > 0 && amplitude != Vec3{0, 0, 0}; }
    Vec3 displacement(double time) const;
};

/// A surface that spheres touch. Of a plane, particles are on the side that `normal` points to; other shapes
/// stand with their point and axis at `point` and `normal`, see shape.hpp. A wall that is free moves along
/// `normal`.
struct Wall {
    std::string name;
    Vec3 point{0, 0, 0};
    Vec3 normal{0, 0, 1};
    int material = 0;
    WallMotion motion = WallMotion::fixed;
    Vec3 velocity{0, 0, 0}; ///< of `point`, in the last step and, as long as nothing else is said, the next
    double mass = 0;        ///< pistons
    double force = 0;       ///< pistons: applied along `normal`, in N
    double area = 0; ///< as the case gives it, m^2 (2-D: m); 0: what the wall covers, see `stress_area`
    /// Force of the particles on the wall in the last step.
    Vec3 reaction{0, 0, 0};
    /// Their torque on it about `point`, N m: what their angular momentum about that point lost to the wall a
    /// second. Particles count where they are in the box, along periodic directions too.
    Vec3 torque{0, 0, 0};
    double damping = 0; ///< N s/m; pistons of soft grains: a force against their velocity
    double stress = 0;  ///< as the case gives it, Pa (2-D: N/m): `force` at the start is this times the area
    Shape shape{};
    WallRotation rotation{};
    WallOscillation oscillation{};
    Vec3 given_velocity{0, 0, 0}; ///< m/s; beside oscillation; of pistons, across `normal`
    double most_speed = 0;        ///< m/s; pistons: never faster; 0: unbounded

    ShapePlace place() const { return {point, normal}; }
    bool is_plane() const { return shape.kind == ShapeKind::plane; }
    /// Whether its normal is the same everywhere.
    bool is_flat() const {
        return is_plane() || shape.kind == ShapeKind::rectangle || shape.kind == ShapeKind::disc;
    }
    bool turns() const { return motion == WallMotion::turning || rotation.speed != 0; }

    double gap(const Vec3& position, double radius) const { return touch(position, radius).gap; }
    /// Force of the particles against the normal, along which the wall may move: positive when they push. Of
    /// shapes that are no planes and cannot move so: the size of the force, whose direction can be any.
    double pressing_force() const {
        const bool any_direction = !is_plane() && motion != WallMotion::piston;
        return any_direction ? norm(reaction) : 0.0 - dot(reaction, normal); // not -0 for an untouched wall
    }
    /// Contacts ask for their normal here: only a plane has the same one everywhere.
    WallTouch touch(const Vec3& position, double radius) const {
        if (motion == WallMotion::removed)
            return {1e300, normal};
        if (is_plane()) // the most frequent
            return {dot(normal, position - point) - radius, normal};
        const ShapeTouch nearest = shape.touch(place(), position);
        return {nearest.distance - radius, nearest.normal};
    }

    /// What a turn about the axis, 1 rad/s fast, moves a point of the wall by, m/s.
    Vec3 arm(const Vec3& at) const { return cross(rotation.axis, at - rotation.pivot); }
    /// Of the point of its surface that a sphere touches, m/s.
    Vec3 surface_velocity(const Vec3& at) const {
        return turns() ? velocity + rotation.speed * arm(at) : velocity;
    }
};

} // namespace tamp
