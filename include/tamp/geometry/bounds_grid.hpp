#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tamp/geometry/bounds.hpp"

namespace tamp {

/// Finds the boxes near a point: a uniform grid of cells, each with a list of the boxes that reach into it.
/// The memory is proportional to the number of boxes, however their sizes differ.
class BoundsGrid {
public:
    explicit BoundsGrid(std::vector<Bounds> boxes);

    /// Calls visit(number) once for every box that is within `reach` of the position. The order
    /// depends on the boxes only.
    template <class Visit>
    void each_near(const Vec3& position, double reach, Visit&& visit) const {
        if (boxes_.empty() || !all_.within(position, reach))
            return;
        const Vec3 margin{reach, reach, reach};
        const Int3 from = cell_of(position - margin), to = cell_of(position + margin);
        if (cells_in(from, to) >= static_cast<double>(boxes_.size())) { // fewer boxes than cells to look into
            for (std::size_t number = 0; number < boxes_.size(); ++number)
                if (boxes_[number].within(position, reach))
                    visit(static_cast<int>(number));
            return;
        }
        Int3 cell{};
        for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2])
            for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1])
                for (cell[0] = from[0]; cell[0] <= to[0]; ++cell[0])
                    for (const int number : list_of(cell)) {
                        const Bounds& box = boxes_[static_cast<std::size_t>(number)];
                        if (box.within(position, reach) && is_first_cell(cell, from, cell_of(box.lower)))
                            visit(number);
                    }
    }

private:
    /// A box is in the lists of many cells: only the first cell that it shares with the search counts.
    static bool is_first_cell(const Int3& cell, const Int3& search, const Int3& box) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (cell[axis] != std::max(search[axis], box[axis]))
                return false;
        return true;
    }

    static double cells_in(const Int3& from, const Int3& to) {
        double count = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            count *= to[axis] - from[axis] + 1;
        return count;
    }

    Int3 cell_of(const Vec3& position) const;
    std::size_t index_of(const Int3& cell) const;
    std::span<const int> list_of(const Int3& cell) const {
        const std::size_t index = index_of(cell);
        return std::span(numbers_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
    }
    void choose_cells();
    void fill_lists();

    std::vector<Bounds> boxes_;
    Bounds all_;
    double cells_per_length_ = 1; ///< 1/m
    Int3 cells_{1, 1, 1};
    std::vector<std::size_t> starts_; ///< of each cell's list in `numbers_`, and the end
    std::vector<int> numbers_;
};

} // namespace tamp
