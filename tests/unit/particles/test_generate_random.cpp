#include "tamp/particles/generate.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "generate_checks.hpp"
#include "tamp/base/random.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

TEST(GenerateRandom, NeverOverlapsWhateverTheCase) {
    Random random(17, 0, Purpose::test);
    for (std::uint64_t trial = 0; trial < 120; ++trial) {
        std::array<Boundary, 3> boundary;
        for (Boundary& one : boundary)
            one = std::array{open, periodic, wall}[random.below(3)];
        const int dimension = trial % 3 == 0 ? 2 : 3;
        // From boxes hardly wider than one particle, where images meet, to some ten particles wide.
        const Vec3 lower{random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
        const Vec3 extent{random.uniform(2.1, 12), random.uniform(2.1, 12), random.uniform(2.1, 12)};
        const Box box = make_box(lower, lower + extent, boundary, dimension);
        GeneratorSettings settings = make_settings(GeneratorKind::random, box, 0);
        if (trial % 4 == 1) // part of the box only
            settings.upper.x = lower.x + std::max(2.0, 0.6 * extent.x);
        settings.size = trial % 2 == 0 ? within(SizeKind::uniform, 0.4, 2) : within(SizeKind::uniform, 1, 1);
        settings.fraction = random.uniform(0.02, 0.15);
        settings.material = 3;
        const std::vector<Grain> grains = generate(settings, box, trial, 100);
        expect_valid(grains, settings, box, 100);
        if (testing::Test::HasFatalFailure())
            FAIL() << "trial " << trial;
    }
}

TEST(GenerateRandom, StaysValidCloseToJamming) {
    const Box box = make_box({0, 0, 0}, {10, 10, 10}, {periodic, periodic, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.fraction = 0.3;
    expect_valid(generate(settings, box, 5, 0), settings, box, 0);
    const Box plane = make_box({0, 0, 0}, {30, 30, 0}, {periodic, periodic, open}, 2);
    settings = make_settings(GeneratorKind::random, plane, 1);
    settings.fraction = 0.48;
    expect_valid(generate(settings, plane, 5, 0), settings, plane, 0);
}

TEST(GenerateRandom, FillsTheRegionEvenly) {
    const Box box = make_box({0, 0, 0}, {20, 20, 20}, {periodic, periodic, periodic});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.fraction = 0.25;
    const std::vector<Grain> grains = generate(settings, box, 1, 0);
    const double count = static_cast<double>(grains.size());
    for (int axis = 0; axis < 3; ++axis) {
        double lower_half = 0, outer_half = 0;
        for (const Grain& grain : grains) {
            lower_half += grain.position[axis] < 10;
            outer_half += std::fabs(grain.position[axis] - 10) > 5;
        }
        EXPECT_NEAR(lower_half, count / 2,
                    3 * std::sqrt(count / 4)); // they repel: less scatter than independent ones
        EXPECT_NEAR(outer_half, count / 2, 3 * std::sqrt(count / 4));
    }
}

TEST(GenerateRandom, ReachesTheFractionWithinOneParticle) {
    for (const int dimension : {2, 3}) {
        const Box box = make_box({-4, 0, 0}, {6, 9, 8}, {periodic, wall, open}, dimension);
        GeneratorSettings settings = make_settings(GeneratorKind::random, box, 0);
        settings.size = within(SizeKind::uniform, 0.5, 1);
        settings.fraction = 0.2;
        const std::vector<Grain> grains = generate(settings, box, 1, 0);
        const double target = 0.2 * box.volume(), reached = volume_of(grains, dimension);
        EXPECT_GE(reached, target);
        EXPECT_LT(reached - grain_volume(grains.back().radius, dimension), target);
    }
}

TEST(GenerateRandom, CountWinsOverFraction) {
    const Box box = make_box({0, 0, 0}, {10, 10, 10}, {open, open, open});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.count = 57;
    settings.fraction = 0.3;
    EXPECT_EQ(generate(settings, box, 1, 0).size(), 57u);
}

TEST(GenerateRandom, DependsOnItsArgumentsAlone) {
    const Box box = make_box({0, 0, 0}, {10, 10, 10}, {periodic, open, wall});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.count = 200;
    settings.speed = 1;
    const std::vector<Grain> grains = generate(settings, box, 1, 10);
    EXPECT_EQ(generate(settings, box, 1, 10), grains);
    EXPECT_NE(generate(settings, box, 2, 10), grains);
    // Equal particles are placed in the order of their ids, hence fewer of them are the first of more.
    settings.count = 120;
    const std::vector<Grain> fewer = generate(settings, box, 1, 10);
    EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), grains.begin()));
}

