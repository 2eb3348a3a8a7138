#include "tamp/base/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tamp::philox;
using tamp::Purpose;
using tamp::Random;
using Block = std::array<std::uint32_t, 4>;

// The known answers that Random123 is shipped with.
TEST(Random, PhiloxGivesTheKnownAnswers) {
    constexpr std::uint32_t ones = 0xffffffff;
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
              (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The words of a stream are part of every result: they may not change from version to version.
TEST(Random, StreamIsPhiloxWithThisLayout) {
    Random random(0x0123456789abcdef, 0xfedcba9876543210, Purpose::velocity);
    for (std::uint32_t block = 0; block < 3; ++block) {
        const Block expected = philox({block, 2, 0x76543210, 0xfedcba98}, {0x89abcdef, 0x01234567});
        EXPECT_EQ(random.bits(), expected[0] | std::uint64_t{expected[1]} << 32);
        EXPECT_EQ(random.bits(), expected[2] | std::uint64_t{expected[3]} << 32);
    }
}

TEST(Random, SameKeyGivesTheSameStream) {
    Random a(7, 42, Purpose::size), b(7, 42, Purpose::size);
    for (int k = 0; k < 1000; ++k)
        ASSERT_EQ(a.bits(), b.bits());
}

TEST(Random, AnyChangeOfTheKeyGivesAnotherStream) {
    std::set<std::uint64_t> seen;
    std::size_t expected = 0;
    for (std::uint64_t seed : {0ull, 1ull, 1ull << 32, ~0ull})
        for (std::uint64_t id : {0ull, 1ull, 2ull, 1ull << 32, 1ull << 63})
            for (Purpose purpose : {Purpose::size, Purpose::position, Purpose::velocity, Purpose::order}) {
                Random random(seed, id, purpose);
                for (int k = 0; k < 100; ++k, ++expected)
                    seen.insert(random.bits());
            }
    EXPECT_EQ(seen.size(), expected);
}

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
    constexpr int count = 1'000'000, bin_count = 100;
    Random random(1, 2, Purpose::test);
    std::vector<int> bins(bin_count);
    double sum = 0, sum_of_squares = 0;
    for (int k = 0; k < count; ++k) {
        const double x = random.uniform();
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        sum += x;
        sum_of_squares += x * x;
        ++bins[static_cast<std::size_t>(x * bin_count)];
    }
    EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
    EXPECT_NEAR(sum_of_squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
    double chi_square = 0;
    for (const int bin : bins)
        chi_square += std::pow(bin - count / bin_count, 2) / (count / bin_count);
    EXPECT_NEAR(chi_square, bin_count - 1, 5 * std::sqrt(2.0 * bin_count));
}

TEST(Random, UniformUsesAll53Bits) {
    Random random(1, 3, Purpose::test);
    std::uint64_t any = 0, all = ~0ull;
    for (int k = 0; k < 1000; ++k) {
        const auto scaled = static_cast<std::uint64_t>(random.uniform() * 0x1p53);
        any |= scaled;
        all &= scaled;
    }
    EXPECT_EQ(any, (1ull << 53) - 1);
    EXPECT_EQ(all, 0u);
}

TEST(Random, UniformOfARangeStaysInIt) {
    Random random(1, 4, Purpose::test);
    double least = 1e9, greatest = -1e9;
    for (int k = 0; k < 100000; ++k) {
        const double x = random.uniform(-3, 5);
        least = std::min(least, x);
        greatest = std::max(greatest, x);
    }
    EXPECT_GE(least, -3);
    EXPECT_LE(greatest, 5);
    EXPECT_NEAR(least, -3, 0.01);
    EXPECT_NEAR(greatest, 5, 0.01);
}

TEST(Random, NormalHasItsMomentsAndTails) {
    constexpr int count = 1'000'000;
    Random random(1, 5, Purpose::test);
    double moments[5] = {};
    int beyond_two = 0;
    for (int k = 0; k < count; ++k) {
        const double x = random.normal();
        ASSERT_TRUE(std::isfinite(x));
        for (int power = 1; power <= 4; ++power)
            moments[power] += std::pow(x, power) / count;
        beyond_two += std::fabs(x) > 2;
    }
    const double sigma = 1 / std::sqrt(double{count});
    EXPECT_NEAR(moments[1], 0, 5 * sigma);
    EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2) * sigma);
    EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15) * sigma);
    EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96) * sigma);
    EXPECT_NEAR(beyond_two, 0.0455 * count, 5 * std::sqrt(0.0455 * count));
}

TEST(Random, BelowIsUnbiased) {
    Random random(1, 6, Purpose::test);
    for (const std::uint64_t n : {1ull, 2ull, 3ull, 10ull}) {
        std::vector<int> counts(n);
        for (int k = 0; k < 100000; ++k)
            ++counts[random.below(n)];
        for (const int count : counts)
            EXPECT_NEAR(count, 1e5 / static_cast<double>(n), 5 * std::sqrt(1e5 / static_cast<double>(n)));
    }
    // With n = 3/4 of 2^64 a plain remainder would give the first third twice as often as the others.
    const std::uint64_t n = 3ull << 62;
    int first_third = 0;
    for (int k = 0; k < 100000; ++k)
        first_third += random.below(n) < n / 3;
    EXPECT_NEAR(first_third, 1e5 / 3, 5 * std::sqrt(1e5 * 2 / 9));
}

// One number from each of many streams is what generators use: it must be as random as many from one.
TEST(Random, NeighbouringStreamsAreIndependent) {
    constexpr int count = 200000;
    struct Case {
        const char* name;
        Random (*stream)(std::uint64_t);
    };
    const Case cases[] = {
        {"id", [](std::uint64_t k) { return Random(1, k, Purpose::test); }},
        {"seed", [](std::uint64_t k) { return Random(k, 1, Purpose::test); }},
        {"purpose", [](std::uint64_t k) { return Random(1, 1, static_cast<Purpose>(k)); }},
    };
    for (const Case& one : cases) {
        double mean = 0, variance = 0, correlation = 0, previous = one.stream(count).uniform() - 0.5;
        for (int k = 0; k < count; ++k) {
            const double x = one.stream(static_cast<std::uint64_t>(k)).uniform() - 0.5;
            mean += x / count;
            variance += x * x / count;
            correlation += 12 * x * previous / count;
            previous = x;
        }
        EXPECT_NEAR(mean, 0, 5 * std::sqrt(1.0 / 12 / count)) << one.name;
        EXPECT_NEAR(variance, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / count)) << one.name;
        EXPECT_NEAR(correlation, 0, 5 / std::sqrt(double{count})) << one.name;
    }
}

TEST(Random, MixIsTheSplitmixFinaliserAndSpreadsEveryBit) {
    // The first outputs of splitmix64 seeded with 0.
    EXPECT_EQ(tamp::mix(0x9e3779b97f4a7c15), 0xe220a8397b1dcdafu);
    EXPECT_EQ(tamp::mix(0x9e3779b97f4a7c15 * 2), 0x6e789e6aa1b965f4u);
    Random random(1, 7, Purpose::test);
    for (int bit = 0; bit < 64; ++bit) {
        double flips = 0;
        for (int k = 0; k < 1000; ++k) {
            const std::uint64_t x = random.bits();
            flips += std::popcount(tamp::mix(x) ^ tamp::mix(x ^ 1ull << bit)) / 1000.0;
        }
        EXPECT_NEAR(flips, 32, 1) << "bit " << bit;
    }
}

} // namespace
