#include "tamp/soft/integrate.hpp"

#include <algorithm>
#include <cmath>

#include "tamp/base/pack.hpp"

namespace tamp::soft {
namespace {

/// A body is a row of eight numbers, v, 1/m, w, 1/a, and so are its forces: one operation moves both.
Pack::Raw row_of(const Vec3& velocity_part, const Vec3& surface_part) {
    return Pack::Raw{velocity_part.x, velocity_part.y, velocity_part.z, 0,
                     surface_part.x,  surface_part.y,  surface_part.z,  0};
}

} // namespace

Moved integrate(ParticleStore& particles, std::span<ForceSum> sums, const ForceUnit& unit,
                const Vec3& gravity, const SoftSettings& settings, const StepLengths& lengths) {
    static_assert(sizeof(Body) == sizeof(Pack::Raw) && sizeof(ForceSum) == sizeof(Pack::Raw));
    const double kappa = inertia_ratio(particles.dimension()), dt = lengths.kick;
    const double force = dt * unit.newton, drag = dt * settings.background_viscosity,
                 turn_drag = dt * kappa * settings.background_rotation_viscosity;
    const Vec3 all{1, 1, 1};
    const Pack::Raw to_force = row_of(force * all, (kappa * force) * all);
    const Pack::Raw to_drag = row_of(drag * all, turn_drag * all);
    const Pack::Raw falling = row_of(dt * gravity, {0, 0, 0}), resting{};
    double speed = 0, displacement = 0; // squared
    bool finite = true;
    const std::size_t owned = particles.owned, count = particles.size();
    for (std::size_t i = 0; i < count; ++i) {
        Body& body = particles.body[i];
        auto& row = *reinterpret_cast<Pack::Raw*>(&body);
        auto& sum = *reinterpret_cast<Pack::Mask*>(&sums[i]);
        const Pack::Raw push = __builtin_convertvector(sum, Pack::Raw) * to_force - row * to_drag;
        row += body.inverse_mass * push + (body.inverse_mass > 0 ? falling : resting);
        sum = Pack::Mask{};
        const Vec3 velocity = body.velocity;
        Vec3& centre = particles.sphere[i].centre;
        centre += velocity * lengths.move;
        if (i < owned) {
            const Vec3 way = centre - particles.reference[i];
            const double square = dot(velocity, velocity);
            speed = std::max(speed, square);
            displacement = std::max(displacement, dot(way, way));
            finite &= square < HUGE_VAL; // a maximum may step over a NaN
        }
    }
    return {finite ? std::sqrt(speed) : HUGE_VAL, std::sqrt(displacement)};
}

} // namespace tamp::soft
