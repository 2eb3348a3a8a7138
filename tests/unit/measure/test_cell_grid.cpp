#include <numbers>

#include "made_up.hpp"
#include "tamp/measure/cell_grid.hpp"
#include "tamp/measure/coarse_grain.hpp"

namespace tamp {
namespace {

using namespace made_up;

TEST(SharesBelow, AreTheClosedForms) {
    for (const auto below : {shares_below::sphere, shares_below::disc, shares_below::tent}) {
        EXPECT_EQ(below(-1), 0);
        EXPECT_EQ(below(0), 0.5);
        EXPECT_EQ(below(1), 1);
        EXPECT_EQ(below(-7), 0);
        EXPECT_EQ(below(7), 1);
    }
    // A cap of height h: pi h^2 (3 r - h)/3 of the sphere; a segment of half angle a: a - sin a cos a.
    EXPECT_NEAR(shares_below::sphere(-0.5), (0.25 * 2.5 / 3) / (4.0 / 3), 1e-15);
    EXPECT_NEAR(shares_below::disc(-0.5), (std::numbers::pi / 3 - 0.25 * std::sqrt(3.0)) / std::numbers::pi,
                1e-15);
    EXPECT_NEAR(shares_below::tent(-0.5), 0.125, 1e-15);
}

/// Their slopes are the cuts of a sphere, of a disc, and the tent.
TEST(SharesBelow, GrowAsTheCutIsLarge) {
    const double h = 1e-5;
    for (double u = -0.95; u < 1; u += 0.1) {
        const auto slope = [&](auto below) { return (below(u + h) - below(u - h)) / (2 * h); };
        EXPECT_NEAR(slope(shares_below::sphere), 0.75 * (1 - u * u), 1e-9);
        EXPECT_NEAR(slope(shares_below::disc), 2 * std::sqrt(1 - u * u) / std::numbers::pi, 1e-7);
        EXPECT_NEAR(slope(shares_below::tent), 1 - std::abs(u), 1e-5);
    }
}

TEST(CellGrid, SphereAcrossThreeSlabsAndAPeriodicFace) {
    const Box box{.upper = {9, 9, 6}, .boundary = {Boundary::open, Boundary::open, Boundary::periodic}};
    const CellGrid grid(box, region_of(box, {}), {1, 1, 6});
    std::vector<double> part(6, 0.0);
    grid.spread(2, 0.5, 1.0, shares_below::sphere,
                [&](int cell, double share) { part[static_cast<std::size_t>(cell)] += share; });
    const double cap = 0.25 * 2.5 / 3 / (4.0 / 3); // of height 1/2
    EXPECT_NEAR(part[5], cap, 1e-15);
    EXPECT_NEAR(part[0], 1 - 2 * cap, 1e-15);
    EXPECT_NEAR(part[1], cap, 1e-15);
    EXPECT_EQ(part[2] + part[3] + part[4], 0);

    const Box closed{.upper = {9, 9, 6}};
    const CellGrid ends(closed, region_of(closed, {}), {1, 1, 6});
    int calls = 0;
    ends.spread(2, 0.5, 1.0, shares_below::sphere, [&](int cell, double share) {
        EXPECT_NEAR(share, cell == 0 ? 1 - cap : cap, 1e-15) << "the first slab takes what is beyond";
        ++calls;
    });
    EXPECT_EQ(calls, 2);
}

TEST(CellGrid, PartsOfAParticleAddUpToOne) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random = checks::random_numbers(seed);
        const Box box = random_box(random);
        Int3 cells;
        for (int& n : cells)
            n = static_cast<int>(1 + random.below(9));
        const CellGrid grid(box, region_of(box, {}), cells);
        View view = empty_view(box);
        for (int i = 0; i < 10; ++i)
            add_particle(view, random_position(random, box), random.uniform(0.01, 3));
        const int axis = static_cast<int>(random.below(static_cast<std::uint64_t>(box.dimension)));
        Int3 slabs{1, 1, 1};
        slabs[static_cast<std::size_t>(axis)] = cells[static_cast<std::size_t>(axis)];
        const CellGrid cut(box, region_of(box, {}), slabs);
        const double reach = random.below(4) == 0 ? 0.0 : random.uniform(0, 4);
        for (const auto& shares : {slab_shares(cut, axis, box.dimension, view.particles),
                                   tent_shares(grid, box.dimension, reach, view.particles)}) {
            std::vector<double> sum(view.particles.size(), 0.0);
            for (const auto& [particle, cell, share] : shares) {
                ASSERT_LT(cell, grid.count());
                EXPECT_GT(share, 0);
                sum[particle] += share;
            }
            for (const double s : sum)
                EXPECT_NEAR(s, 1, 1e-13);
        }
    }
}

/// Against points along the way, each in the cell that it is in.
TEST(CellGrid, CutsWaysAtFaces) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Random random = checks::random_numbers(seed);
        const Box box = random_box(random);
        Int3 cells;
        for (int& n : cells)
            n = static_cast<int>(1 + random.below(12));
        const CellGrid grid(box, region_of(box, {}), cells);
        const Vec3 from = random_position(random, box), way = 1.5 * flat_vector(random, box);
        std::vector<double> part(grid.count(), 0.0);
        double sum = 0;
        grid.cut(from, from + way, [&](std::size_t cell, double share) {
            part[cell] += share;
            sum += share;
        });
        EXPECT_NEAR(sum, 1, 1e-14);
        constexpr int points = 2000;
        for (int k = 0; k < points; ++k) {
            const Vec3 at = from + way * ((k + 0.5) / points);
            part[grid.index({grid.cell_along(0, at.x), grid.cell_along(1, at.y),
                             grid.cell_along(2, at.z)})] -= 1.0 / points;
        }
        for (const double rest : part)
            EXPECT_NEAR(rest, 0, 4.0 / points);
    }
}

TEST(CellGrid, IsNotPeriodicBetweenWalls) {
    const Box box{.upper = {4, 4, 4},
                  .boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic}};
    const std::vector<Wall> walls{{.name = "floor", .point = {0, 0, 1}, .normal = {0, 0, 1}}};
    const CellGrid grid(box, region_of(box, walls), {1, 1, 3});
    EXPECT_EQ(grid.cell_along(2, 0.9), 0);
    EXPECT_EQ(grid.cell_along(2, 4.1), 2);
    EXPECT_EQ(grid.cell_along(0, 4.1), 0);
    EXPECT_DOUBLE_EQ(grid.cell_volume(), 16);
    EXPECT_EQ(grid.centres(2), (std::vector<double>{1.5, 2.5, 3.5}));
}

} // namespace
} // namespace tamp
