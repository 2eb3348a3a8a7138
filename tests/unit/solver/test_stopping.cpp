#include "tamp/solver/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

/// Sweeps whose totals a function tells. Returns the sweeps at which the rule looked.
template <class Totals>
std::vector<int> run(StoppingRule& rule, Totals&& totals) {
    std::vector<int> looks;
    rule.begin();
    for (int sweeps = 1;; ++sweeps) {
        if (!rule.looks_after(sweeps))
            continue;
        looks.push_back(sweeps);
        if (rule.ends(sweeps, totals(sweeps)))
            return looks;
    }
}

/// Constant forces, and a residual.
ContactTotals loaded(double residual) {
    return {.residual = residual, .normal = 3, .loaded = 6, .largest = 2 * residual, .forces = {1, 1, 1, 5}};
}

const SolverSettings settings{.method = SweepMethod::plain,
                              .tolerance = 1e-3,
                              .force_tolerance = 1e-2,
                              .min_sweeps = 4,
                              .max_sweeps = 500};

TEST(StoppingRule, EndsAtTheFirstLookWithinTheTolerance) {
    for (const double decay : {3.0, 15.0, 40.0}) {
        StoppingRule rule(settings);
        const auto residual = [&](int sweeps) { return 3 * std::exp(-sweeps / decay); };
        const std::vector<int> looks = run(rule, [&](int sweeps) { return loaded(residual(sweeps)); });
        ASSERT_GE(looks.size(), 3u);
        for (std::size_t i = 0; i < looks.size(); ++i)
            EXPECT_EQ(residual(looks[i]) / 3 <= settings.tolerance, i + 1 == looks.size()) << decay;
        const SolveReport& report = rule.report();
        EXPECT_EQ(report.sweeps, looks.back());
        EXPECT_DOUBLE_EQ(report.residual, residual(looks.back()) / 3);
        EXPECT_DOUBLE_EQ(report.largest, 2 * residual(looks.back()) * 6 / 3); // over the mean of six contacts
        EXPECT_EQ(report.normal_impulse, 3);
        EXPECT_EQ(report.force_error, 0);
        EXPECT_FALSE(report.capped);
        EXPECT_EQ(rule.last_sweeps(), looks.back());
    }
}

TEST(StoppingRule, NothingTouchesAndNothingMovesIsTheEnd) {
    StoppingRule rule(settings);
    const std::vector<int> looks = run(rule, [](int) { return ContactTotals{}; });
    EXPECT_EQ(looks, (std::vector{2, 3, 5})) << "the first look after min_sweeps";
    EXPECT_EQ(rule.report().residual, 0);
}

TEST(StoppingRule, ResidualWithoutLoadIsNotSolved) {
    StoppingRule rule(settings);
    const ContactTotals totals{.residual = 1e-30};
    run(rule, [&](int) { return totals; });
    EXPECT_TRUE(rule.report().capped);
    EXPECT_EQ(rule.report().residual, 1);
}

TEST(StoppingRule, WaitsForForcesThatStillGrow) {
    for (const double decay : {10.0, 60.0}) {
        StoppingRule rule(settings);
        const auto missing = [&](int sweeps) { return std::exp(-sweeps / decay); };
        const std::vector<int> looks = run(rule, [&](int sweeps) {
            ContactTotals totals = loaded(0);
            totals.forces[3] *= 1 - missing(sweeps); // the force of a wall
            return totals;
        });
        EXPECT_FALSE(rule.report().capped);
        EXPECT_LE(rule.report().force_error, settings.force_tolerance);
        EXPECT_LT(missing(looks.back()), 1.5 * settings.force_tolerance) << decay;
        EXPECT_GT(missing(looks[looks.size() - 2]), settings.force_tolerance / 1.5)
            << "ended late, " << decay;
    }
}

