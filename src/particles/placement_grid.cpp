#include "placement_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamp::generators {

namespace {

/// Which slices of the three directions make a cell.
struct Visit {
    std::uint8_t x, y, z;
};

/// The 27 cells, those first in which an overlap is most likely: of many tries in a row nearly all fail, and
/// the sooner the better.
constexpr std::array<Visit, 27> visits = [] {
    std::array<Visit, 27> order{};
    std::size_t count = 0;
    for (int rank = 0; rank <= 12; ++rank)
        for (std::uint8_t z = 0; z < 3; ++z)
            for (std::uint8_t y = 0; y < 3; ++y)
                for (std::uint8_t x = 0; x < 3; ++x)
                    if (x * x + y * y + z * z == rank)
                        order[count++] = {x, y, z};
    return order;
}();

} // namespace

PlacementGrid::PlacementGrid(const Region& region, double smallest_diameter, double largest_diameter,
                             std::size_t particle_count)
    : smallest_radius_(smallest_diameter / 2), largest_radius_(largest_diameter / 2) {
    // A few particles in a wide region do not need cells as narrow as they are.
    const double largest_cell_count = 4.0 * static_cast<double>(particle_count) + 64;
    const int part_bits = region.dimension == 3 ? 2 : 3; // 4^3 = 8^2 = 64
    double cell_count;
    double edge = largest_diameter;
    do {
        cell_count = 1;
        for (int axis = 0; axis < region.dimension; ++axis) {
            const double length = region.length(axis);
            const double count = std::clamp(std::floor(length / edge), 1.0, 1e9);
            axes_[static_cast<std::size_t>(axis)] = {.lower = region.lower[axis],
                                                     .length = length,
                                                     .edge = length / count,
                                                     .count = static_cast<std::int64_t>(count),
                                                     .part_bits = part_bits,
                                                     .parts_per_length =
                                                         std::ldexp(count / length, part_bits),
                                                     .wraps = region.wraps_along(axis),
                                                     .used = true};
            cell_count *= count;
        }
        edge *= 1.25;
    } while (cell_count > largest_cell_count);
    first_in_cell_.assign(static_cast<std::size_t>(cell_count), nothing);
    blocked_parts_.assign(first_in_cell_.size(), 0);
    placed_.reserve(particle_count);
}

std::int64_t PlacementGrid::Axis::cell(double coordinate) const { return part(coordinate) >> part_bits; }

std::int64_t PlacementGrid::Axis::part(double coordinate) const {
    const auto part = static_cast<std::int64_t>((coordinate - lower) * parts_per_length);
    return std::clamp<std::int64_t>(part, 0, (count << part_bits) - 1);
}

PlacementGrid::Slices PlacementGrid::Axis::slices(double coordinate) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    Slices slices{{{0, 0, 0}, {0, 0, never}, {0, 0, never}}};
    if (!used)
        return slices;
    const std::int64_t own = cell(coordinate);
    slices[0].cell = own;
    const double above_lower_face = coordinate - (lower + static_cast<double>(own) * edge);
    const bool lower_is_nearer = above_lower_face < edge / 2;
    for (const int side : {-1, 1}) {
        std::int64_t neighbour = own + side;
        double shift = 0;
        if (neighbour < 0 || neighbour >= count) {
            if (!wraps)
                continue;
            shift = side * length;
            neighbour -= side * count;
        }
        const double distance = std::max(0.0, side < 0 ? above_lower_face : edge - above_lower_face);
        slices[(side < 0) == lower_is_nearer ? 1 : 2] = {neighbour, shift, distance * distance};
    }
    return slices;
}

std::vector<PlacementGrid::CoveredPart> PlacementGrid::Axis::covered_parts(double coordinate,
                                                                           double reach) const {
    if (!used)
        return {{0, 0.0}};
    std::vector<CoveredPart> parts;
    const double width = std::ldexp(edge, -part_bits);
    const std::int64_t total = count << part_bits;
    const auto first = static_cast<std::int64_t>(std::floor((coordinate - reach - lower) / width));
    const auto last = static_cast<std::int64_t>(std::floor((coordinate + reach - lower) / width));
    for (std::int64_t part = first; part <= last; ++part) {
        const double from = lower + static_cast<double>(part) * width;
        const double distance = std::max(coordinate - from, from + width - coordinate);
        const bool outside = part < 0 || part >= total;
        if (distance > reach || (outside && !wraps))
            continue;
        // The reach is no longer than the box: one turn brings any part that is within it back inside.
        parts.push_back({outside ? part - total * (part < 0 ? -1 : 1) : part, distance * distance});
    }
    return parts;
}

