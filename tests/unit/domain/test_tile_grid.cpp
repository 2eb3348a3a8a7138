#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "../../parallel/cloud.hpp"
#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

constexpr double least_edge = 1.0;

/// Random grids, among them many with two tiles along a periodic side, and with one along others.
TileGrid random_grid(std::uint64_t number) {
    Random random(1, number, Purpose::test);
    const Box box = test::random_box(random, 2.0, number % 2 ? 3.9 : 12.0);
    return TileGrid(box, random.uniform(0.2, 3), least_edge);
}

template <class F>
void each_random_grid(F&& check) {
    for (std::uint64_t number = 0; number < 150; ++number) {
        SCOPED_TRACE(number);
        check(random_grid(number), number);
    }
}

TEST(TileGrid, NumbersAreABijection) {
    each_random_grid([](const TileGrid& grid, std::uint64_t) {
        const Int3 size = grid.size();
        ASSERT_EQ(grid.count(), size[0] * size[1] * size[2]);
        for (int number = 0; number < grid.count(); ++number)
            EXPECT_EQ(grid.number(grid.tile(number)), number);
        EXPECT_TRUE(grid.box().dimension == 3 || size[2] == 1);
    });
}

TEST(TileGrid, IsEvenAlongPeriodicSidesAndNeverFinerThanTheLeastEdge) {
    each_random_grid([](const TileGrid& grid, std::uint64_t) {
        for (int axis = 0; axis < grid.box().dimension; ++axis) {
            const int count = grid.size()[static_cast<std::size_t>(axis)];
            EXPECT_TRUE(!grid.box().periodic(axis) || count % 2 == 0) << count;
            EXPECT_GE(count, grid.box().periodic(axis) ? 2 : 1);
            EXPECT_TRUE(count == 1 || grid.box().length(axis) / count >= least_edge);
        }
        EXPECT_GE(grid.shortest_edge(), least_edge);
    });
}

TEST(TileGrid, PutsEveryPositionIntoTheTileThatContainsIt) {
    each_random_grid([](TileGrid grid, std::uint64_t number) {
        Random random(2, number, Purpose::test);
        const Box& box = grid.box();
        grid.set_cells(random.uniform(0.2, 1.0));
        for (int i = 0; i < 200; ++i) {
            const Vec3 position = test::random_position(random, box);
            const Int3 tile = grid.tile_of(position);
            const Int3 cell = grid.cell_coordinates(grid.cell_of(position, tile));
            for (int axis = 0; axis < box.dimension; ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                const double edge = box.length(axis) / grid.size()[a], room = 1e-12;
                const double inside = position[axis] - box.lower[axis] - tile[a] * edge;
                EXPECT_GE(inside, -room);
                EXPECT_LE(inside, edge + room);
                EXPECT_GE(inside, cell[a] * edge / grid.cells()[a] - room);
                EXPECT_LE(inside, (cell[a] + 1) * edge / grid.cells()[a] + room);
            }
        }
    });
}

TEST(TileGrid, CellsAreAtLeastTheCutOffWhereThereAreSeveral) {
    each_random_grid([](TileGrid grid, std::uint64_t number) {
        Random random(3, number, Purpose::test);
        const double cut_off = random.uniform(0.1, 1.0);
        grid.set_cells(cut_off);
        const Int3 cells = grid.cells();
        EXPECT_EQ(grid.cell_count(), cells[0] * cells[1] * cells[2]);
        for (int axis = 0; axis < grid.box().dimension; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            EXPECT_GE(grid.box().length(axis) / grid.size()[a] / cells[a], cut_off * (1 - 1e-12));
        }
    });
}

TEST(TileGrid, FacesAndWhatLiesPastThemBelongToTheLastTile) {
    const Box box{.lower = {-1, 0, 2},
                  .upper = {5, 6, 8},
                  .boundary = {Boundary::wall, Boundary::open, Boundary::wall}};
    const TileGrid grid(box, 2, 1);
    ASSERT_EQ(grid.size(), (Int3{3, 3, 3}));
    EXPECT_EQ(grid.tile_of(box.lower), (Int3{0, 0, 0}));
    EXPECT_EQ(grid.tile_of(box.upper), (Int3{2, 2, 2}));
    EXPECT_EQ(grid.tile_of({-9, 99, 1e300}), (Int3{0, 2, 2}));
    EXPECT_EQ(grid.tile_of({1, 2, 4}), (Int3{1, 1, 1})) << "a face belongs to the tile behind it";

    EXPECT_FALSE(grid.outside({-1.5, 3, 9})) << "pressed a bit into walls";
    EXPECT_TRUE(grid.outside({-7.1, 3, 3})) << "a box length past a wall";
    EXPECT_TRUE(grid.outside({0, 6.001, 3})) << "out of an open side";
}

