// Radii that grow, and what a world makes for them: sizes, searches, tiles, and a state that goes on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tamp/base/errors.hpp"
#include "tamp/world/force_geometry.hpp"
#include "tamp/world/world.hpp"

namespace tamp {
namespace {

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// Periodic, two materials: the second one is held fixed.
WorldSetup setup(double edge, int dimension = 3) {
    WorldSetup result;
    result.box = {.lower = {0, 0, 0},
                  .upper = {edge, edge, dimension == 3 ? edge : 0},
                  .boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic},
                  .dimension = dimension};
    result.materials = MaterialTable({{"glass", 2500, 0.3}, {"rough", 2500, 0.5, true}});
    return result;
}

std::vector<Grain> grains(double edge, int dimension = 3) {
    std::vector<Grain> all;
    for (std::uint64_t i = 0; i < 12; ++i) {
        const auto n = static_cast<double>(i);
        all.push_back({.id = i,
                       .position = {edge * std::fmod(0.37 * n, 1), edge * std::fmod(0.23 * n, 1),
                                    dimension == 3 ? edge * std::fmod(0.61 * n, 1) : 0},
                       .radius = 0.1 + 0.01 * static_cast<double>(i % 5),
                       .material = i % 4 == 3 ? 1 : 0});
    }
    return all;
}

TEST(GrownSizes, AreThoseOfTheParticles) {
    const Grown grown{1.3, 0.02};
    const MaterialTable materials = setup(10).materials;
    for (const int dimension : {2, 3}) {
        std::vector<Grain> all = grains(10, dimension);
        const StartSizes start = start_sizes(all, dimension, &materials);
        for (Grain& grain : all)
            if (grain.material == 0)
                grain.radius = grown(grain.radius);
        const StartSizes now = grown_sizes(start, grown, dimension),
                         expected = start_sizes(all, dimension, &materials);
        EXPECT_NEAR(now.smallest, expected.smallest, 1e-15);
        EXPECT_NEAR(now.largest, expected.largest, 1e-9);
        EXPECT_GE(now.largest, expected.largest) << "tiles are made for it";
        EXPECT_NEAR(now.mean, expected.mean, 1e-15);
        EXPECT_NEAR(now.mean_volume, expected.mean_volume, 1e-15);
        EXPECT_NEAR(now.growing.mean_cube, expected.growing.mean_cube, 1e-15);
        EXPECT_EQ(now.count, 12);
    }
    const StartSizes start = start_sizes(grains(10), 3, &materials);
    EXPECT_EQ(grown_sizes(start, {}, 3).largest, start.largest) << "not even the last bit changes";
}

TEST(World, GrowsItsParticlesAndSizes) {
    World world(self(), setup(10), {}, grains(10));
    world.set_growth({.rate = 0.5});
    for (int step = 0; step < 100; ++step)
        world.grow(1e-3);
    double largest = 0, volume = 0;
    for (const Sphere& sphere : world.particles.sphere) {
        largest = std::max(largest, 2 * sphere.radius);
        volume += grain_volume(sphere.radius, 3);
    }
    EXPECT_NEAR(largest, 2 * (0.14 + 0.05), 1e-14);
    EXPECT_NEAR(world.sizes.largest, largest, 1e-9);
    EXPECT_NEAR(12 * world.sizes.mean_volume, volume, 1e-14);
    EXPECT_EQ(world.sizes_at_start.largest, 0.28);
    EXPECT_EQ(world.last_growth(), (Grown{1, 0.5 * 1e-3}));
    EXPECT_EQ(world.growth_speed(), 0.5);
    world.set_growth({});
    EXPECT_EQ(world.growth_speed(), 0.5) << "as fast as in the last step";
    world.grow(1e-3);
    EXPECT_EQ(world.growth_speed(), 0);
    EXPECT_EQ(world.last_growth(), Grown{});
}

TEST(World, GrowthClosesGapsAsMotionDoes) {
    WorldSetup with_skin = setup(10);
    with_skin.neighbours.skin = 0.05;
    World world(self(), with_skin, {}, grains(10));
    world.set_growth({.rate = 1});
    world.search_neighbours({.margin = 0.01});
    world.grow(0.0199);
    EXPECT_FALSE(world.neighbours_are_stale(0.01));
    world.grow(0.0002);
    EXPECT_TRUE(world.neighbours_are_stale(0.01));
    world.search_neighbours({.margin = 0.01});
    EXPECT_FALSE(world.neighbours_are_stale(0.01));
}

TEST(World, MakesTilesAnewForParticlesThatOutgrowThem) {
    WorldSetup wanted = setup(2);
    wanted.neighbours.tile = 0.35;
    World world(self(), wanted, {}, grains(2));
    const int tiles = world.neighbours.grid().count();
    ASSERT_GT(tiles, 8);
    world.set_growth({.relative_rate = 1});
    int changes = 0;
    for (int step = 0; step < 100; ++step) { // to 2.7 times the size
        world.grow(0.01);
        const Int3 before = world.neighbours.grid().size();
        world.search_neighbours({.margin = 0.001});
        world.validate();
        changes += world.neighbours.grid().size() != before ? 1 : 0;
        EXPECT_GE(world.neighbours.grid().shortest_edge(), world.sizes.largest + world.neighbours.skin());
    }
    EXPECT_EQ(world.neighbours.grid().count(), 8);
    EXPECT_GT(changes, 0);
    try {
        for (int step = 0; step < 100; ++step) {
            world.grow(0.01);
            world.search_neighbours({.margin = 0.001});
        }
        FAIL() << "nothing was said about the box";
    } catch (const NumericalError& error) {
        EXPECT_NE(std::string(error.what()).find("2 m long along x, which is periodic"), std::string::npos)
            << error.what();
        EXPECT_GT(2.2 * world.sizes.largest, 2);
    }
}

/// Tiles that were made for small particles hold few large ones.
TEST(World, MakesTilesAnewForParticlesOfTwiceTheVolume) {
    std::vector<Grain> many;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto n = static_cast<double>(i);
        many.push_back(
            {.id = i,
             .position = {std::fmod(n, 10), std::fmod(std::floor(n / 10), 10), std::floor(n / 100)},
             .radius = 0.25});
    }
    World world(self(), setup(10), {}, many);
    const int tiles = world.neighbours.grid().count();
    world.set_growth({.rate = 1});
    world.grow(0.25 * (std::cbrt(1.9) - 1));
    world.search_neighbours({.margin = 0.01});
    EXPECT_EQ(world.neighbours.grid().count(), tiles);
    world.grow(0.25 * (std::cbrt(2.1) - std::cbrt(1.9)));
    world.search_neighbours({.margin = 0.01});
    EXPECT_LT(world.neighbours.grid().count(), tiles);
}

