#include "tamp/solver/momentum.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

/// The factors of the sweeps that follow changes of these sizes (not their squares).
std::vector<double> factors(Momentum& momentum, const std::vector<double>& changes) {
    std::vector<double> result;
    for (const double change : changes) {
        momentum.note(change * change);
        result.push_back(momentum.factor());
    }
    return result;
}

void expect_factors(Momentum& momentum, const std::vector<double>& changes,
                    const std::vector<double>& expected) {
    const std::vector<double> got = factors(momentum, changes);
    for (std::size_t i = 0; i < changes.size(); ++i)
        EXPECT_DOUBLE_EQ(got[i], expected[i]) << i;
}

TEST(Momentum, OfTheFirstSweepIsNone) {
    for (const SweepMethod method : {SweepMethod::ratio, SweepMethod::nesterov}) {
        Momentum momentum(method);
        EXPECT_EQ(momentum.factor(), 0);
        EXPECT_EQ(momentum.resets(), 0);
        EXPECT_EQ(momentum.fallbacks(), 0);
        momentum.note(5);
        EXPECT_EQ(momentum.factor(), 0) << "one change alone tells no ratio";
    }
}

TEST(Momentum, RatioIsAPowerOfThatOfTheLastTwoChanges) {
    const auto power = [](double ratio) { return std::pow(ratio, 0.7); };
    Momentum momentum(SweepMethod::ratio);
    expect_factors(momentum, {8, 4, 3, 2.7}, {0, power(0.5), power(0.75), power(0.9)});
    EXPECT_EQ(momentum.resets(), 0);
    expect_factors(momentum, {2.69}, {0.95}); // never more
    expect_factors(momentum, {2.69}, {0.95});
    expect_factors(momentum, {4, 2}, {0, power(0.5)}); // none where the change grows
    EXPECT_EQ(momentum.resets(), 1);
    expect_factors(momentum, {3, 5, 4}, {0, 0, power(0.8)});
    EXPECT_EQ(momentum.resets(), 3);
    expect_factors(momentum, {0, 0, 0}, {0, 0, 0}); // nothing changes any more
    EXPECT_EQ(momentum.fallbacks(), 0);
}

TEST(Momentum, RatioOutlastsSmallGrowthInLongSolves) {
    Momentum momentum(SweepMethod::ratio);
    expect_factors(momentum, {1, 1.02}, {0, 0});
    EXPECT_EQ(momentum.resets(), 1);
    for (int sweeps = 2; sweeps < 40; ++sweeps)
        momentum.note(1 - 1e-4 * sweeps);     // a new minimum each time
    expect_factors(momentum, {1.01}, {0.95}); // |f|^2 grows by 3 %
    EXPECT_EQ(momentum.resets(), 1);
    expect_factors(momentum, {1.05}, {0}); // by 8 %
    EXPECT_EQ(momentum.resets(), 2);
}

TEST(Momentum, NesterovGrowsUntilTheChangeGrows) {
    Momentum momentum(SweepMethod::nesterov);
    expect_factors(momentum, {9, 8, 7, 7, 6, 5}, {0, 1. / 4, 2. / 5, 3. / 6, 4. / 7, 5. / 8});
    EXPECT_EQ(momentum.resets(), 0);
    expect_factors(momentum, {6}, {0});
    EXPECT_EQ(momentum.resets(), 1);
    expect_factors(momentum, {5, 4, 3}, {0, 1. / 4, 2. / 5}); // from j = 0
    expect_factors(momentum, {3.5, 4, 1, 0.5}, {0, 0, 0, 1. / 4});
    EXPECT_EQ(momentum.resets(), 3);
}

TEST(Momentum, StaysBelowOneForAnyChanges) {
    for (const SweepMethod method : {SweepMethod::ratio, SweepMethod::nesterov}) {
        Momentum momentum(method);
        double change = 1;
        for (int i = 0; i < 5000; ++i) {
            change *= i % 7 == 3 ? 1.5 : 0.999 + 1e-3 * std::sin(i);
            momentum.note(change);
            ASSERT_GE(momentum.factor(), 0);
            ASSERT_LE(momentum.factor(), method == SweepMethod::ratio ? 0.95 : 1.0);
        }
    }
}

/// Changes that go up and down but find no new minimum.
class Restless {
public:
    explicit Restless(SweepMethod method) : momentum(method) { momentum.note(1); }

    /// Until the next fallback; returns the number of sweeps.
    int until_fallback() {
        const int before = momentum.fallbacks();
        int sweeps = 0;
        while (momentum.fallbacks() == before && sweeps < 10000)
            note(), ++sweeps;
        return sweeps;
    }
    /// Sweeps without momentum that follow.
    int plain_sweeps() {
        int sweeps = 0;
        // Falling ones, so that the rule alone decides, and not that changes grow.
        for (double change = 0.5; momentum.factor() == 0 && sweeps < 10000; change *= 0.9, ++sweeps)
            momentum.note(change);
        return sweeps;
    }
    void note() { momentum.note(++noted_ % 3 == 0 ? 2.5 : 2.0); }

    Momentum momentum;

private:
    int noted_ = 0;
};

TEST(Momentum, WithoutANewMinimumPlainSweepsHelpOut) {
    for (const SweepMethod method : {SweepMethod::ratio, SweepMethod::nesterov}) {
        Restless sweeps(method);
        EXPECT_EQ(sweeps.until_fallback(), 41) << "more than forty without a new minimum";
        EXPECT_EQ(sweeps.momentum.fallbacks(), 1);
        const int plain = sweeps.plain_sweeps();
        EXPECT_GE(plain, 20);
        EXPECT_LE(plain, 23) << "then momentum begins anew";
        EXPECT_EQ(sweeps.momentum.fallbacks(), 1);
        EXPECT_GT(sweeps.momentum.factor(), 0);
        EXPECT_EQ(sweeps.until_fallback(), 41) << "and may fail again";
        EXPECT_EQ(sweeps.momentum.fallbacks(), 2);
    }
}

TEST(Momentum, HasMorePatienceInLongSolves) {
    Momentum momentum(SweepMethod::ratio);
    double change = 1;
    for (int i = 0; i < 900; ++i)
        momentum.note(change *= 0.99);
    int sweeps = 0;
    while (momentum.fallbacks() == 0 && sweeps < 10000)
        momentum.note(2 * change), ++sweeps;
    // More than a third of the sweeps so far: n > (900 + n)/3.
    EXPECT_NEAR(sweeps, 450, 2);
}

TEST(Momentum, ANewMinimumNowAndThenIsEnough) {
    Momentum momentum(SweepMethod::ratio);
    double least = 1;
    for (int i = 0; i < 2000; ++i)
        momentum.note(i % 39 == 0 ? least *= 0.9 : 2 * least);
    EXPECT_EQ(momentum.fallbacks(), 0);
}

TEST(ChosenMethod, IsTheOneAskedForOrRatio) {
    EXPECT_EQ(chosen_method({}), SweepMethod::ratio);
    EXPECT_EQ(chosen_method({.order = SweepOrder::symmetric}), SweepMethod::plain);
    for (const SweepMethod method : {SweepMethod::plain, SweepMethod::ratio, SweepMethod::nesterov})
        EXPECT_EQ(chosen_method({.method = method}), method);
}

} // namespace