TEST(StoppingRule, ForcesThatCancelAreMeasuredByWhatPresses) {
    // Tension and pressure of 100 each; the sums that are left, 1e-3, halve their error with every sweep.
    StoppingRule rule(settings);
    const std::vector<int> looks = run(rule, [&](int sweeps) {
        const double left = 1e-3 * (1 - std::exp2(-sweeps));
        return ContactTotals{.normal = 200, .loaded = 2, .forces = {left, left, left}};
    });
    EXPECT_EQ(looks, (std::vector{2, 3, 5})) << "1e-3 is nothing beside 200";
}

TEST(StoppingRule, CapEndsEverything) {
    for (const int most : {1, 3, 100}) {
        SolverSettings capped = settings;
        capped.max_sweeps = most;
        StoppingRule rule(capped);
        EXPECT_EQ(run(rule, [](int) { return loaded(1.0); }).back(), most);
        EXPECT_TRUE(rule.report().capped);
        EXPECT_EQ(rule.report().sweeps, most);
    }
    // Met at the last sweep that is allowed: that is no cap.
    SolverSettings just = settings;
    just.max_sweeps = 10;
    StoppingRule rule(just);
    EXPECT_EQ(run(rule, [](int sweeps) { return loaded(sweeps < 10 ? 1.0 : 0.0); }).back(), 10);
    EXPECT_FALSE(rule.report().capped);
}

/// Sweeps of a solve whose fastest approach falls with the sweeps while all else is well, after so many
/// sweeps. So many of the contacts are as fast.
int sweeps_until_slow(SweepMethod method, const SolveLimits& limits, int fast = 1, int contacts = 1,
                      int solved_after = 0) {
    SolverSettings with_momentum = settings;
    with_momentum.method = method;
    StoppingRule rule(with_momentum);
    rule.begin(limits);
    for (int sweeps = 1;; ++sweeps) {
        ContactTotals totals = loaded(sweeps < solved_after ? 1.0 : 0.0);
        totals.approach = 1.0 / sweeps;
        totals.fast = totals.approach > limits.approach ? fast : 0;
        totals.loaded = contacts;
        totals.missing = 0.0;
        const bool looks =
            method == SweepMethod::plain ? rule.looks_after(sweeps) : rule.looks_after(sweeps, 1.0);
        if (looks && rule.ends(sweeps, totals))
            return sweeps;
    }
}

TEST(StoppingRule, WaitsUntilNobodyApproachesTooFast) {
    EXPECT_LT(sweeps_until_slow(SweepMethod::ratio, {}), 8);
    for (const double limit : {0.1, 0.02}) {
        const int sweeps = sweeps_until_slow(SweepMethod::ratio, {.approach = limit, .insists = true});
        EXPECT_GE(sweeps, 1 / limit);
        EXPECT_LE(sweeps, 1.6 / limit);
    }
    EXPECT_LT(sweeps_until_slow(SweepMethod::plain, {.approach = 1e-3}), 8) << "plain sweeps keep their bits";
}

TEST(StoppingRule, AnApproachThatIsOnlyWishedForTakesFewSweeps) {
    const auto sweeps_after = [](int solved, double limit) {
        return sweeps_until_slow(SweepMethod::ratio, {.approach = limit}, 1, 1, solved);
    };
    EXPECT_GE(sweeps_after(0, 0.1), 10) << "those of a short solve are cheap";
    EXPECT_LE(sweeps_after(0, 0.1), 16);
    for (const auto& [solved, least, most] : {std::tuple{0, 28, 32}, {20, 28, 32}, {80, 90, 115}}) {
        const int sweeps = sweeps_after(solved, 1e-3);
        EXPECT_GE(sweeps, least) << solved;
        EXPECT_LE(sweeps, most) << solved;
    }
}

