#include "tamp/measure/cell_grid.hpp"

namespace tamp {

CellGrid::CellGrid(const Box& box, const Region& region, Int3 cells)
    : region_(region), cells_(cells), dimension_(box.dimension) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (axis >= dimension_) {
            cells_[a] = 1;
            continue;
        }
        // Not between walls across a periodic direction: there nothing repeats after the region's length.
        periodic_[a] = box.periodic(axis) && region.lower[axis] == box.lower[axis] &&
                       region.upper[axis] == box.upper[axis];
        cells_[a] = std::max(1, cells_[a]);
        edge_[axis] = region_.length(axis) / cells_[a];
        per_edge_[axis] = edge_[axis] > 0 ? 1 / edge_[axis] : 0.0;
    }
}

std::vector<double> CellGrid::centres(int axis) const {
    std::vector<double> result;
    for (int k = 0; k < cells_[static_cast<std::size_t>(axis)]; ++k)
        result.push_back(region_.lower[axis] + (k + 0.5) * edge_[axis]);
    return result;
}

} // namespace tamp