TEST(World, GoesOnGrowingFromWhatWasSaved) {
    WorldSetup wanted = setup(2);
    wanted.neighbours.tile = 0.35;
    World world(self(), wanted, {}, grains(2));
    world.set_growth({.relative_rate = 1});
    for (int step = 0; step < 30; ++step) {
        world.grow(0.01);
        if (step < 25)
            world.search_neighbours({.margin = 0.001});
    }
    const World again(self(), wanted, {}, world.save());
    EXPECT_EQ(again.growth(), world.growth());
    EXPECT_EQ(again.last_growth(), world.last_growth());
    EXPECT_EQ(again.sizes.largest, world.sizes.largest);
    EXPECT_EQ(again.sizes.mean_volume, world.sizes.mean_volume);
    EXPECT_EQ(again.sizes_at_search().largest, world.sizes_at_search().largest);
    EXPECT_LT(again.sizes_at_search().largest, again.sizes.largest);
    EXPECT_EQ(again.neighbours.grid().size(), world.neighbours.grid().size());
    EXPECT_EQ(again.neighbours.grid().cells(), world.neighbours.grid().cells());
    EXPECT_EQ(again.lists().pairs.first, world.lists().pairs.first);
    EXPECT_EQ(again.lists().pairs.second, world.lists().pairs.second);
    for (std::size_t i = 0; i < world.particles.size(); ++i)
        EXPECT_EQ(again.particles.sphere[i].radius, world.particles.sphere[i].radius) << i;
}

TEST(World, RefusesGrowthFromCheckpointsThatKnowNothingOfIt) {
    World world(self(), setup(10), {}, grains(10));
    SavedWorld saved = world.save();
    saved.sizes.growing = {};
    World old(self(), setup(10), {}, saved);
    EXPECT_NO_THROW(old.set_growth({}));
    EXPECT_THROW(old.set_growth({.rate = 1}), FileError);
}

/// Gaps are told of the moment when forces were found.
TEST(ForceGeometry, HasTheRadiiBeforeTheyGrew) {
    const std::vector<Grain> two{{.id = 0, .position = {1, 1, 1}, .radius = 0.5},
                                 {.id = 1, .position = {1.9, 1, 1}, .radius = 0.5, .material = 1}};
    World world(self(), setup(10), {}, two);
    world.search_neighbours({.margin = 0.01});
    world.set_growth({.rate = 1});
    world.grow(0.01);
    EXPECT_NEAR(ForceGeometry(world, 0.01).pair(0).gap, -0.1, 1e-15);
    EXPECT_NEAR(ForceGeometry(world, 0).pair(0).gap, -0.11, 1e-15) << "the fixed one does not grow";
}

} // namespace
} // namespace tamp