TEST(StoppingRule, OneContactInTenThousandMayBeFourTimesAsFast) {
    const SolveLimits limits{.approach = 0.01, .insists = true};
    for (const auto& [fast, contacts, least] :
         {std::tuple{1, 9'000, 100}, {1, 11'000, 25}, {100, 1'100'000, 25}, {100, 900'000, 100}}) {
        const int sweeps = sweeps_until_slow(SweepMethod::ratio, limits, fast, contacts);
        EXPECT_GE(sweeps, least) << fast << " of " << contacts;
        EXPECT_LE(sweeps, 1.6 * least) << fast << " of " << contacts;
    }
}

TEST(StoppingRule, ShortStepsAreNotCapped) {
    for (const int most : {2, 7, 1000}) {
        StoppingRule rule(settings);
        rule.begin({.sweeps = most});
        int sweeps = 1;
        while (!rule.looks_after(sweeps) || !rule.ends(sweeps, loaded(1.0)))
            ++sweeps;
        EXPECT_EQ(sweeps, std::min(most, settings.max_sweeps));
        EXPECT_EQ(rule.report().capped, most > settings.max_sweeps);
        EXPECT_EQ(rule.report().shortened, most < settings.max_sweeps);
    }
}

TEST(StoppingRule, FirstLookDependsOnTheSolveBefore) {
    const auto first_look = [](StoppingRule& rule) {
        rule.begin();
        int sweeps = 1;
        while (!rule.looks_after(sweeps))
            ++sweeps;
        return sweeps;
    };
    StoppingRule rule(settings);
    EXPECT_EQ(first_look(rule), 2);
    for (const auto& [last, expected] : {std::pair{15, 2}, {16, 3}, {24, 5}, {48, 9}, {5000, 9}}) {
        rule.set_last_sweeps(last);
        EXPECT_EQ(first_look(rule), expected) << last;
    }
    EXPECT_EQ(rule.last_sweeps(), 0) << "a solve without a contact has no sweeps";
    EXPECT_EQ(first_look(rule), 2);
}

TEST(StoppingRule, ForgetsTheForcesOfTheSolveBefore) {
    StoppingRule rule(settings);
    const auto solved = [](int) { return loaded(0); };
    const std::vector<int> first = run(rule, solved);
    rule.set_last_sweeps(0);
    EXPECT_EQ(run(rule, solved), first) << "three looks anew before the balance is known";
    EXPECT_EQ(first.size(), 3u);
}

// With momentum the change of each sweep is known, and tells when a look is worth its time.

SolverSettings with_momentum() {
    SolverSettings result = settings;
    result.method = SweepMethod::ratio;
    result.force_tolerance = 0.2;
    return result;
}

/// The same as `run` for changes that fall as the residual does.
template <class Totals>
std::vector<int> run_with_momentum(StoppingRule& rule, Totals&& totals) {
    std::vector<int> looks;
    rule.begin();
    for (int sweeps = 1;; ++sweeps) {
        const ContactTotals now = totals(sweeps);
        if (!rule.looks_after(sweeps, 7 * now.residual * now.residual))
            continue;
        looks.push_back(sweeps);
        if (rule.ends(sweeps, now))
            return looks;
    }
}

TEST(StoppingRuleWithMomentum, LooksWhenTheChangeSaysThatItIsTime) {
    for (const double decay : {1.0, 3.0, 15.0, 40.0}) {
        StoppingRule rule(with_momentum());
        const auto residual = [&](int sweeps) { return 3 * std::exp(-sweeps / decay); };
        const std::vector<int> looks =
            run_with_momentum(rule, [&](int sweeps) { return loaded(residual(sweeps)); });
        const int solved = static_cast<int>(std::ceil(decay * std::log(1 / settings.tolerance)));
        EXPECT_LE(residual(looks.back()) / 3, settings.tolerance);
        EXPECT_LE(looks.back(), std::max(settings.min_sweeps, solved + 1 + solved / 8)) << decay;
        EXPECT_LE(static_cast<double>(looks.size()), 3 + std::log(looks.back()) / std::log(1.5)) << decay;
        EXPECT_FALSE(rule.report().capped);
    }
}

TEST(StoppingRuleWithMomentum, LooksNowAndThenEvenIfTheChangeDoesNotFall) {
    StoppingRule rule(with_momentum());
    const std::vector<int> looks = run_with_momentum(rule, [](int) { return loaded(1.0); });
    EXPECT_EQ(looks.back(), settings.max_sweeps);
    EXPECT_TRUE(rule.report().capped);
    for (std::size_t i = 2; i < looks.size(); ++i)
        EXPECT_LE(looks[i], looks[i - 1] + std::max(2, looks[i - 1] / 2));
}

TEST(StoppingRuleWithMomentum, LooksAgainSoonWhereTheChangeSaysThatItIsTime) {
    StoppingRule rule(with_momentum());
    rule.set_last_sweeps(64);
    rule.begin();
    ASSERT_TRUE(rule.looks_after(32, 1.0));
    ASSERT_FALSE(rule.ends(32, loaded(1.0)));
    EXPECT_FALSE(rule.looks_after(33, 1e-12));
    EXPECT_TRUE(rule.looks_after(34, 1e-12)) << "a sixteenth of the sweeps later";
}

/// What passes through zero on its way does not end a solve; the next solve starts anew.
TEST(StoppingRuleWithMomentum, ForceErrorFallsByALimitedFactor) {
    StoppingRule rule(with_momentum());
    rule.begin();
    ContactTotals totals = loaded(0);
    totals.missing = 0.5;
    rule.ends(2, totals);
    const double first = rule.report().force_error;
    EXPECT_GT(first, 0);
    totals.missing = 0.0;
    rule.ends(3, totals);
    EXPECT_DOUBLE_EQ(rule.report().force_error, 0.3 * first);
    rule.ends(4, totals);
    EXPECT_DOUBLE_EQ(rule.report().force_error, 0.3 * 0.3 * first);
    rule.begin();
    rule.ends(2, totals);
    EXPECT_EQ(rule.report().force_error, 0);
}

TEST(StoppingRuleWithMomentum, FirstLookDependsOnTheSolveBefore) {
    SolverSettings varied = with_momentum();
    for (const auto& [least, last, expected] :
         {std::tuple{1, 0, 2},
          {1, 4, 2},
          {1, 7, 3},
          {1, 40, 20},
          {1, 64, 32},
          {1, 5000, 32},
          {4, 0, 4}, // before the fewest sweeps no look can end the solve
          {4, 40, 20}}) {
        varied.min_sweeps = least;
        StoppingRule rule(varied);
        rule.set_last_sweeps(last);
        rule.begin();
        int sweeps = 1;
        while (!rule.looks_after(sweeps, 1.0))
            ++sweeps;
        EXPECT_EQ(sweeps, expected) << last;
    }
}

TEST(StoppingRuleWithMomentum, WaitsForTheMissingImpulse) {
    StoppingRule rule(with_momentum());
    const auto missing = [](int sweeps) { return std::exp(-sweeps / 30.0); };
    const std::vector<int> looks = run_with_momentum(rule, [&](int sweeps) {
        ContactTotals totals = loaded(0);
        totals.missing = missing(sweeps);
        return totals;
    });
    EXPECT_EQ(rule.report().force_error, missing(looks.back()));
    EXPECT_LE(rule.report().force_error, 0.2);
    EXPECT_GT(missing(looks[looks.size() - 2]), 0.2);
}

/// In a bonded row that falls freely all impulses are round-off, and so is what is missing of them.
TEST(StoppingRuleWithMomentum, WhereNothingPressesCohesionIsTheScale) {
    StoppingRule rule(with_momentum());
    run_with_momentum(rule, [](int) {
        return ContactTotals{.normal = 5, .loaded = 5, .forces = {0, 0, 1e-17}, .missing = 0.9};
    });
    EXPECT_FALSE(rule.report().capped);
    EXPECT_LT(rule.report().force_error, 1e-15);
}

TEST(StoppingRuleWithMomentum, ReportsResetsAndFallbacks) {
    StoppingRule rule(with_momentum());
    rule.begin();
    Momentum momentum(SweepMethod::ratio);
    for (const double change : {1.0, 2.0, 3.0, 2.5, 4.0})
        momentum.note(change);
    rule.note(momentum);
    EXPECT_EQ(rule.report().resets, 3);
    EXPECT_EQ(rule.report().fallbacks, 0);
    rule.begin();
    EXPECT_EQ(rule.report().resets, 0) << "of the last solve";
}

} // namespace
