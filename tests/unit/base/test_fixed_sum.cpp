#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tamp/base/exact_sum.hpp"
#include "tamp/base/fixed_sum.hpp"
#include "tamp/base/random.hpp"

namespace tamp {
namespace {

TEST(FixedSums, OrderAndGroupingDoNotMatter) {
    Random random(1, 0, Purpose::test);
    std::vector<double> terms(5000);
    double largest = 0;
    for (double& term : terms) {
        term = random.normal() * std::exp(5 * random.normal());
        largest = std::max(largest, std::abs(term));
    }
    const std::array<double, 1> bound{largest};
    FixedSums forward(1, bound, 5000), parts[3] = {forward, forward, forward};
    for (const double term : terms)
        forward.add(0, 0, term);
    std::ranges::reverse(terms);
    for (const double term : terms)
        parts[random.below(3)].add(0, 0, term);
    for (int part = 1; part < 3; ++part)
        parts[0].words()[0] += parts[part].words()[0]; // as MPI_SUM does
    EXPECT_EQ(parts[0].value(0), forward.value(0));
}

TEST(FixedSums, AreWrongByLessThanTheDocumentedBound) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed, 1, Purpose::test);
        const double scale = std::exp(100 * random.normal());
        const auto count = static_cast<std::int64_t>(1 + random.below(3000));
        std::vector<double> terms(static_cast<std::size_t>(count));
        double largest = 0;
        for (double& term : terms) {
            term = scale * random.normal();
            largest = std::max(largest, std::abs(term));
        }
        const std::array<double, 1> bound{largest};
        FixedSums sums(1, bound, count);
        ExactSum exact;
        for (const double term : terms) {
            sums.add(0, 0, term);
            exact.add(term);
        }
        const double allowed = 4 * largest * static_cast<double>(count) * 0x1p-62; // powers of two above both
        EXPECT_LE(std::abs(sums.value(0) - exact.value()), 0.5 * static_cast<double>(count) * allowed);
    }
}

/// The worst case of all: every term the largest, as many as promised.
TEST(FixedSums, DoNotOverflow) {
    for (const double largest : {1.0, 0.75, 1e300, 1e-300, 5e-324, 1.7e308}) {
        const std::array<double, 2> bound{largest, 1.0};
        FixedSums sums(2, bound, 1000);
        for (int i = 0; i < 1000; ++i)
            sums.add(0, 1, i < 500 ? largest : -largest);
        EXPECT_EQ(sums.value(0, 1), 0) << largest;
        for (int i = 0; i < 1000; ++i)
            sums.add(1, 1, -1);
        EXPECT_EQ(sums.value(1, 1), -1000);
        EXPECT_EQ(sums.value(0, 0), 0);
    }
    const std::array<double, 1> bound{1.0};
    const std::int64_t many = std::int64_t{1} << 40;
    FixedSums sums(1, bound, many);
    sums.add(0, 0, 1);
    sums.words()[0] *= many;
    EXPECT_EQ(sums.value(0), static_cast<double>(many));
}

TEST(FixedSums, OfNothingAndOfWhatIsNotFinite) {
    const std::array<double, 3> bounds{0.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL};
    FixedSums sums(1, bounds, 0);
    for (std::size_t column = 0; column < 3; ++column) {
        sums.add(column, 0, 1.0);
        sums.add(column, 0, std::numeric_limits<double>::quiet_NaN());
    }
    EXPECT_EQ(sums.value(0), 0);
    EXPECT_TRUE(std::isnan(sums.value(1)));
    EXPECT_TRUE(std::isnan(sums.value(2)));
}

TEST(FixedSums, CutTermsBeyondTheBound) {
    const std::array<double, 1> bound{2.0};
    FixedSums sums(1, bound, 4);
    sums.add(0, 0, 1e30);
    sums.add(0, 0, -1e300);
    sums.add(0, 0, 5);
    EXPECT_EQ(sums.value(0), 2);
}

} // namespace
} // namespace tamp
