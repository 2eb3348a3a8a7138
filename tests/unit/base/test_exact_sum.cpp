#include "tamp/base/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace {

using tamp::ExactSum;
__extension__ typedef __float128 Quad;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

ExactSum sum_of(const std::vector<double>& terms) {
    ExactSum sum;
    for (const double term : terms)
        sum.add(term);
    return sum;
}

/// Doubles of both signs with exponents spread evenly over a range.
std::vector<double> random_terms(std::mt19937_64& engine, std::size_t count, int lowest, int highest) {
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(lowest, highest);
    std::vector<double> terms(count);
    for (double& term : terms)
        term = std::ldexp(mantissa(engine), exponent(engine));
    return terms;
}

/// Over a restart: what went through its digits goes on as if it had not.
TEST(ExactSum, GoesOnFromItsDigits) {
    std::mt19937_64 engine(5);
    for (int trial = 0; trial < 50; ++trial) {
        const std::vector<double> before = random_terms(engine, 40, -1070, 1000),
                                  after = random_terms(engine, 40, -1070, 1000);
        ExactSum whole = sum_of(before), first = sum_of(before);
        const auto digits = first.digits();
        ExactSum second(std::vector<std::int64_t>(digits.begin(), digits.end()));
        for (const double term : after) {
            whole.add(term);
            second.add(term);
        }
        ASSERT_EQ(second.value(), whole.value());
        ASSERT_TRUE(std::ranges::equal(second.digits(), whole.digits()));
    }
}

TEST(ExactSum, OfNothingIsPositiveZero) {
    EXPECT_EQ(ExactSum{}.value(), 0.0);
    EXPECT_FALSE(std::signbit(sum_of({-0.0, -0.0}).value()));
}

TEST(ExactSum, OfOneTermIsTheTerm) {
    std::mt19937_64 engine(1);
    for (int trial = 0; trial < 100000; ++trial) {
        const double x = std::bit_cast<double>(engine());
        if (std::isfinite(x)) {
            ASSERT_EQ(sum_of({x}).value(), x);
        }
    }
    for (const double x :
         {smallest, -smallest, 0x1p-1022, 0x1.fffffffffffffp-1023, largest, -largest, 1.0, -1.0})
        EXPECT_EQ(sum_of({x}).value(), x);
}

TEST(ExactSum, KeepsWhatCancellationWouldLose) {
    EXPECT_EQ(sum_of({1e308, 1, -1e308}).value(), 1);
    EXPECT_EQ(sum_of({1e308, smallest, -1e308}).value(), smallest);
    EXPECT_EQ(sum_of({largest, largest, -largest}).value(),
              largest); // passes beyond the doubles and comes back
    EXPECT_EQ(sum_of({-largest, -largest, largest, -1, largest}).value(), -1);
    EXPECT_EQ(sum_of({1e-320, 2e-320, -1e-320}).value(), 2e-320);
    EXPECT_EQ(sum_of(std::vector<double>(1000, smallest)).value(), 1000 * smallest);
}

TEST(ExactSum, RoundsToNearestAndTiesToEven) {
    EXPECT_EQ(sum_of({1, 0x1p-53}).value(), 1);
    EXPECT_EQ(sum_of({1, 0x1p-53, smallest}).value(), 1 + 0x1p-52);
    EXPECT_EQ(sum_of({1, 0x1p-53, -smallest}).value(), 1);
    EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}).value(), 1 + 0x1p-51);
    EXPECT_EQ(sum_of({-1, -0x1p-53, -smallest}).value(), -1 - 0x1p-52);
    EXPECT_EQ(sum_of({2 - 0x1p-52, 0x1p-53}).value(), 2); // the carry runs through the whole mantissa
    EXPECT_EQ(sum_of({largest, 0x1p969}).value(), largest);
    EXPECT_EQ(sum_of({largest, 0x1p970}).value(), infinity);
    EXPECT_EQ(sum_of({-largest, -largest}).value(), -infinity);
    EXPECT_EQ(sum_of(std::vector<double>(100000, largest)).value(), infinity);
}

TEST(ExactSum, AgreesWithQuadruplePrecisionWhereThatIsExact) {
    std::mt19937_64 engine(2);
    for (int trial = 0; trial < 20000; ++trial) {
        // 53 bits of mantissa, 40 of spread and 5 of carry fit into 113.
        const int lowest = static_cast<int>(engine() % 2000) - 1000;
        const std::vector<double> terms =
            random_terms(engine, 1 + engine() % 32, lowest, std::min(lowest + 40, 1000));
        Quad expected = 0;
        for (const double term : terms)
            expected += term;
        ASSERT_EQ(sum_of(terms).value(), static_cast<double>(expected)) << "trial " << trial;
    }
}

