#include "tamp/solver/method.hpp"

#include <gtest/gtest.h>

#include "bed.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

/// A whole solver around a bed.
struct Solve {
    Bed bed;
    Profile profile;
    Sweeper sweeper{7, profile};
    TotalsOverRanks totals{self(), profile};
    PistonCoupling pistons{self(), profile};
    SolveTask task = bed.task(3);

    const SolveReport& run(const SolverSettings& settings) {
        stopping.emplace(settings);
        pistons.begin(bed.walls, bed.contacts.contacts_of_wall(), 1e-3);
        stopping->begin();
        sweeper.begin(task);
        Iteration iteration({task, sweeper, pistons, totals, *stopping});
        method_of(settings)(iteration, settings);
        EXPECT_EQ(iteration.sweeps(), stopping->report().sweeps);
        return stopping->report();
    }
    void run(std::initializer_list<SweepPass> passes) {
        sweeper.begin(task);
        int number = -1; // `apply` comes before sweep 0
        for (const SweepPass pass : passes)
            sweeper.sweep(pass, std::max(0, number++), bed.wall_states());
    }

    std::optional<StoppingRule> stopping;
};

TEST(PlainMethod, StringsSweepsTogetherInTheOrderAsked) {
    using enum SweepPass;
    const auto check = [](SweepOrder order, std::initializer_list<SweepPass> passes) {
        Solve solve, expected;
        const SolverSettings settings{.order = order, .tolerance = 1e-12, .max_sweeps = 3};
        EXPECT_TRUE(solve.run(settings).capped);
        expected.run(passes);
        EXPECT_TRUE(same_bits(solve.bed, expected.bed));
    };
    check(SweepOrder::fixed, {apply, forward, forward, forward});
    check(SweepOrder::symmetric, {apply, forward, backward, forward});
    check(SweepOrder::random, {apply, shuffled, shuffled, shuffled});
}

TEST(PlainMethod, EndsWithinTheTolerances) {
    for (const SweepOrder order : {SweepOrder::fixed, SweepOrder::symmetric, SweepOrder::random}) {
        Solve solve;
        const SolverSettings settings{.order = order, .tolerance = 1e-5, .max_sweeps = 5000};
        const SolveReport report = solve.run(settings);
        EXPECT_FALSE(report.capped);
        EXPECT_GE(report.sweeps, settings.min_sweeps);
        const ContactTotals& now = solve.totals.collect(solve.task, solve.bed.wall_states());
        EXPECT_LE(now.residual, settings.tolerance * now.normal);
        EXPECT_EQ(report.residual, now.residual / now.normal) << "of the last sweep";
    }
}

} // namespace