/// From a tile to its neighbour and back, with opposite shifts; the shifted neighbour is where the offset
/// points.
TEST(TileGrid, NeighboursAreMutual) {
    each_random_grid([](const TileGrid& grid, std::uint64_t) {
        const Box& box = grid.box();
        for (int number = 0; number < grid.count(); ++number)
            for (int k = 0; k < 27; ++k) {
                const Int3 tile = grid.tile(number), offset{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                Int3 next{}, back{};
                Vec3 shift{}, shift_back{};
                const bool exists = grid.neighbour(tile, offset, next, shift);
                bool expected = true;
                for (std::size_t a = 0; a < 3; ++a) {
                    const int place = tile[a] + offset[a];
                    expected = expected &&
                               (box.periodic(static_cast<int>(a)) || (place >= 0 && place < grid.size()[a]));
                }
                ASSERT_EQ(exists, expected);
                if (!exists)
                    continue;
                ASSERT_TRUE(grid.neighbour(next, {-offset[0], -offset[1], -offset[2]}, back, shift_back));
                EXPECT_EQ(back, tile);
                EXPECT_EQ(shift_back, -shift);
                for (int axis = 0; axis < box.dimension; ++axis) {
                    const auto a = static_cast<std::size_t>(axis);
                    const double edge = box.length(axis) / grid.size()[a];
                    EXPECT_NEAR(next[a] * edge + shift[axis], (tile[a] + offset[a]) * edge, 1e-12);
                }
            }
    });
}

/// What lets a phase run in parallel: two tiles of equal parity write to no common tile.
TEST(TileGrid, ForwardBlocksOfEqualParityShareNoTile) {
    each_random_grid([](const TileGrid& grid, std::uint64_t) {
        std::vector<std::set<int>> written(static_cast<std::size_t>(grid.phases()));
        for (int number = 0; number < grid.count(); ++number) {
            const Int3 tile = grid.tile(number);
            const auto parity = static_cast<std::size_t>(grid.parity(tile));
            ASSERT_LT(parity, written.size());
            for (int corner = 0; corner < grid.phases(); ++corner) {
                Int3 next{};
                Vec3 shift{};
                if (grid.neighbour(tile, {corner & 1, corner >> 1 & 1, corner >> 2 & 1}, next, shift)) {
                    EXPECT_TRUE(written[parity].insert(grid.number(next)).second)
                        << "two tiles of parity " << parity << " reach tile " << grid.number(next);
                }
            }
        }
    });
}

TEST(TileGrid, RefusesAPeriodicSideThatIsTooShort) {
    const Box box{.upper = {1.9, 5, 5}, .boundary = {Boundary::periodic, Boundary::wall, Boundary::wall}};
    EXPECT_THROW(TileGrid(box, 1, 1), InputError);
    EXPECT_EQ(TileGrid(box, 0.1, 0.95).size()[0], 2);
}

/// A box that is much larger than its particles costs what they cost, not what it has room for.
TEST(TileGrid, LimitsHoldInAnEmptyBox) {
    for (const Boundary boundary : {Boundary::wall, Boundary::periodic})
        for (const double length : {300.0, 3e4, 3e12}) {
            const Box box{.upper = {length, 300, length},
                          .boundary = {boundary, Boundary::periodic, boundary}};
            const GridLimits limits = grid_limits(10);
            TileGrid grid(box, 0.08, 0.011, limits);
            EXPECT_LE(grid.count(), limits.tiles);
            EXPECT_GT(grid.count(), limits.tiles / 16) << "no coarser than needed";
            EXPECT_EQ(grid.size()[1] % 2, 0);
            EXPECT_GE(grid.shortest_edge(), 0.011);
            grid.set_cells(0.0105);
            const std::int64_t cells = std::int64_t{grid.cell_count()} * grid.count();
            EXPECT_LE(cells, limits.cells);
            EXPECT_GT(cells, limits.cells / 32);
            EXPECT_EQ(grid.tile_of(box.upper)[0], grid.size()[0] - 1);
        }
}

/// Bits depend on tiles and cells: limits must not touch what was affordable before there were any.
TEST(TileGrid, LimitsLeavePackingsAndThinGasesAlone) {
    for (const int dimension : {2, 3})
        for (const std::int64_t particles : {10, 1000, 100'000, 1'000'000})
            for (const double fraction : {0.02, 0.1, 0.6}) {
                const double volume = grain_volume(0.5, dimension);
                const double length =
                    std::pow(static_cast<double>(particles) * volume / fraction, 1.0 / dimension);
                const Box box{.upper = {length, length, dimension == 3 ? length : 0}, .dimension = dimension};
                const double edge = suitable_tile_edge(particles, volume, dimension);
                TileGrid free(box, edge, 1.1), limited(box, edge, 1.1, grid_limits(particles));
                EXPECT_EQ(limited.size(), free.size());
                free.set_cells(1.0);
                limited.set_cells(1.0);
                EXPECT_EQ(limited.cells(), free.cells());
            }
}

TEST(TileGrid, SuitableEdgeHoldsTheParticlesThatItPromises) {
    for (const int dimension : {2, 3})
        for (const double volume : {1e-12, 0.5}) {
            const double small = suitable_tile_edge(10, volume, dimension);
            const double large = suitable_tile_edge(100'000'000, volume, dimension);
            const double dense = dimension == 3 ? 0.6 : 0.8;
            EXPECT_NEAR(std::pow(small, dimension) * dense / volume, 64, 1e-9);
            EXPECT_NEAR(std::pow(large, dimension) * dense / volume, 512, 1e-9);
        }
}

} // namespace
} // namespace tamp
