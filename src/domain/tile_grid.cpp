#include "tamp/domain/tile_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "tamp/base/errors.hpp"
#include "tamp/domain/hilbert.hpp"

namespace tamp {

double suitable_tile_edge(std::int64_t particles, double mean_volume, int dimension) {
    const double a_tile = std::clamp(static_cast<double>(particles) / 100.0, 64.0, 512.0);
    const double dense_fraction = dimension == 3 ? 0.6 : 0.8;
    return std::pow(a_tile * mean_volume / dense_fraction, 1.0 / dimension);
}

GridLimits grid_limits(std::int64_t particles) {
    return {.tiles = std::max(std::int64_t{1} << 14, 4 * particles),
            .cells = std::max(std::int64_t{1} << 18, 100 * particles)};
}

namespace {

/// Tiles of about this edge along one side of the box.
int tiles_along(const Box& box, int axis, double edge, double least_edge) {
    constexpr double largest_count = 1 << 30; // a multiple of two that integers hold
    const double length = box.length(axis);
    const int most =
        std::max(1, static_cast<int>(std::min(length / least_edge * (1 + 1e-12), largest_count)));
    const double wanted = std::min(length / edge, largest_count);
    if (!box.periodic(axis))
        return std::clamp(static_cast<int>(std::lround(wanted)), 1, most);
    const int count = std::max(2, std::min(2 * static_cast<int>(std::lround(0.5 * wanted)), most / 2 * 2));
    if (length / count < least_edge * (1 - 1e-9))
        throw InputError("the periodic box is too short for its particles: a periodic side must be at least "
                         "twice the largest diameter plus the skin");
    return count;
}

} // namespace

TileGrid::TileGrid(const Box& box, double wanted_edge, double least_edge, const GridLimits& limits)
    : box_(box), limits_(limits) {
    double count = 0;
    for (double edge = std::max(wanted_edge, least_edge); count == 0 || count > tile_limit(); edge *= 1.25) {
        count = 1;
        for (int axis = 0; axis < box.dimension; ++axis) {
            const int along = tiles_along(box, axis, edge, least_edge);
            size_[static_cast<std::size_t>(axis)] = along;
            edge_[axis] = box.length(axis) / along;
            count *= along;
        }
    }
    const int most = std::max({size_[0], size_[1], size_[2]});
    const int bits = std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(most - 1))));
    std::vector<std::pair<std::uint64_t, Int3>> keys;
    for (int z = 0; z < size_[2]; ++z)
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x)
                keys.emplace_back(hilbert_index({x, y, z}, box.dimension, bits), Int3{x, y, z});
    std::sort(keys.begin(), keys.end());
    number_.resize(keys.size());
    for (const auto& [key, tile] : keys) {
        number_[linear(tile)] = static_cast<int>(order_.size());
        order_.push_back(tile);
    }
}

double TileGrid::shortest_edge() const {
    double shortest = std::numeric_limits<double>::max();
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (size_[static_cast<std::size_t>(axis)] > 1)
            shortest = std::min(shortest, edge_[axis]);
    return shortest;
}

Int3 TileGrid::tile_of(const Vec3& position) const {
    Int3 tile{0, 0, 0};
    for (int axis = 0; axis < box_.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const double scaled = std::floor((position[axis] - box_.lower[axis]) / edge_[axis]);
        tile[a] = static_cast<int>(std::clamp(scaled, 0.0, static_cast<double>(size_[a] - 1)));
    }
    return tile;
}

bool TileGrid::neighbour(Int3 tile, Int3 offset, Int3& result, Vec3& shift) const {
    shift = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        result[a] = tile[a] + offset[a];
        if (result[a] >= 0 && result[a] < size_[a])
            continue;
        if (axis >= box_.dimension || !box_.periodic(axis))
            return false;
        shift[axis] = result[a] < 0 ? -box_.length(axis) : box_.length(axis);
        result[a] += result[a] < 0 ? size_[a] : -size_[a];
    }
    return true;
}

void TileGrid::set_cells(double cut_off) {
    double count = 0;
    for (double edge = cut_off; count == 0 || count > cell_limit(); edge *= 1.25) {
        count = static_cast<double>(order_.size());
        for (int axis = 0; axis < box_.dimension; ++axis) {
            const int along = std::max(1, static_cast<int>(std::min(edge_[axis] / edge, cell_limit())));
            cells_[static_cast<std::size_t>(axis)] = along;
            count *= along;
        }
    }
}

int TileGrid::cell_of(const Vec3& position, Int3 tile) const {
    int cell = 0;
    for (int axis = box_.dimension - 1; axis >= 0; --axis) {
        const auto a = static_cast<std::size_t>(axis);
        const double inside = position[axis] - (box_.lower[axis] + tile[a] * edge_[axis]);
        const double scaled = std::floor(inside / edge_[axis] * cells_[a]);
        cell =
            cell * cells_[a] + static_cast<int>(std::clamp(scaled, 0.0, static_cast<double>(cells_[a] - 1)));
    }
    return cell;
}

bool TileGrid::outside(const Vec3& position) const {
    for (int axis = 0; axis < box_.dimension; ++axis)
        if (!box_.periodic(axis)) {
            // A wall may have been driven outwards; but nobody gets a box length past it and comes back.
            const bool walled = box_.boundary[static_cast<std::size_t>(axis)] == Boundary::wall;
            const double slack = walled ? box_.length(axis) : 0.0;
            if (!(position[axis] >= box_.lower[axis] - slack && position[axis] <= box_.upper[axis] + slack))
                return true;
        }
    return false;
}

} // namespace tamp
