#include "tamp/measure/measures.hpp"

#include <algorithm>
#include <array>

#include "tamp/base/exact_sum.hpp"
#include "tamp/measure/cell_grid.hpp"

namespace tamp {

double region_volume(const Box& box, std::span<const Wall> walls) { return region_of(box, walls).volume(); }

Measures measure(const RigidEngine& engine) {
    const Communicator& communicator = engine.communicator();
    const ParticleStore& store = engine.store();
    enum { volume, mass, energy, overlap, sum_count };
    std::array<ExactSum, sum_count> sums;
    for (std::size_t i = 0; i < store.owned; ++i) {
        sums[volume].add(grain_volume(store.sphere[i].radius, store.dimension()));
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
    const PairCandidates& pairs = engine.pairs();
    for (std::size_t c = 0; c < pairs.size(); ++c)
        if (pairs.impulse[c] != Vec3{0, 0, 0}) {
            const Sphere& a = store.sphere[static_cast<std::size_t>(pairs.first[c])];
            const Sphere& b = store.sphere[static_cast<std::size_t>(pairs.second[c])];
            count(counts[1], norm(engine.setup().box.nearest(b.centre - a.centre)) - a.radius - b.radius);
        }
    const WallCandidates& walls = engine.wall_candidates();
    for (std::size_t c = 0; c < walls.size(); ++c)
        if (walls.impulse[c] != Vec3{0, 0, 0}) {
            const Sphere& a = store.sphere[static_cast<std::size_t>(walls.body[c])];
            count(counts[2], engine.walls()[static_cast<std::size_t>(walls.wall[c])].gap(a.centre, a.radius));
        }
    communicator.sum(std::span<ExactSum>(sums));
    communicator.sum(std::span<std::int64_t>(counts));

    Measures result;
    result.particles = counts[0];
    result.contacts = counts[1] + counts[2];
    const double particles = static_cast<double>(std::max<std::int64_t>(1, counts[0]));
    result.coordination = static_cast<double>(2 * counts[1] + counts[2]) / particles;
    result.volume_fraction = sums[volume].value() / region_volume(engine.setup().box, engine.walls());
    result.weight = sums[mass].value() * norm(engine.setup().gravity);
    result.kinetic_energy = sums[energy].value();
    result.mean_overlap =
        sums[overlap].value() / static_cast<double>(std::max<std::int64_t>(1, result.contacts));
    result.largest_speed = engine.largest_speed();
    result.largest_overlap = communicator.max(largest);
    for (const Wall& wall : engine.walls())
        result.wall_force.push_back(0.0 - dot(wall.reaction, wall.normal)); // not -0 for an untouched wall
    return result;
}

} // namespace tamp
