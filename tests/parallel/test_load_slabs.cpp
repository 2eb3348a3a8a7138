// What the slabs of a load tell does not depend on which ranks have their tiles.

#include <gtest/gtest.h>

#include <cmath>

#include "cloud.hpp"
#include "tamp/solver/load_slabs.hpp"

namespace tamp::test {
namespace {

/// What a look finds in a tile: numbers of very different sizes, by its global number.
ResidualSums found_in(int tile) {
    Random random(31, static_cast<std::uint64_t>(tile), Purpose::test);
    ResidualSums sums;
    sums.violation = random.normal() * std::exp(10 * random.normal());
    sums.reach = {random.uniform(), random.uniform(), std::exp(3 * random.normal())};
    sums.virial = {random.uniform(), random.uniform(), std::exp(3 * random.normal())};
    return sums;
}

TileChange changed_in(int tile) {
    Random random(32, static_cast<std::uint64_t>(tile), Purpose::test);
    TileChange change{.mass = random.uniform(1, 9), .energy = std::exp(3 * random.normal())};
    for (int axis = 0; axis < 3; ++axis)
        change.momentum[axis] = random.normal();
    return change;
}

/// The missing impulse of a cloud that is spread over these ranks.
double missing(const Communicator& communicator, std::uint64_t number, Vec3 gravity) {
    Random random(30, number, Purpose::test);
    const Box box{.upper = {6, 9, random.uniform(6, 60)},
                  .boundary = {Boundary::periodic, Boundary::wall, Boundary::wall}};
    const TileGrid grid(box, 1.5, 1.2);
    const auto grains = random_grains(random, box, 600, 0.2, 0.5);
    Cloud cloud(communicator, grid, random_partition(random, grid, communicator.size()), grains);
    std::vector<Wall> walls{{.name = "floor"}, {.name = "lid", .point = box.upper, .normal = {0, 0, -1}}};
    walls[1].motion = WallMotion::piston, walls[1].mass = 700;
    cloud.search(1.0, 0.2, walls);

    LoadSlabs slabs;
    slabs.plan(communicator, cloud.grid, *cloud.tiles, cloud.store);
    slabs.begin(walls, gravity);
    EXPECT_TRUE(slabs.loaded());
    std::vector<ExactSum> sums(slabs.sum_count());
    for (int slot = 0; slot < cloud.tiles->owned(); ++slot) {
        slabs.add(slot, found_in(cloud.tiles->tile(slot)), sums);
        slabs.add(slot, changed_in(cloud.tiles->tile(slot)), sums);
    }
    communicator.sum(std::span<ExactSum>(sums));
    const double on_walls[] = {5.0, 3.0};
    return slabs.error(sums, on_walls);
}

TEST(LoadSlabs, TellTheSameOnAnyNumberOfRanks) {
    const Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
    for (std::uint64_t number = 0; number < 20; ++number)
        for (const Vec3& gravity : {Vec3{0, 0, -9.81}, Vec3{1, 5, -8}, Vec3{0, 0, 0}}) {
            const double alone = missing(self, number, gravity);
            EXPECT_EQ(missing(world, number, gravity), alone) << number;
            EXPECT_GT(alone, 0);
            EXPECT_LT(alone, 1);
        }
}

} // namespace
} // namespace tamp::test
