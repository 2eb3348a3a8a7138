#include "tamp/measure/measures.hpp"

#include <algorithm>
#include <array>

#include "tamp/base/exact_sum.hpp"
#include "tamp/world/force_geometry.hpp"

namespace tamp {

namespace {

ExactSum solid_volume(const ParticleStore& particles) {
    ExactSum sum;
    for (std::size_t i = 0; i < particles.owned; ++i)
        sum.add(grain_volume(particles.sphere[i].radius, particles.dimension()));
    return sum;
}

} // namespace

double volume_fraction(const World& world) {
    ExactSum volume = solid_volume(world.particles);
    world.communicator.sum(volume);
    return volume.value() / region_volume(world.box(), world.walls);
}

Measures measure(const World& world, const ContactForces& forces) {
    const Communicator& communicator = world.communicator;
    const ParticleStore& store = world.particles;
    enum { volume, mass, energy, overlap, sum_count };
    std::array<ExactSum, sum_count> sums;
    sums[volume] = solid_volume(store);
    for (std::size_t i = 0; i < store.owned; ++i) {
        sums[mass].add(store.mass(i));
        sums[energy].add(store.kinetic_energy(i));
    }

    std::array<std::int64_t, 3> counts{static_cast<std::int64_t>(store.owned), 0, 0};
    double largest = 0;
    const auto count = [&](std::int64_t& contacts, double gap) {
        ++contacts;
        sums[overlap].add(std::max(0.0, -gap));
        largest = std::max(largest, -gap);
    };
    const ForceGeometry geometry(world, forces.age);
    const PairList& pairs = world.lists().pairs;
    for (std::size_t c = 0; c < pairs.size(); ++c)
        if (forces.pairs[c] != Vec3{0, 0, 0})
            count(counts[1], geometry.pair(c).gap);
    const WallList& walls = world.lists().walls;
    for (std::size_t c = 0; c < walls.size(); ++c)
        if (forces.walls[c] != Vec3{0, 0, 0})
            count(counts[2], geometry.wall_contact(c).gap);
    communicator.sum(std::span<ExactSum>(sums));
    communicator.sum(std::span<std::int64_t>(counts));

    Measures result;
    result.particles = counts[0];
    result.contacts = counts[1] + counts[2];
    const double particles = static_cast<double>(std::max<std::int64_t>(1, counts[0]));
    result.coordination = static_cast<double>(2 * counts[1] + counts[2]) / particles;
    result.volume_fraction = sums[volume].value() / region_volume(world.box(), world.walls);
    result.weight = sums[mass].value() * norm(world.gravity);
    result.kinetic_energy = sums[energy].value();
    result.mean_overlap =
        sums[overlap].value() / static_cast<double>(std::max<std::int64_t>(1, result.contacts));
    result.largest_speed = world.largest_speed();
    result.largest_overlap = communicator.max(largest);
    for (const Wall& wall : world.walls)
        result.wall_force.push_back(wall.pressing_force());
    return result;
}

} // namespace tamp
