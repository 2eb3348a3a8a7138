#include "tamp/boundaries/wall_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamp {
namespace {

/// About a unit vector, by Rodrigues' formula.
Vec3 turned(const Vec3& v, const Vec3& axis, double sine, double cosine) {
    return cosine * v + sine * cross(axis, v) + ((1 - cosine) * dot(axis, v)) * axis;
}

/// The same direction with another length: what rounding did to the length does not gather.
Vec3 with_length(const Vec3& v, double length) {
    const double now = norm(v);
    return now > 0 ? v * (length / now) : v;
}

bool is_parallel(const Vec3& v, const Vec3& axis) { return norm(cross(v, axis)) <= 1e-12 * norm(v); }

void turn(Wall& wall, double angle) {
    const Vec3 &axis = wall.rotation.axis, &pivot = wall.rotation.pivot;
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const Vec3 arm = wall.point - pivot;
    wall.point = pivot + with_length(turned(arm, axis, sine, cosine), norm(arm));
    wall.normal = with_length(turned(wall.normal, axis, sine, cosine), 1);
    for (Vec3& edge : wall.shape.half_edges)
        edge = with_length(turned(edge, axis, sine, cosine), norm(edge));
}

} // namespace

Vec3 WallOscillation::displacement(double time) const {
    const double angle = 2 * std::numbers::pi * frequency * (time - begin);
    return amplitude * (std::sin(angle + phase) - std::sin(phase));
}

void advance(Wall& wall, double time_step) {
    const Vec3 way = wall.velocity * time_step;
    wall.point += way;
    wall.rotation.pivot += way;
    if (wall.rotation.speed != 0 && !turns_in_itself(wall))
        turn(wall, wall.rotation.speed * time_step);
}

void set_velocity(Wall& wall, double time, double time_step) {
    if (wall.motion != WallMotion::driven || !wall.oscillation.any() || time_step <= 0)
        return;
    const WallOscillation& oscillation = wall.oscillation;
    const Vec3 way = oscillation.displacement(time + time_step) - oscillation.displacement(time);
    wall.velocity = wall.given_velocity + way * (1 / time_step);
}

bool turns_in_itself(const Wall& wall) {
    const Vec3 &axis = wall.rotation.axis, arm = wall.point - wall.rotation.pivot;
    const bool on_axis = is_parallel(arm, axis);
    switch (wall.shape.kind) {
    case ShapeKind::plane:
        return is_parallel(wall.normal, axis);
    case ShapeKind::rectangle:
        return false;
    case ShapeKind::sphere:
        return on_axis;
    case ShapeKind::disc:
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        break;
    }
    return on_axis && is_parallel(wall.normal, axis);
}

double turning_moment(const Wall& wall) {
    const Vec3 torque = wall.torque + cross(wall.point - wall.rotation.pivot, wall.reaction);
    return dot(torque, wall.rotation.axis);
}

double turning_reach(const Wall& wall, const Box& box) {
    const Bounds bounds = wall.shape.bounds(wall.place());
    Vec3 farthest{0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
        const bool flat = axis >= box.dimension;
        const double lower = flat ? 0.0 : std::max(bounds.lower[axis], box.lower[axis]),
                     upper = flat ? 0.0 : std::min(bounds.upper[axis], box.upper[axis]);
        farthest[axis] = std::max(std::abs(lower - wall.rotation.pivot[axis]),
                                  std::abs(upper - wall.rotation.pivot[axis]));
    }
    return norm(farthest);
}

double approach_speed(const Wall& wall, const Box& box) {
    double speed = norm(wall.velocity);
    if (wall.oscillation.any())
        speed =
            std::max(speed, norm(wall.given_velocity) + 2 * std::numbers::pi * wall.oscillation.frequency *
                                                            norm(wall.oscillation.amplitude));
    if (wall.rotation.speed != 0 && !turns_in_itself(wall))
        speed += std::abs(wall.rotation.speed) * turning_reach(wall, box);
    return speed;
}

} // namespace tamp
