#include "tamp/particles/generate.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "generate_parts.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"
#include "tamp/particles/size_distribution.hpp"

namespace tamp {

namespace generators {

Region::Region(const GeneratorSettings& settings, const Box& box)
    : lower(settings.lower), upper(settings.upper), dimension(box.dimension) {
    for (int axis = 0; axis < dimension; ++axis) {
        const double tolerance = 1e-12 * box.length(axis); // bounds typed or computed in two ways
        if (!box.periodic(axis) || lower[axis] > box.lower[axis] + tolerance ||
            upper[axis] < box.upper[axis] - tolerance)
            continue;
        wraps[static_cast<std::size_t>(axis)] = true;
        lower[axis] = box.lower[axis];
        upper[axis] = box.upper[axis];
    }
}

/// By a grid of points: enough for the number of particles, which is not to depend on luck.
double Region::free_share(const FreeSpace& is_free) const {
    if (!is_free)
        return 1;
    const int points = dimension == 3 ? 48 : 256, layers = dimension == 3 ? points : 1;
    std::int64_t free = 0;
    for (int z = 0; z < layers; ++z)
        for (int y = 0; y < points; ++y)
            for (int x = 0; x < points; ++x) {
                const Vec3 share{(x + 0.5) / points, (y + 0.5) / points, (z + 0.5) / layers};
                Vec3 at = lower;
                for (int axis = 0; axis < dimension; ++axis)
                    at[axis] += share[axis] * length(axis);
                free += is_free(at, 0) ? 1 : 0;
            }
    return static_cast<double>(free) / (static_cast<double>(points) * points * layers);
}

Radii draw_radii(const GeneratorSettings& settings, double volume, int dimension, std::uint64_t seed,
                 std::uint64_t first_id, double limit) {
    const double target = settings.fraction * volume;
    const bool by_count = settings.count > 0, by_fraction = !by_count && settings.fraction > 0;
    const double at_least = by_count ? static_cast<double>(settings.count)
                            : by_fraction
                                ? target / grain_volume(largest_diameter(settings.size) / 2, dimension)
                                : limit;
    if (std::min(at_least, limit) > largest_particle_count)
        throw InputError(
            fmt::format("asks for {:.3g} particles, more than {:.0g}; use a smaller region or larger "
                        "particles",
                        std::min(at_least, limit), largest_particle_count));
    Radii radii;
    radii.values.reserve(static_cast<std::size_t>(std::min(at_least, limit)));
    for (std::uint64_t k = 0;; ++k) {
        radii.complete = by_count      ? k == static_cast<std::uint64_t>(settings.count)
                         : by_fraction ? radii.volume >= target
                                       : static_cast<double>(k) >= limit;
        if (radii.complete || static_cast<double>(k) >= limit)
            return radii;
        Random random(seed, first_id + k, Purpose::size);
        radii.values.push_back(sample_diameter(settings.size, random) / 2);
        radii.volume += grain_volume(radii.values.back(), dimension);
    }
}

namespace {

/// Those of its sites that particles may take; all of them: empty.
std::vector<std::int64_t> free_sites(const GeneratorSettings& settings, const Lattice& lattice,
                                     const FreeSpace& is_free) {
    std::vector<std::int64_t> sites;
    if (!is_free)
        return sites;
    if (lattice.site_count() > largest_particle_count)
        throw InputError("the region has too many lattice sites; use a smaller one or a larger spacing");
    const double needed = largest_diameter(settings.size) / 2 + norm(lattice.largest_shift);
    for (std::int64_t site = 0; site < static_cast<std::int64_t>(lattice.site_count()); ++site)
        if (is_free(lattice.site(site), needed))
            sites.push_back(site);
    if (sites.empty())
        throw InputError(
            "the walls leave no room for a single particle of the largest diameter in the region; "
            "choose another region");
    return sites;
}

std::vector<Vec3> lattice_positions(const Region& region, const GeneratorSettings& settings,
                                    const Lattice& lattice, const std::vector<std::int64_t>& sites,
                                    double volume, const Radii& radii, std::uint64_t seed,
                                    std::uint64_t first_id) {
    if (!radii.complete) {
        const double reached = radii.volume / volume;
        const std::string asked = settings.count > 0 ? fmt::format("{} particles", settings.count)
                                                     : fmt::format("a fraction of {:.4g}", settings.fraction);
        throw InputError(fmt::format(
            "{} do not fit: the region has {:.0f} lattice sites, which hold a fraction of {:.4g}; use fewer "
            "particles, a larger region or a smaller spacing (at least {:g}, the largest diameter)",
            asked, sites.empty() ? lattice.site_count() : static_cast<double>(sites.size()), reached,
            largest_diameter(settings.size)));
    }
    std::vector<Vec3> positions(radii.values.size());
    for (std::size_t k = 0; k < positions.size(); ++k) {
        positions[k] = lattice.site(sites.empty() ? static_cast<std::int64_t>(k) : sites[k]);
        Random random(seed, first_id + k, Purpose::position);
        for (int axis = 0; axis < region.dimension; ++axis)
            positions[k][axis] += lattice.largest_shift[axis] * random.uniform(-1, 1);
    }
    return positions;
}

Vec3 draw_velocity(const GeneratorSettings& settings, int dimension, std::uint64_t seed, std::uint64_t id) {
    Vec3 velocity = settings.velocity;
    Random random(seed, id, Purpose::velocity);
    for (int axis = 0; axis < dimension; ++axis)
        velocity[axis] += random.uniform(-settings.speed, settings.speed);
    return velocity;
}

} // namespace

} // namespace generators

std::vector<Grain> generate(const GeneratorSettings& settings, const Box& box, std::uint64_t seed,
                            std::uint64_t first_id, const FreeSpace& is_free) {
    using namespace generators;
    if (settings.kind == GeneratorKind::file)
        throw std::logic_error("generate: particles of a file are read, not generated");
    if (!(smallest_diameter(settings.size) > 0))
        throw InputError("the smallest diameter must be > 0");
    const Region region(settings, box);
    const bool is_random = settings.kind == GeneratorKind::random;
    if (is_random && settings.count <= 0 && !(settings.fraction > 0))
        throw InputError("how many particles? Give count or fraction");
    const double volume = region.volume() * region.free_share(is_free);
    if (volume == 0)
        throw InputError("the walls leave no room in the region; choose another region");
    const auto draw = [&](double limit) {
        return draw_radii(settings, volume, box.dimension, seed, first_id, limit);
    };
    std::vector<Vec3> positions;
    Radii radii;
    if (is_random) {
        radii = draw(2 * largest_particle_count);
        positions = random_positions(settings, region, radii.values, volume, seed, first_id, is_free);
    } else {
        const Lattice lattice(settings, region);
        const std::vector<std::int64_t> sites = free_sites(settings, lattice, is_free);
        radii = draw(sites.empty() ? lattice.site_count() : static_cast<double>(sites.size()));
        positions = lattice_positions(region, settings, lattice, sites, volume, radii, seed, first_id);
    }
    if (positions.empty())
        throw InputError("gives no particles at all; use a larger region, or smaller particles");

    std::vector<Grain> grains(positions.size());
    for (std::size_t k = 0; k < grains.size(); ++k) {
        Grain& grain = grains[k];
        grain.id = first_id + k;
        grain.position = box.wrapped(positions[k]);
        grain.radius = radii.values[k];
        grain.velocity = draw_velocity(settings, box.dimension, seed, grain.id);
        grain.material = settings.material;
    }
    return grains;
}

} // namespace tamp
