#include "tamp/measure/agitation.hpp"

#include <array>
#include <cmath>

#include "tamp/base/exact_sum.hpp"
#include "tamp/boundaries/region.hpp"

namespace tamp {

double Agitation::speed() const { return mass > 0 ? std::sqrt(2 * kinetic_energy / mass) : 0.0; }

std::optional<double> Agitation::inertial_number() const {
    return inertial_time > 0 ? std::optional(speed() * inertial_time / diameter) : std::nullopt;
}

Agitation agitation(const World& world, const View& view) {
    enum { energy, mass, virial, sum_count };
    std::array<ExactSum, sum_count> sums;
    const ParticleStore& store = world.particles;
    std::int64_t free = 0;
    for (std::size_t i = 0; i < store.owned; ++i) {
        sums[energy].add(store.kinetic_energy(i));
        sums[mass].add(store.mass(i));
        free += store.is_fixed(i) ? 0 : 1;
    }
    const ContactView& contacts = view.contacts;
    for (std::size_t c = 0; c < contacts.size(); ++c)
        sums[virial].add(dot(contacts.force[c], contacts.to[c] - contacts.from[c]));
    world.communicator.sum(std::span<ExactSum>(sums));
    free = world.communicator.sum(free);

    Agitation result{
        .kinetic_energy = sums[energy].value(), .mass = sums[mass].value(), .diameter = world.sizes.mean};
    const int dimension = world.dimension();
    const double volume = region_volume(world.box(), world.walls);
    if (free == 0 || volume == 0)
        return result;
    result.pressure = sums[virial].value() / (dimension * volume);
    if (result.pressure > 0) {
        const double mean_mass = result.mass / static_cast<double>(free);
        const double across = dimension == 3 ? result.diameter : 1.0;
        result.inertial_time = std::sqrt(mean_mass / (result.pressure * across));
    }
    return result;
}

} // namespace tamp