TEST(GenerateRandom, FindsRoomForTheLargeAmongManySmall) {
    const Box box = make_box({0, 0, 0}, {12, 12, 12}, {periodic, periodic, periodic});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 0);
    settings.size.kind = SizeKind::mixture;
    settings.size.diameters = {1, 5};
    settings.size.weights = {100, 1};
    settings.fraction = 0.3;
    const std::vector<Grain> grains = generate(settings, box, 1, 0);
    expect_valid(grains, settings, box, 0);
    EXPECT_GE(std::ranges::count(grains, 2.5, &Grain::radius), 2); // sizes are drawn by id, not sorted
    EXPECT_NE(grains.front().radius, 2.5);
}

TEST(GenerateRandom, VelocitiesAreWithinTheirRange) {
    const Box box = make_box({0, 0, 0}, {40, 40, 0}, {open, open, open}, 2);
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.count = 500;
    settings.velocity = {3, -1, 0};
    EXPECT_EQ(generate(settings, box, 1, 0)[7].velocity, settings.velocity);
    settings.speed = 0.5;
    double lowest = 10, highest = -10;
    for (const Grain& grain : generate(settings, box, 1, 0)) {
        ASSERT_LE(std::fabs(grain.velocity.x - 3), 0.5);
        ASSERT_LE(std::fabs(grain.velocity.y + 1), 0.5);
        ASSERT_EQ(grain.velocity.z, 0);
        lowest = std::min(lowest, grain.velocity.y);
        highest = std::max(highest, grain.velocity.y);
    }
    EXPECT_NEAR(lowest, -1.5, 0.05);
    EXPECT_NEAR(highest, -0.5, 0.05);
}

TEST(GenerateRandom, AFewParticlesInAVastRegionNeedNoVastGrid) {
    const Box box = make_box({0, 0, 0}, {1e6, 1e6, 1e6}, {periodic, open, open});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1e-3);
    settings.count = 100;
    expect_valid(generate(settings, box, 1, 0), settings, box, 0);
}

TEST(GenerateRandom, ARegionMayBeAsThinAsItsParticles) {
    for (const Boundary boundary : {wall, periodic}) {
        const Box box = make_box({0, 0, 0.2}, {2, 2, 0.3}, {wall, wall, boundary});
        GeneratorSettings settings = make_settings(GeneratorKind::random, box, 0.1);
        settings.count = 100;
        expect_valid(generate(settings, box, 1, 0), settings, box, 0);
    }
}

TEST(GenerateRandom, KeepsToFreePlacesAndFillsThemAsWanted) {
    const Box box = make_box({0, 0, 0}, {10, 10, 10}, {wall, wall, wall});
    const auto in_ball = [](const Vec3& centre, double radius) {
        return norm(centre - Vec3{5, 5, 5}) + radius <= 4.5;
    };
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 0.5);
    settings.fraction = 0.25;
    const std::vector<Grain> grains = generate(settings, box, 1, 0, in_ball);
    expect_valid(grains, settings, box, 0);
    for (const Grain& grain : grains)
        ASSERT_TRUE(in_ball(grain.position, grain.radius));
    // Of the ball, not of the box.
    EXPECT_NEAR(static_cast<double>(grains.size()), 0.25 * std::pow(4.5 / 0.25, 3),
                0.02 * static_cast<double>(grains.size()));
    const auto nowhere = [](const Vec3&, double) { return false; };
    try {
        (void)generate(settings, box, 1, 0, nowhere);
        FAIL();
    } catch (const InputError& error) {
        expect_contains(error.what(), {"no room", "another region"});
    }
}

TEST(GenerateRandom, SaysWhyItFailsAndWhatToDo) {
    const Box box = make_box({0, 0, 0}, {5, 5, 5}, {periodic, periodic, periodic});
    GeneratorSettings settings = make_settings(GeneratorKind::random, box, 1);
    settings.fraction = 0.5;
    expect_contains(complaint(settings, box),
                    {"stuck", "fraction of 0.3", "of 0.5", "lower fraction", "lattice"});
    settings.fraction = 0;
    expect_contains(complaint(settings, box), {"count or fraction"});
    settings.count = 3;
    settings.size.diameter = 6;
    expect_contains(complaint(settings, box), {"along x", "largest diameter", "wider region"});
    const Box large = make_box({0, 0, 0}, {50, 50, 50}, {wall, wall, wall});
    settings = make_settings(GeneratorKind::random, large, 1);
    settings.fraction = 0.5;
    expect_contains(complaint(settings, large), {"out of reach", "0.38", "lattice"});
    settings.size.diameter = 1e-9;
    expect_contains(complaint(settings, large), {"particles", "larger particles"});
}

} // namespace
