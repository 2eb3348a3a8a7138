#include "tamp/measure/force_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tamp/base/exact_sum.hpp"
#include "tamp/measure/extremes.hpp"

namespace tamp {
namespace {

constexpr std::int32_t fewest_contacts = 2;

/// How far the free walls are from bearing what is applied to them.
double imbalance_of_pistons(std::span<const Wall> walls) {
    double worst = 0;
    for (const Wall& wall : walls)
        if (wall.motion == WallMotion::piston && wall.force != 0)
            worst = std::max(worst, std::abs(wall.pressing_force() - wall.force) / std::abs(wall.force));
    return worst;
}

/// The largest force that presses the packing as a whole.
double largest_load(const World& world, double weight) {
    double load = weight;
    for (const Wall& wall : world.walls)
        load = std::max(
            {load, norm(wall.reaction), wall.motion == WallMotion::piston ? std::abs(wall.force) : 0.0});
    return load;
}

} // namespace

ForceBalance force_balance(const World& world, const View& view) {
    enum { square, contact_force, mass, resultant_x, resultant_y, resultant_z, sum_count };
    std::array<ExactSum, sum_count> sums;
    std::array<std::int64_t, 2> counts{0, 0}; // particles that bear forces, contacts
    const ParticleView& particles = view.particles;
    const std::vector<double> masses = masses_of(world, particles);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (masses[i] == 0)
            continue; // whatever holds a fixed one balances it
        const Vec3 resultant = particles.contact_force[i] + masses[i] * world.gravity;
        sums[mass].add(masses[i]);
        for (int axis = 0; axis < 3; ++axis)
            sums[resultant_x + static_cast<std::size_t>(axis)].add(resultant[axis]);
        if (particles.coordination[i] >= fewest_contacts) {
            sums[square].add(dot(resultant, resultant));
            ++counts[0];
        }
    }
    for (const Vec3& force : view.contacts.force)
        sums[contact_force].add(norm(force));
    counts[1] = static_cast<std::int64_t>(view.contacts.size());
    world.communicator.sum(std::span<ExactSum>(sums));
    world.communicator.sum(std::span<std::int64_t>(counts));
    if (counts[0] == 0)
        return {};

    const double mean_force = sums[contact_force].value() / static_cast<double>(counts[1]);
    const double load = largest_load(world, sums[mass].value() * norm(world.gravity));
    const Vec3 resultant{sums[resultant_x].value(), sums[resultant_y].value(), sums[resultant_z].value()};
    return {.particles = std::sqrt(sums[square].value() / static_cast<double>(counts[0])) / mean_force,
            .loads = std::max(imbalance_of_pistons(world.walls), load > 0 ? norm(resultant) / load : 0.0)};
}

} // namespace tamp
