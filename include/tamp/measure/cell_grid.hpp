#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "tamp/boundaries/region.hpp"
#include "tamp/geometry/box.hpp"
#include "tamp/measure/fields.hpp"

namespace tamp {

/// Shares of a particle below a plane at u from its centre, in units of the half width of what is cut.
namespace shares_below {
inline double sphere(double u) {
    u = std::clamp(u, -1.0, 1.0);
    return 0.25 * (2 + u * (3 - u * u));
}
inline double disc(double u) {
    u = std::clamp(u, -1.0, 1.0);
    return 0.5 + (u * std::sqrt(1 - u * u) + std::asin(u)) / std::numbers::pi;
}
/// Of the density 1 - |u|.
inline double tent(double u) {
    u = std::clamp(u, -1.0, 1.0);
    return u < 0 ? 0.5 * (1 + u) * (1 + u) : 1 - 0.5 * (1 - u) * (1 - u);
}
} // namespace shares_below

/// The region cut into equal cells, that knows what lies in which of them. Along periodic directions cells
/// repeat; along others the outermost cells take whatever lies beyond, so that nothing is ever lost.
class CellGrid {
public:
    CellGrid(const Box& box, const Region& region, Int3 cells);

    std::size_t count() const {
        return static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
               static_cast<std::size_t>(cells_[2]);
    }
    /// Area in two dimensions.
    double cell_volume() const { return region_.volume() / static_cast<double>(count()); }
    FieldGrid field_grid() const { return {region_.lower, region_.upper, cells_}; }
    /// Middle of the cells along an axis.
    std::vector<double> centres(int axis) const;

    std::size_t index(Int3 cell) const {
        return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(cells_[1]) +
                static_cast<std::size_t>(cell[1])) *
                   static_cast<std::size_t>(cells_[0]) +
               static_cast<std::size_t>(cell[0]);
    }
    int cell_along(int axis, double position) const { return inside(axis, layer(axis, position)); }

    /// Spreads something of the half width `reach` about `centre` over the cells along an axis, and calls
    /// `take(cell, share)` for each; shares add up to one. `below(u)`: see shares_below.
    template <class Below, class Take>
    void spread(int axis, double centre, double reach, Below&& below, Take&& take) const {
        const int first = layer(axis, centre - reach), last = layer(axis, centre + reach);
        double lower = 0;
        for (int k = first; k <= last; ++k) {
            const double upper = k == last ? 1.0 : below((plane(axis, k + 1) - centre) / reach);
            if (upper > lower)
                take(inside(axis, k), upper - lower);
            lower = upper;
        }
    }

    /// Cuts the way from `from` to `to` at the faces of the cells; `take(cell index, share of the way)`.
    /// Shares add up to one.
    template <class Take>
    void cut(const Vec3& from, const Vec3& to, Take&& take) const {
        std::array<double, 32> few;
        std::vector<double> many; // ways of very many cells only
        std::size_t count = 0;
        for (int axis = 0; axis < dimension_; ++axis) {
            const int a = layer(axis, from[axis]), b = layer(axis, to[axis]);
            for (int k = std::min(a, b) + 1; k <= std::max(a, b); ++k) {
                const double at =
                    std::clamp((plane(axis, k) - from[axis]) / (to[axis] - from[axis]), 0.0, 1.0);
                if (count < few.size())
                    few[count++] = at;
                else
                    many.push_back(at);
            }
        }
        if (!many.empty())
            many.insert(many.end(), few.begin(), few.end());
        const std::span<double> cuts = many.empty() ? std::span(few).first(count) : std::span(many);
        std::sort(cuts.begin(), cuts.end());
        double last = 0;
        for (std::size_t c = 0; c <= cuts.size(); ++c) {
            const double next = c < cuts.size() ? cuts[c] : 1.0;
            if (next > last || cuts.empty()) {
                const Vec3 middle = from + (to - from) * (0.5 * (last + next));
                take(index({cell_along(0, middle.x), cell_along(1, middle.y), cell_along(2, middle.z)}),
                     next - last);
            }
            last = next;
        }
    }

private:
    /// Cells counted on beyond the grid, along periodic directions only.
    int layer(int axis, double position) const {
        const double k = std::floor((position - region_.lower[axis]) * per_edge_[axis]);
        const auto a = static_cast<std::size_t>(axis);
        if (!periodic_[a])
            return k > 0 ? static_cast<int>(std::min(k, static_cast<double>(cells_[a] - 1))) : 0;
        return std::abs(k) < 1e9 ? static_cast<int>(k) : 0; // NaN is put first
    }
    int inside(int axis, int k) const {
        const int cells = cells_[static_cast<std::size_t>(axis)];
        return k >= 0 && k < cells ? k : (k % cells + cells) % cells;
    }
    double plane(int axis, int k) const { return region_.lower[axis] + k * edge_[axis]; }

    Region region_;
    Int3 cells_;
    std::array<bool, 3> periodic_{false, false, false};
    int dimension_;
    Vec3 edge_{1, 1, 1}, per_edge_{0, 0, 0};
};

} // namespace tamp
