#include "tamp/soft/integrate.hpp"

#include <algorithm>
#include <cmath>

#include "lanes.hpp"
#include "tamp/base/pack.hpp"

namespace tamp::soft {
namespace {

/// A body is a row of eight numbers, v, 1/m, w, 1/a, and so are its forces: one operation moves both.
Pack::Raw row_of(const Vec3& velocity_part, const Vec3& surface_part) {
    return Pack::Raw{velocity_part.x, velocity_part.y, velocity_part.z, 0,
                     surface_part.x,  surface_part.y,  surface_part.z,  0};
}

/// The largest squares of speeds and displacements.
class Largest {
public:
    /// Of eight particles that follow each other.
    void look_at_eight(const Body* bodies, const Sphere* spheres, const Vec3* references) {
        const auto eight = [](auto&& row) { return columns_of(RowPairs::load(row)).vector(); };
        const PackVec3 velocity = eight([&](int lane) { return &bodies[lane].velocity.x; });
        const PackVec3 centre = eight([&](int lane) { return &spheres[lane].centre.x; });
        // Reads a fourth number as well, the first one of the next reference.
        const PackVec3 reference = eight([&](int lane) { return &references[lane].x; });
        const PackVec3 way = centre - reference;
        const Pack square = dot(velocity, velocity);
        speed_ = larger(square, speed_);
        displacement_ = larger(dot(way, way), displacement_);
        finite_ &= Pack(HUGE_VAL) > square; // a maximum may step over a NaN
    }
    void look_at_one(const Body& body, const Sphere& sphere, const Vec3& reference) {
        const Vec3 way = sphere.centre - reference;
        const double square = dot(body.velocity, body.velocity);
        speed_ = larger(Pack(square), speed_);
        displacement_ = larger(Pack(dot(way, way)), displacement_);
        finite_ &= Pack(HUGE_VAL) > Pack(square);
    }
    Moved moved() const {
        return {any(~finite_) ? HUGE_VAL : std::sqrt(max_lanes(speed_)), std::sqrt(max_lanes(displacement_))};
    }

private:
    Pack speed_{0.0}, displacement_{0.0};
    Pack::Mask finite_ = Pack(1.0) > Pack(0.0);
};

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
    const HalfRow move{lengths.move, lengths.move, lengths.move, 0};
    // Pointers of its own: the compiler would read those of the store again after each number that it writes.
    Body* const bodies = particles.body.data();
    Sphere* const spheres = particles.sphere.data();
    const Vec3* const references = particles.reference.data();
    ForceSum* const on = sums.data();
    const auto move_one = [&](std::size_t i) {
        auto& row = *reinterpret_cast<Pack::Raw*>(bodies + i);
        auto& sum = *reinterpret_cast<Pack::Mask*>(on + i);
        HalfRow& place = *reinterpret_cast<HalfRow*>(spheres + i);
        const double inverse_mass = bodies[i].inverse_mass;
        const Pack::Raw push = __builtin_convertvector(sum, Pack::Raw) * to_force - row * to_drag;
        const Pack::Raw next = row + (inverse_mass * push + (inverse_mass > 0 ? falling : resting));
        sum = Pack::Mask{};
        row = next;
        place += __builtin_shufflevector(next, next, 0, 1, 2, 3) * move; // a radius stays
    };
    Largest largest;
    const std::size_t owned = particles.owned, count = particles.size();
    std::size_t i = 0;
    for (; i + lanes < owned; i += lanes) { // not the last one: there is no reference behind it
        for (std::size_t lane = 0; lane < lanes; ++lane)
            move_one(i + lane);
        largest.look_at_eight(bodies + i, spheres + i, references + i);
    }
    for (; i < count; ++i) {
        move_one(i);
        if (i < owned)
            largest.look_at_one(bodies[i], spheres[i], references[i]);
    }
    return largest.moved();
}

} // namespace tamp::soft
