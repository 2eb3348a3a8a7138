#pragma once

#include "tamp/particles/bodies.hpp"
#include "tamp/solver/batch.hpp"

namespace tamp {
inline namespace TAMP_PACKS {

inline PackVec3 broadcast(const Vec3& a) { return {Pack(a.x), Pack(a.y), Pack(a.z)}; }

inline PackVec3 contact_velocity(const Bodies& one, const Bodies& two, const PackVec3& n) {
    return two.velocity() - one.velocity() - cross(one.surface() + two.surface(), n);
}

inline PackVec3 contact_velocity(const Bodies& body, const Vec3& wall_velocity, const PackVec3& n) {
    return body.velocity() - broadcast(wall_velocity) - cross(body.surface(), n);
}

/// omega2 - omega1
inline PackVec3 relative_spin(const Bodies& one, const Bodies& two) {
    return two.inverse_radius() * two.surface() - one.inverse_radius() * one.surface();
}

} // namespace TAMP_PACKS
} // namespace tamp
