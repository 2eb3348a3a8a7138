#include "tamp/particles/generate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "generate_checks.hpp"
#include "tamp/base/random.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

TEST(GenerateLattice, FillsFromBelowWithEvenSpacing) {
    const Box box = make_box({0, 0, 0}, {4.5, 3.3, 10}, {periodic, wall, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 1);
    settings.count = 14;
    const std::vector<Grain> grains = generate(settings, box, 1, 5);
    expect_valid(grains, settings, box, 5);
    ASSERT_EQ(grains.size(), 14u);
    // Along x the spacing is stretched from 1.02 to 4.5/4, along y it is not.
    EXPECT_NEAR(grains[1].position.x - grains[0].position.x, 1.125, 1e-14);
    EXPECT_EQ(grains[4].position.x, grains[0].position.x);
    EXPECT_NEAR(grains[4].position.y - grains[0].position.y, 1.02, 1e-14);
    EXPECT_EQ(grains[11].position.z, grains[0].position.z);
    EXPECT_NEAR(grains[12].position.z - grains[0].position.z, 1.02, 1e-14);
    EXPECT_NEAR(grains[0].position.y, 0.51, 1e-14);
}

TEST(GenerateLattice, WithoutCountAndFractionFillsTheRegion) {
    const Box box = make_box({0, 0, 0}, {10, 10, 10}, {wall, wall, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 1);
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 729u);
    settings.spacing = 1; // 10 spacings of exactly one diameter
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 1000u);
    settings.size.diameter = 0.1;
    settings.spacing = 0.1;
    settings.upper = {1, 1, 0.7}; // 0.7 / 0.1 is a little less than 7
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 700u);
    settings.upper = {1, 1, 0.105}; // too narrow for two layers
    settings.spacing = 0;
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 81u);
    settings.lower.z = 0.2;
    settings.upper = {1, 1, 0.3}; // as high as one particle, but for rounding
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 81u);
}

TEST(GenerateLattice, FullJitterNeverOverlaps) {
    Random random(23, 0, Purpose::test);
    for (std::uint64_t trial = 0; trial < 60; ++trial) {
        std::array<Boundary, 3> boundary;
        for (Boundary& one : boundary)
            one = std::array{open, periodic, wall}[random.below(3)];
        const int dimension = trial % 2 == 0 ? 2 : 3;
        const Vec3 upper{random.uniform(1.5, 10), random.uniform(1.5, 10), random.uniform(1.5, 10)};
        const Box box = make_box({0, 0, 0}, upper, boundary, dimension);
        GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 0);
        settings.size = within(SizeKind::uniform, 0.5, 1);
        settings.spacing = trial % 3 == 0 ? 0 : random.uniform(1, 1.5);
        settings.jitter = trial % 5 == 0 ? random.uniform() : 1;
        const std::vector<Grain> grains = generate(settings, box, trial, 0);
        expect_valid(grains, settings, box, 0);
        if (testing::Test::HasFatalFailure())
            FAIL() << "trial " << trial;
    }
}

TEST(GenerateLattice, JitterUsesTheFreeSpace) {
    const Box box = make_box({0, 0, 0}, {40, 40, 0}, {periodic, wall, open}, 2);
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 1);
    settings.spacing = 2;
    settings.jitter = 0.5;
    double largest = 0;
    for (const Grain& grain : generate(settings, box, 1, 0))
        for (const double coordinate : {grain.position.x, grain.position.y})
            largest = std::max(largest, std::fabs(std::fmod(coordinate, 2.0) - 1));
    EXPECT_LE(largest, 0.25);
    EXPECT_GT(largest, 0.24);
}

TEST(GenerateLattice, ReachesTheFractionWithinOneParticle) {
    const Box box = make_box({0, 0, 0}, {12, 12, 12}, {periodic, periodic, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 0);
    settings.size = within(SizeKind::lognormal, 0.5, 1, 0.8, 0.1);
    settings.fraction = 0.15;
    const std::vector<Grain> grains = generate(settings, box, 1, 0);
    expect_valid(grains, settings, box, 0);
    const double target = 0.15 * box.volume(), reached = volume_of(grains, 3);
    EXPECT_GE(reached, target);
    EXPECT_LT(reached - grain_volume(grains.back().radius, 3), target);
    EXPECT_EQ(generate(settings, box, 1, 0), grains);
}

TEST(GenerateLattice, FewerParticlesAreTheFirstOfMore) {
    const Box box = make_box({0, 0, 0}, {12, 12, 12}, {periodic, periodic, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 0);
    settings.size = within(SizeKind::uniform, 0.5, 1);
    settings.jitter = 1;
    settings.speed = 1;
    const std::vector<Grain> all = generate(settings, box, 1, 0);
    settings.count = 300;
    const std::vector<Grain> fewer = generate(settings, box, 1, 0);
    ASSERT_EQ(fewer.size(), 300u);
    EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), all.begin()));
}

TEST(GenerateLattice, SaysWhyItFailsAndWhatToDo) {
    const Box box = make_box({0, 0, 0}, {5, 5, 5}, {wall, wall, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::lattice, box, 1);
    settings.count = 65;
    expect_contains(complaint(settings, box),
                    {"65 particles", "64 lattice sites", "fewer", "smaller spacing"});
    settings.count = 0;
    settings.fraction = 0.5;
    expect_contains(complaint(settings, box), {"fraction of 0.5", "64 lattice sites", "fraction of 0.268"});
    settings.spacing = 0.9;
    expect_contains(complaint(settings, box), {"spacing = 0.9", "overlap", "at least"});
    settings.spacing = 0;
    settings.upper.y = 0.5;
    expect_contains(complaint(settings, box), {"0.5 wide along y", "largest diameter"});
    settings = make_settings(GeneratorKind::lattice, box, 1e-5);
    expect_contains(complaint(settings, box), {"particles", "larger particles"});
}

TEST(Generate, LeavesFilesToTheirReader) {
    const Box box = make_box({0, 0, 0}, {5, 5, 5}, {wall, wall, wall});
    EXPECT_THROW(generate(make_settings(GeneratorKind::file, box, 1), box, 1, 0), std::logic_error);
}

} // namespace
