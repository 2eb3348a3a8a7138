#include "tamp/geometry/bounds_grid.hpp"

#include <cmath>

namespace tamp {
namespace {

constexpr double largest_cells_per_box = 4;
constexpr double largest_entries_per_box = 16;

} // namespace

BoundsGrid::BoundsGrid(std::vector<Bounds> boxes) : boxes_(std::move(boxes)) {
    for (const Bounds& box : boxes_) {
        all_.include(box.lower);
        all_.include(box.upper);
    }
    choose_cells();
    fill_lists();
}

/// As large as the boxes are on average, so that a box is in a few cells and a cell has a few boxes; larger
/// if the lists would take too much memory, as for a few large boxes among many small ones.
void BoundsGrid::choose_cells() {
    if (boxes_.empty())
        return;
    double sum = 0;
    for (const Bounds& box : boxes_)
        sum += std::max({box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z});
    const auto count = static_cast<double>(boxes_.size());
    const Vec3 extent = all_.upper - all_.lower;
    const double longest = std::max({extent.x, extent.y, extent.z});
    double size = std::max(sum / count, longest * 1e-6);
    if (!(size > 0))
        size = 1; // all boxes are one point
    for (;; size *= 1.25) {
        cells_per_length_ = 1 / size;
        for (int axis = 0; axis < 3; ++axis)
            cells_[static_cast<std::size_t>(axis)] = 1 + static_cast<int>(extent[axis] * cells_per_length_);
        double entries = 0;
        for (const Bounds& box : boxes_)
            entries += cells_in(cell_of(box.lower), cell_of(box.upper));
        const double cells = cells_in({1, 1, 1}, cells_);
        if (cells <= largest_cells_per_box * count + 64 && entries <= largest_entries_per_box * count + 64)
            return;
    }
}

void BoundsGrid::fill_lists() {
    const auto each_entry = [&](auto&& add) {
        for (std::size_t number = 0; number < boxes_.size(); ++number) {
            const Int3 from = cell_of(boxes_[number].lower), to = cell_of(boxes_[number].upper);
            Int3 cell{};
            for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2])
                for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1])
                    for (cell[0] = from[0]; cell[0] <= to[0]; ++cell[0])
                        add(index_of(cell), static_cast<int>(number));
        }
    };
    starts_.assign(static_cast<std::size_t>(cells_in({1, 1, 1}, cells_)) + 1, 0);
    each_entry([&](std::size_t cell, int) { ++starts_[cell + 1]; });
    for (std::size_t cell = 1; cell < starts_.size(); ++cell)
        starts_[cell] += starts_[cell - 1];
    numbers_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    each_entry([&](std::size_t cell, int number) { numbers_[next[cell]++] = number; });
}

/// Positions outside count for the nearest cell. Larger coordinates never have smaller cells, which is why a
/// search finds every box.
Int3 BoundsGrid::cell_of(const Vec3& position) const {
    Int3 cell{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double place = std::floor((position[axis] - all_.lower[axis]) * cells_per_length_);
        cell[k] = static_cast<int>(std::clamp(place, 0.0, static_cast<double>(cells_[k] - 1)));
    }
    return cell;
}

std::size_t BoundsGrid::index_of(const Int3& cell) const {
    const auto row = static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(cells_[1]) +
                     static_cast<std::size_t>(cell[1]);
    return row * static_cast<std::size_t>(cells_[0]) + static_cast<std::size_t>(cell[0]);
}

} // namespace tamp
