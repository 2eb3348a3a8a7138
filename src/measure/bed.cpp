#include "tamp/measure/bed.hpp"

#include <algorithm>
#include <cmath>

#include "tamp/boundaries/region.hpp"
#include "tamp/measure/cell_grid.hpp"
#include "tamp/measure/kth_largest.hpp"

namespace tamp {
namespace {

Vec3 upward(const World& world) {
    const Vec3 gravity = world.gravity;
    if (const double g = norm(gravity); g > 0)
        return gravity * (-1 / g);
    for (const Wall& wall : world.walls)
        if (wall.motion == WallMotion::piston ||
            (wall.motion == WallMotion::driven && dot(wall.velocity, wall.normal) != 0))
            return -wall.normal;
    Vec3 up{0, 0, 0};
    up[world.dimension() - 1] = 1;
    return up;
}

bool has_floor(const Box& box, const Vec3& up) {
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.periodic(axis) && up[axis] != 0)
            return false;
    return true;
}

/// The highest ends of the particles, but for those few that do not count.
double surface(const World& world, const Vec3& up, double section) {
    const ParticleStore& store = world.particles;
    std::vector<double> ends;
    ends.reserve(store.owned);
    for (std::size_t i = 0; i < store.owned; ++i)
        ends.push_back(dot(up, store.sphere[i].centre) + store.sphere[i].radius);
    const auto count = static_cast<double>(world.communicator.sum(static_cast<std::int64_t>(store.owned)));
    const double layer = section / std::pow(world.sizes.mean, world.dimension() - 1);
    return kth_largest(world.communicator, ends,
                       static_cast<std::int64_t>(std::min(0.01 * count, 0.25 * layer)));
}

double solid_below(const World& world, const Vec3& up, double top) {
    const ParticleStore& store = world.particles;
    ExactSum sum;
    for (std::size_t i = 0; i < store.owned; ++i) {
        const double radius = store.sphere[i].radius;
        const double u = (top - dot(up, store.sphere[i].centre)) / radius;
        const double share = world.dimension() == 3 ? shares_below::sphere(u) : shares_below::disc(u);
        sum.add(share * grain_volume(radius, world.dimension()));
    }
    world.communicator.sum(sum);
    return sum.value();
}

} // namespace

Bed measure_bed(const World& world) {
    Bed bed;
    bed.up = upward(world);
    ConvexBody body = region_body(world.box(), world.walls);
    const double volume = region_volume(world.box(), world.walls);
    const bool empty = world.communicator.max(static_cast<std::int64_t>(world.particles.owned)) == 0;
    if (empty || volume == 0)
        return bed;
    bed.floor = body.least_distance({{0, 0, 0}, bed.up});
    const double ceiling = -body.least_distance({{0, 0, 0}, -bed.up});
    bed.top = ceiling;
    bed.volume = volume;
    if (has_floor(world.box(), bed.up)) {
        const double free_top = surface(world, bed.up, volume / (ceiling - bed.floor));
        bed.reaches_ceiling = ceiling - free_top < world.sizes.mean;
        if (!bed.reaches_ceiling) {
            bed.top = free_top;
            body.clip({bed.up * free_top, -bed.up});
            bed.volume = body.volume();
        }
    }
    bed.volume_fraction = solid_below(world, bed.up, bed.top < ceiling ? bed.top : HUGE_VAL) / bed.volume;
    return bed;
}

} // namespace tamp
