#include "tamp/world/overlap.hpp"

#include <limits>
#include <tuple>

#include <fmt/format.h>

namespace tamp {

DeepestOverlap deepest_overlap(const World& world) {
    const ParticleStore& store = world.particles;
    const auto before = [](const DeepestOverlap& a, const DeepestOverlap& b) {
        return std::tuple(-a.share, a.particle, a.partner) < std::tuple(-b.share, b.particle, b.partner);
    };
    constexpr auto nobody = std::numeric_limits<std::uint64_t>::max();
    DeepestOverlap deepest{0, 0, nobody, nobody};
    const auto look = [&](double gap, double diameter, std::uint64_t particle, std::uint64_t partner) {
        const DeepestOverlap found{-gap / diameter, -gap, particle, partner};
        if (gap < 0 && before(found, deepest))
            deepest = found;
    };
    const PairList& pairs = world.lists().pairs;
    const NearestImage nearest(world.box());
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Sphere &a = store.sphere[i], &b = store.sphere[j];
        look(norm(nearest(b.centre - a.centre)) - a.radius - b.radius, 2 * std::min(a.radius, b.radius),
             store.id[i], store.id[j]);
    }
    const WallList& walls = world.lists().walls;
    for (std::size_t c = 0; c < walls.size(); ++c) {
        const auto i = static_cast<std::size_t>(walls.body[c]);
        const Sphere& a = store.sphere[i];
        look(world.walls[static_cast<std::size_t>(walls.wall[c])].gap(a.centre, a.radius), 2 * a.radius,
             store.id[i], wall_partner(walls.wall[c]));
    }

    // The first in order of all ranks, one number after the other.
    const Communicator& communicator = world.communicator;
    const double share = communicator.max(deepest.share);
    if (deepest.share < share)
        deepest.particle = nobody;
    const std::uint64_t particle = communicator.min(deepest.particle);
    if (deepest.particle != particle)
        deepest.partner = nobody;
    const std::uint64_t partner = communicator.min(deepest.partner);
    const bool mine = share > 0 && deepest.particle == particle && deepest.partner == partner;
    return {share, communicator.max(mine ? deepest.depth : 0.0), particle, partner};
}

std::string partners_text(const DeepestOverlap& overlap, const World& world) {
    if (overlap.share == 0)
        return "no particles";
    if (is_wall(overlap.partner))
        return fmt::format("particle {} and the wall '{}'", overlap.particle,
                           world.walls[wall_index(overlap.partner)].name);
    return fmt::format("particles {} and {}", overlap.particle, overlap.partner);
}

} // namespace tamp
