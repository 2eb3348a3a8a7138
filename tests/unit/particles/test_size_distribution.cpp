#include "tamp/particles/size_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

SizeDistribution mono(double diameter) {
    SizeDistribution size;
    size.diameter = diameter;
    return size;
}

SizeDistribution within(SizeKind kind, double min, double max, double mean = 0, double deviation = 0) {
    SizeDistribution size;
    size.kind = kind;
    size.min = min;
    size.max = max;
    size.mean = mean;
    size.deviation = deviation;
    return size;
}

struct Moments {
    double mean = 0, deviation = 0, smallest = 1e300, largest = 0;
};

/// One diameter from each of many streams, as the generators draw them.
Moments moments_of(const SizeDistribution& size, int count = 200000) {
    Moments moments;
    double square = 0;
    for (int id = 0; id < count; ++id) {
        Random random(3, static_cast<std::uint64_t>(id), Purpose::size);
        const double diameter = sample_diameter(size, random);
        moments.mean += diameter / count;
        square += diameter * diameter / count;
        moments.smallest = std::min(moments.smallest, diameter);
        moments.largest = std::max(moments.largest, diameter);
    }
    moments.deviation = std::sqrt(square - moments.mean * moments.mean);
    EXPECT_GE(moments.smallest, smallest_diameter(size));
    EXPECT_LE(moments.largest, largest_diameter(size));
    return moments;
}

TEST(SizeDistribution, MonoIsOneDiameter) {
    const SizeDistribution size = mono(0.25);
    const Moments moments = moments_of(size, 100);
    EXPECT_EQ(moments.smallest, 0.25);
    EXPECT_EQ(moments.largest, 0.25);
}

TEST(SizeDistribution, UniformFillsItsRange) {
    const SizeDistribution size = within(SizeKind::uniform, 1, 3);
    const Moments moments = moments_of(size);
    EXPECT_NEAR(moments.mean, 2, 0.01);
    EXPECT_NEAR(moments.deviation, 2 / std::sqrt(12), 0.01);
    EXPECT_NEAR(moments.smallest, 1, 0.001);
    EXPECT_NEAR(moments.largest, 3, 0.001);
}

TEST(SizeDistribution, NormalWithAWideCutHasItsMoments) {
    const SizeDistribution size = within(SizeKind::normal, 1, 3, 2, 0.1);
    const Moments moments = moments_of(size);
    EXPECT_NEAR(moments.mean, 2, 0.002);
    EXPECT_NEAR(moments.deviation, 0.1, 0.001);
}

TEST(SizeDistribution, NormalIsCutNotClamped) {
    // Cut at one deviation: variance 1 - 2 phi(1) / (2 Phi(1) - 1) of the whole, and no heap at the ends.
    const SizeDistribution size = within(SizeKind::normal, 1.5, 2.5, 2, 0.5);
    const Moments moments = moments_of(size);
    EXPECT_NEAR(moments.mean, 2, 0.005);
    EXPECT_NEAR(moments.deviation, 0.5 * std::sqrt(0.29112), 0.003);
    EXPECT_GT(moments.smallest, 1.5);
    EXPECT_LT(moments.largest, 2.5);
}

TEST(SizeDistribution, CutFarOutInATailGivesItsNearerEnd) {
    const SizeDistribution size = within(SizeKind::normal, 2, 3, 1, 0.01);
    const Moments moments = moments_of(size, 20);
    EXPECT_EQ(moments.smallest, 2);
    EXPECT_EQ(moments.largest, 2);
}

TEST(SizeDistribution, LognormalMomentsAreThoseOfTheDiameter) {
    const SizeDistribution size = within(SizeKind::lognormal, 1e-6, 1, 2e-3, 1e-3);
    const Moments moments = moments_of(size);
    EXPECT_NEAR(moments.mean, 2e-3, 0.02e-3);
    EXPECT_NEAR(moments.deviation, 1e-3, 0.03e-3);
}

TEST(SizeDistribution, LognormalLogarithmIsSymmetric) {
    const SizeDistribution size = within(SizeKind::lognormal, 1e-6, 1e6, 2, 1);
    const double median = 2 / std::sqrt(1.25);
    int below = 0;
    for (std::uint64_t id = 0; id < 100000; ++id) {
        Random random(4, id, Purpose::size);
        below += sample_diameter(size, random) < median;
    }
    EXPECT_NEAR(below, 50000, 5 * std::sqrt(25000));
}

TEST(SizeDistribution, MixtureHasItsShares) {
    SizeDistribution size;
    size.kind = SizeKind::mixture;
    size.diameters = {1, 5, 2};
    size.weights = {6, 1, 3};
    EXPECT_EQ(smallest_diameter(size), 1);
    EXPECT_EQ(largest_diameter(size), 5);
    constexpr int count = 100000;
    std::map<double, int> counts;
    for (std::uint64_t id = 0; id < count; ++id) {
        Random random(5, id, Purpose::size);
        ++counts[sample_diameter(size, random)];
    }
    ASSERT_EQ(counts.size(), 3u);
    EXPECT_NEAR(counts[1], 0.6 * count, 5 * std::sqrt(0.24 * count));
    EXPECT_NEAR(counts[5], 0.1 * count, 5 * std::sqrt(0.09 * count));
    EXPECT_NEAR(counts[2], 0.3 * count, 5 * std::sqrt(0.21 * count));
}

} // namespace