std::size_t PlacementGrid::cell_index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * axes_[1].count + y) * axes_[0].count + x);
}

std::uint64_t PlacementGrid::part_bit(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto within = [&](std::size_t axis, std::int64_t part) {
        return part & ((1 << axes_[axis].part_bits) - 1);
    };
    return std::uint64_t{1} << (((within(2, z) << axes_[1].part_bits | within(1, y)) << axes_[0].part_bits) |
                                within(0, x));
}

void PlacementGrid::block_parts(const Vec3& position, double reach) {
    const double reach_squared = reach * reach * (1 - 1e-12); // rounding must not block a place that is free
    const std::vector<CoveredPart> along_x = axes_[0].covered_parts(position.x, reach);
    const std::vector<CoveredPart> along_y = axes_[1].covered_parts(position.y, reach);
    for (const CoveredPart& z : axes_[2].covered_parts(position.z, reach))
        for (const CoveredPart& y : along_y)
            for (const CoveredPart& x : along_x)
                if (x.distance_squared + y.distance_squared + z.distance_squared < reach_squared)
                    blocked_parts_[cell_index(x.part >> axes_[0].part_bits, y.part >> axes_[1].part_bits,
                                              z.part >> axes_[2].part_bits)] |=
                        part_bit(x.part, y.part, z.part);
}

bool PlacementGrid::overlaps(std::size_t cell, const Vec3& position, double radius) const {
    for (std::uint32_t k = first_in_cell_[cell]; k != nothing; k = placed_[k].next) {
        const Vec3 difference = placed_[k].position - position;
        const double distance = static_cast<double>(placed_[k].radius) + radius;
        if (dot(difference, difference) < distance * distance)
            return true;
    }
    return false;
}

void PlacementGrid::prefetch(const Vec3& position) const {
    __builtin_prefetch(&blocked_parts_[cell_index(axes_[0].cell(position.x), axes_[1].cell(position.y),
                                                  axes_[2].cell(position.z))]);
}

bool PlacementGrid::is_free(const Vec3& position, double radius) const {
    const std::int64_t part_x = axes_[0].part(position.x), part_y = axes_[1].part(position.y),
                       part_z = axes_[2].part(position.z);
    const std::size_t own_cell =
        cell_index(part_x >> axes_[0].part_bits, part_y >> axes_[1].part_bits, part_z >> axes_[2].part_bits);
    if ((blocked_parts_[own_cell] & part_bit(part_x, part_y, part_z)) != 0)
        return false;
    const std::array<Slices, 3> slices{axes_[0].slices(position.x), axes_[1].slices(position.y),
                                       axes_[2].slices(position.z)};
    const double reach = (radius + largest_radius_) * (1 + 1e-12); // rounding must not hide a neighbour
    for (const Visit& visit : visits) {
        const Slice &x = slices[0][visit.x], &y = slices[1][visit.y], &z = slices[2][visit.z];
        if (x.distance_squared + y.distance_squared + z.distance_squared > reach * reach)
            continue;
        const Vec3 seen_from_there = position - Vec3{x.shift, y.shift, z.shift};
        if (overlaps(cell_index(x.cell, y.cell, z.cell), seen_from_there, radius))
            return false;
    }
    return true;
}

void PlacementGrid::insert(const Vec3& position, double radius) {
    std::uint32_t& first = first_in_cell_[cell_index(axes_[0].cell(position.x), axes_[1].cell(position.y),
                                                     axes_[2].cell(position.z))];
    const float rounded_up =
        std::nextafter(static_cast<float>(radius), std::numeric_limits<float>::infinity());
    placed_.push_back({position, rounded_up, first});
    first = static_cast<std::uint32_t>(placed_.size() - 1);
    block_parts(position, radius + smallest_radius_);
}

} // namespace tamp::generators
