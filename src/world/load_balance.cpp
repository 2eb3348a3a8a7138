#include "tamp/world/load_balance.hpp"

#include <algorithm>

namespace tamp {
namespace {

TileWork sum_of(std::span<const TileWork> work) {
    TileWork sum{-1, 0, 0};
    for (const TileWork& tile : work) {
        sum.contacts += tile.contacts;
        sum.particles += tile.particles;
    }
    return sum;
}

// Of one core of some years ago; only their ratio counts.
constexpr double contact_seconds = 100e-9;  // of eight, in a sweep
constexpr double particle_seconds = 200e-9; // in a step

} // namespace

std::vector<std::int64_t> tile_costs(const Communicator& communicator, int tiles,
                                     std::span<const TileWork> work, const BusySeconds& seconds) {
    const TileWork all = sum_of(work);
    // Time without contacts is still time: it goes with the particles.
    const double of_contact = all.contacts > 0 ? seconds.contacts / all.contacts : 0;
    const double rest = seconds.particles + (all.contacts > 0 ? 0 : seconds.contacts);
    const double of_particle = all.particles > 0 ? rest / all.particles : 0;
    std::vector<std::int64_t> costs(static_cast<std::size_t>(tiles), 0);
    for (const TileWork& tile : work)
        costs[static_cast<std::size_t>(tile.tile)] =
            static_cast<std::int64_t>(1e9 * (of_contact * tile.contacts + of_particle * tile.particles));
    communicator.sum(std::span<std::int64_t>(costs));
    return costs;
}

BusySeconds expected_seconds(std::span<const TileWork> work, double sweeps_a_step) {
    const TileWork all = sum_of(work);
    return {contact_seconds * sweeps_a_step * all.contacts, particle_seconds * all.particles};
}

double imbalance_of(const Communicator& communicator, const BusySeconds& seconds) {
    ExactSum sum;
    sum.add(seconds.sum());
    communicator.sum(sum);
    const double mean = sum.value() / communicator.size();
    return mean > 0 ? communicator.max(seconds.sum()) / mean : 1.0;
}

} // namespace tamp
