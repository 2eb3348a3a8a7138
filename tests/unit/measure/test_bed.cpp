#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "rigid_run.hpp"
#include "tamp/measure/bed.hpp"
#include "tamp/measure/kth_largest.hpp"

namespace tamp {
namespace {

constexpr double pi = std::numbers::pi;

/// Spheres or discs of diameter 1 on a square lattice: `layers` layers that fill a box of 8 x 8 (8) exactly.
struct Lattice {
    RigidSetup setup;
    std::vector<Grain> grains;

    Lattice(int dimension, int layers, double height) {
        const int up = dimension - 1;
        setup.box = {.upper = {8, 8, 8}, .dimension = dimension};
        setup.box.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
        setup.box.boundary[static_cast<std::size_t>(up)] = Boundary::wall;
        setup.box.upper[up] = height;
        if (dimension == 2) {
            setup.box.upper.z = 0;
            setup.box.boundary[2] = Boundary::open;
        }
        setup.materials = MaterialTable({{"glass", 2.0, 0.5}});
        setup.gravity[up] = -10;
        Wall floor{.name = "floor", .normal = {0, 0, 0}}, lid{.name = "lid", .normal = {0, 0, 0}};
        floor.normal[up] = 1;
        lid.normal[up] = -1;
        lid.point[up] = height;
        setup.walls = {floor, lid};
        for (int k = 0; k < layers; ++k)
            for (int j = 0; j < (dimension == 3 ? 8 : 1); ++j)
                for (int i = 0; i < 8; ++i) {
                    Vec3 at{i + 0.5, j + 0.5, 0};
                    at[up] = k + 0.5;
                    grains.push_back({.id = grains.size(), .position = at, .radius = 0.5});
                }
    }
    Bed bed() const {
        const Communicator self(MPI_COMM_SELF);
        return measure_bed(RigidRun(self, setup, grains));
    }
};

TEST(KthLargest, IsThatOfASortedList) {
    const Communicator self(MPI_COMM_SELF);
    const std::vector<double> values{3, -1e300, -0.5, 3, 1e-310, 7, -2, 0};
    std::vector<double> sorted = values;
    std::ranges::sort(sorted, std::greater{});
    for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_EQ(kth_largest(self, values, static_cast<std::int64_t>(k)), sorted[k]);
}

TEST(Bed, EndsAtItsFreeSurface) {
    for (const int dimension : {2, 3}) {
        const Bed bed = Lattice(dimension, 4, 20).bed();
        EXPECT_DOUBLE_EQ(bed.floor, 0);
        EXPECT_DOUBLE_EQ(bed.top, 4);
        EXPECT_DOUBLE_EQ(bed.height(), 4);
        EXPECT_DOUBLE_EQ(bed.volume, 4 * std::pow(8, dimension - 1));
        EXPECT_NEAR(bed.volume_fraction, dimension == 3 ? pi / 6 : pi / 4, 1e-14);
        EXPECT_FALSE(bed.reaches_ceiling);
        EXPECT_EQ(bed.up[dimension - 1], 1);
    }
}

TEST(Bed, EndsAtTheWallThatLiesOnIt) {
    Lattice lattice(3, 4, 20);
    lattice.setup.walls[1].point.z = 4.25; // less than a diameter above the spheres
    const Bed bed = lattice.bed();
    EXPECT_DOUBLE_EQ(bed.top, 4.25);
    EXPECT_DOUBLE_EQ(bed.volume, 4.25 * 64);
    EXPECT_NEAR(bed.volume_fraction, pi / 6 * 4 / 4.25, 1e-14);
    EXPECT_TRUE(bed.reaches_ceiling);
}

TEST(Bed, LeavesOutTheFewThatFly) {
    Lattice lattice(3, 4, 20);
    lattice.grains.push_back({.id = 256, .position = {4, 4, 15}, .radius = 0.5});
    lattice.grains.push_back({.id = 257, .position = {2, 4, 12}, .radius = 0.5});
    const Bed bed = lattice.bed();
    EXPECT_DOUBLE_EQ(bed.top, 4);
    EXPECT_NEAR(bed.volume_fraction, pi / 6, 1e-14) << "their volume neither";
    lattice.grains.push_back({.id = 258, .position = {6, 4, 12}, .radius = 0.5});
    EXPECT_DOUBLE_EQ(lattice.bed().top, 12.5) << "three of 259 are more than 1 %";
}

/// In a deep bed 1 % would be whole layers.
TEST(Bed, SurfaceIsInTheUppermostLayer) {
    const Bed bed = Lattice(2, 400, 500).bed();
    EXPECT_DOUBLE_EQ(bed.top, 400);
}

TEST(Bed, OfAWedgeIsItsPartBelowTheSurface) {
    Lattice lattice(2, 1, 20);
    lattice.setup.box.boundary[0] = Boundary::wall;
    lattice.setup.walls.push_back(
        {.name = "left", .point = {4, 0, 0}, .normal = {std::sqrt(0.5), std::sqrt(0.5), 0}});
    lattice.setup.walls.push_back(
        {.name = "right", .point = {4, 0, 0}, .normal = {-std::sqrt(0.5), std::sqrt(0.5), 0}});
    lattice.grains = {{.id = 0, .position = {4, 1.5, 0}, .radius = 0.5}};
    const Bed bed = lattice.bed();
    EXPECT_DOUBLE_EQ(bed.top, 2);
    EXPECT_NEAR(bed.volume, 4, 1e-14) << "a triangle 2 high and 4 wide";
    EXPECT_NEAR(bed.volume_fraction, pi / 16, 1e-14);
}

TEST(Bed, WithoutGravityFollowsThePiston) {
    Lattice lattice(3, 3, 12);
    lattice.setup.gravity = {0, 0, 0};
    EXPECT_EQ(lattice.bed().up, (Vec3{0, 0, 1})) << "nobody pushes";
    lattice.setup.walls[0].motion = WallMotion::piston; // the floor
    lattice.setup.walls[0].mass = 1;
    const Bed bed = lattice.bed();
    EXPECT_EQ(bed.up, (Vec3{0, 0, -1}));
    EXPECT_DOUBLE_EQ(bed.floor, -12);
    EXPECT_DOUBLE_EQ(bed.top, 0);
    EXPECT_TRUE(bed.reaches_ceiling);
    EXPECT_NEAR(bed.volume_fraction, pi / 6 / 4, 1e-14);
}

TEST(Bed, HasNoSurfaceAlongAPeriodicDirection) {
    Lattice lattice(3, 4, 20);
    lattice.setup.gravity = {0, 1, -10};
    const Bed bed = lattice.bed();
    EXPECT_DOUBLE_EQ(bed.volume, 20 * 64);
    EXPECT_NEAR(bed.volume_fraction, pi / 6 / 5, 1e-14);
}

} // namespace
} // namespace tamp
