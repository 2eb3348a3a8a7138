#include "tamp/measure/extremes.hpp"

#include <algorithm>
#include <array>

namespace tamp {

Extremes extremes_of(const World& world, const View& view, const std::vector<double>& masses) {
    Extremes result;
    std::int32_t coordination = 0;
    for (std::size_t i = 0; i < view.particles.size(); ++i) {
        raise(result.mass, masses[i]);
        raise(result.radius, view.particles.radius[i]);
        raise(result.speed, norm(view.particles.velocity[i]));
        coordination = std::max(coordination, view.particles.coordination[i]);
    }
    std::array<std::int64_t, 3> counts{static_cast<std::int64_t>(view.particles.size()), 0, 0};
    for (std::size_t c = 0; c < view.contacts.size(); ++c) {
        raise(result.force, norm(view.contacts.force[c]));
        raise(result.branch, norm(view.contacts.to[c] - view.contacts.from[c]));
        raise(result.overlap, -view.contacts.gap[c]);
        ++counts[view.contacts.with_wall(c) ? 2 : 1];
    }
    world.communicator.sum(std::span<std::int64_t>(counts));
    std::array<double, 7> largest{result.force,
                                  result.branch,
                                  result.overlap,
                                  result.mass,
                                  result.radius,
                                  result.speed,
                                  static_cast<double>(coordination)};
    world.communicator.max(std::span<double>(largest));
    return {.force = largest[0],
            .branch = largest[1],
            .overlap = largest[2],
            .mass = largest[3],
            .radius = largest[4],
            .volume = grain_volume(largest[4], view.box.dimension),
            .speed = largest[5],
            .coordination = largest[6],
            .particles = counts[0],
            .pairs = counts[1],
            .walls = counts[2]};
}

std::vector<double> masses_of(const World& world, const ParticleView& particles) {
    std::vector<double> masses(particles.size());
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Material& material = world.setup.materials[particles.material[i]];
        masses[i] =
            material.fixed ? 0.0 : grain_mass(material.density, particles.radius[i], world.dimension());
    }
    return masses;
}

} // namespace tamp
