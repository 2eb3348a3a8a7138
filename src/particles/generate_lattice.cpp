#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "generate_parts.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/particles/size_distribution.hpp"

namespace tamp::generators {

// Every site owns a cell of one spacing and its particle stays in there, however far it is shifted: hence
// neither overlaps nor particles outside of the region.
Lattice::Lattice(const GeneratorSettings& settings, const Region& region) {
    const double largest = largest_diameter(settings.size);
    const double wanted = settings.spacing > 0 ? settings.spacing : 1.02 * largest;
    if (wanted < largest)
        throw InputError(
            fmt::format("spacing = {:g} makes particles overlap; use at least the largest diameter, {:g}",
                        wanted, largest));
    for (int axis = 0; axis < region.dimension; ++axis) {
        const double length = region.length(axis);
        if (length < largest * (1 - 1e-12)) // 0.3 - 0.2 is less than 0.1
            throw InputError(
                fmt::format("the region is {:g} wide along {}, less than the largest diameter, {:g}; use a "
                            "wider region or smaller particles",
                            length, "xyz"[axis], largest));
        // The tolerance is for a length that is a whole number of spacings but for rounding. A region that is
        // a little too narrow for one spacing still takes one layer.
        const double count = std::max(1.0, std::floor(length / wanted * (1 + 1e-14)));
        if (count > 1e9)
            throw InputError(
                fmt::format("the region has {:.3g} lattice sites along {}; use a larger spacing or a "
                            "smaller region",
                            count, "xyz"[axis]));
        const bool stretched = region.wraps_along(axis) || count == 1;
        counts[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(count);
        spacing[axis] = stretched ? length / count : wanted;
        first[axis] = region.lower[axis] + spacing[axis] / 2;
        largest_shift[axis] = settings.jitter * std::max(0.0, (spacing[axis] - largest) / 2);
    }
}

double Lattice::site_count() const {
    return static_cast<double>(counts[0]) * static_cast<double>(counts[1]) * static_cast<double>(counts[2]);
}

Vec3 Lattice::site(std::int64_t index) const {
    const std::int64_t row = index / counts[0], layer = row / counts[1];
    return {first.x + spacing.x * static_cast<double>(index % counts[0]),
            first.y + spacing.y * static_cast<double>(row % counts[1]),
            first.z + spacing.z * static_cast<double>(layer)};
}

} // namespace tamp::generators
