#pragma once

#include "scaling_model/sweep_count.hpp"

namespace tamp::test {

/// Eight touching spheres in a row, two in each of four tiles of one cell: small enough to count by hand.
///
///     sphere  0 1 | 2 3 | 4 5 | 6 7
///     tile     0     1     2     3
///
/// A tile owns the pairs inside it and the one across its upper face, hence two (the last tile one), which
/// share a sphere: as many batches. On two ranks, the second one owns tiles 2 and 3, and the first holds
/// copies of spheres 4 and 5. Tiles 0 and 2 belong to phase 0, tiles 1 and 3 to phase 1.
inline CountedPacking chain() {
    static const std::vector<Grain> grains = [] {
        std::vector<Grain> row;
        for (int i = 0; i < 8; ++i)
            row.push_back(
                {.id = static_cast<std::uint64_t>(i), .position = {i + 0.5, 0.5, 0.5}, .radius = 0.5});
        return row;
    }();
    TileGrid grid(Box{.upper = {8, 1, 1}}, 2, 1.1);
    grid.set_cells(1.1);
    return {grid, MaterialTable({{"glass", 2500, 0.3}}), {}, 0.1, 0.01, particles_by_tile(grid, grains)};
}

/// On two ranks, by hand.
inline SweepLoad chain_on_two_ranks() {
    SweepLoad load(2, RankLoad(8));
    load[0][0] = {0, 2, {}};       // pairs 0-1 and 1-2; only the first rank holds these spheres
    load[1][0] = {2, 0, {{0, 2}}}; // pairs 4-5 and 5-6; 4 and 5 have copies
    load[0][1] = {2, 0, {{1, 1}}}; // pairs 2-3 and 3-4; 4 goes back to its owner
    load[1][1] = {0, 1, {}};       // pair 6-7
    return load;
}

} // namespace tamp::test
