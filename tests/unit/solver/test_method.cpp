#include "tamp/solver/method.hpp"

#include <gtest/gtest.h>

#include "solve.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

/// A bed after these passes.
void run(Bed& bed, std::initializer_list<SweepPass> passes) {
    Profile profile;
    Sweeper sweeper(7, profile);
    const SolveTask task = bed.task();
    sweeper.begin(task);
    int number = -1; // `apply` comes before sweep 0
    for (const SweepPass pass : passes)
        sweeper.sweep(pass, std::max(0, number++), bed.wall_states());
}

TEST(PlainMethod, StringsSweepsTogetherInTheOrderAsked) {
    using enum SweepPass;
    const auto check = [](SweepOrder order, std::initializer_list<SweepPass> passes) {
        Bed bed, expected;
        const SolverSettings settings{
            .method = SweepMethod::plain, .order = order, .tolerance = 1e-12, .max_sweeps = 3};
        EXPECT_TRUE(Solve(bed).run(settings).capped);
        run(expected, passes);
        EXPECT_TRUE(same_bits(bed, expected));
    };
    check(SweepOrder::fixed, {apply, forward, forward, forward});
    check(SweepOrder::symmetric, {apply, forward, backward, forward});
    check(SweepOrder::random, {apply, shuffled, shuffled, shuffled});
}

TEST(PlainMethod, EndsWithinTheTolerances) {
    for (const SweepOrder order : {SweepOrder::fixed, SweepOrder::symmetric, SweepOrder::random}) {
        Bed bed;
        Solve solve(bed);
        const SolverSettings settings{.method = SweepMethod::plain,
                                      .order = order,
                                      .tolerance = 1e-5,
                                      .force_tolerance = 1e-2,
                                      .max_sweeps = 5000};
        const SolveReport report = solve.run(settings);
        EXPECT_FALSE(report.capped);
        EXPECT_GE(report.sweeps, settings.min_sweeps);
        const ContactTotals& now = solve.totals.collect(solve.task, bed.wall_states());
        EXPECT_LE(now.residual, settings.tolerance * now.normal);
        EXPECT_EQ(report.residual, now.residual / now.normal) << "of the last sweep";
    }
}

} // namespace