TEST(ExactSum, IsWithinHalfAUnitInTheLastPlaceOverTheWholeRange) {
    std::mt19937_64 engine(3);
    for (int trial = 0; trial < 5000; ++trial) {
        ExactSum sum = sum_of(random_terms(engine, 1 + engine() % 50, -1074, 1000));
        const double value = sum.value();
        sum.add(-value);
        const double unit = std::nextafter(std::fabs(value), infinity) - std::fabs(value);
        ASSERT_LE(std::fabs(sum.value()), unit / 2) << "trial " << trial;
    }
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
    std::mt19937_64 engine(4);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> terms =
            random_terms(engine, 500, trial % 2 == 0 ? -1074 : -30, trial % 2 == 0 ? 1000 : 30);
        const double expected = sum_of(terms).value();
        for (int repeat = 0; repeat < 5; ++repeat) {
            std::shuffle(terms.begin(), terms.end(), engine);
            ASSERT_EQ(sum_of(terms).value(), expected);
        }
    }
}

TEST(ExactSum, DoesNotDependOnTheGrouping) {
    std::mt19937_64 engine(5);
    for (int trial = 0; trial < 200; ++trial) {
        const std::vector<double> terms = random_terms(engine, 300, -200, 200);
        const std::size_t group_count = 1 + engine() % 20;
        std::vector<ExactSum> merged(group_count), reduced(group_count);
        for (const double term : terms) {
            const std::size_t group = engine() % group_count;
            merged[group].add(term);
            reduced[group].add(term);
        }
        ExactSum whole = sum_of(terms);
        for (std::size_t group = 1; group < group_count; ++group) {
            merged[0].add(merged[group]);
            // What MPI_SUM does:
            const auto mine = reduced[0].digits(), theirs = reduced[group].digits();
            if (group == 1 || group % 7 == 0) {
                for (std::size_t k = 0; k < mine.size(); ++k)
                    mine[k] += theirs[k];
            } else {
                reduced[0].add(reduced[group]);
            }
        }
        ASSERT_EQ(merged[0].value(), whole.value());
        ASSERT_EQ(reduced[0].value(), whole.value());
        ASSERT_TRUE(std::ranges::equal(merged[0].digits(), whole.digits()));
        ASSERT_TRUE(std::ranges::equal(reduced[0].digits(), whole.digits()));
    }
}

TEST(ExactSum, DigitsOfAMillionRanksMayBeSummed) {
    constexpr std::int64_t rank_count = 1 << 20;
    for (const double x : {largest, -largest, -smallest, 1.0 - 0x1p-53, -1.0 / 3.0}) {
        ExactSum sum = sum_of({x});
        for (std::int64_t& digit : sum.digits())
            ASSERT_FALSE(__builtin_mul_overflow(digit, rank_count, &digit));
        // All but one of them taken away again, term by term.
        for (std::int64_t rank = 1; rank < rank_count; ++rank)
            sum.add(-x);
        EXPECT_EQ(sum.value(), x);
    }
}

TEST(ExactSum, CarriesInTimeWhenTermsAreMany) {
    // Doubling by merging reaches the term limit in 30 steps, and 2^40 terms soon after.
    ExactSum sum = sum_of({-largest, 1 - 0x1p-53, smallest});
    for (int step = 0; step < 40; ++step)
        sum.add(ExactSum(sum));
    ExactSum expected = sum_of({0x1p40 - 0x1p-13, 0x1p-1034});
    EXPECT_EQ(sum.value(), -infinity);
    ExactSum back = sum_of({largest});
    for (int step = 0; step < 40; ++step)
        back.add(back);
    sum.add(back);
    EXPECT_EQ(sum.value(), 0x1p40 - 0x1p-13);
    EXPECT_TRUE(std::ranges::equal(sum.digits(), expected.digits()));
}

TEST(ExactSum, RemembersNonFiniteTermsWhateverTheOrder) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(sum_of({1, infinity, 2}).value(), infinity);
    EXPECT_EQ(sum_of({-infinity, largest, largest}).value(), -infinity);
    EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity}).value()));
    EXPECT_TRUE(std::isnan(sum_of({-infinity, 3, infinity}).value()));
    EXPECT_TRUE(std::isnan(sum_of({nan, infinity}).value()));
    EXPECT_TRUE(std::isnan(sum_of({infinity, nan}).value()));
    ExactSum merged = sum_of({1});
    ExactSum reduced = sum_of({-infinity});
    const auto mine = reduced.digits();
    const auto theirs = merged.digits();
    for (std::size_t k = 0; k < mine.size(); ++k)
        mine[k] += theirs[k];
    EXPECT_EQ(reduced.value(), -infinity);
    merged.add(sum_of({infinity}));
    EXPECT_EQ(merged.value(), infinity);
    merged.add(reduced);
    EXPECT_TRUE(std::isnan(merged.value()));
}

} // namespace
