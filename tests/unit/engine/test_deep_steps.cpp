#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "../../parallel/rigid_cases.hpp"
#include "tamp/solver/step_rule.hpp"

// Deep packings are moved in short steps with few sweeps, and overlaps grow as slowly as the case wants.
namespace {

using namespace tamp;
using namespace tamp::test;

constexpr double for_ever = 1e9;

struct Outcome {
    int most_sweeps = 0;
    double longest_step = 0, overlap = 0;
    std::int64_t capped = 0, shortened = 0;
};

Outcome run_case(const RankCase& settings) {
    const Communicator self(MPI_COMM_SELF);
    RigidRun run(self, settings.setup, settings.grains);
    Outcome outcome;
    for (int step = 0; step < settings.steps; ++step) {
        const StepReport report = run.step(for_ever);
        if (step > 0) { // before the first one nothing is known of the packing
            outcome.most_sweeps = std::max(outcome.most_sweeps, report.solve.sweeps);
            outcome.longest_step = std::max(outcome.longest_step, report.time_step);
        }
        outcome.overlap = std::max(outcome.overlap, report.overlap);
    }
    outcome.capped = run.world.totals.capped_steps;
    outcome.shortened = run.world.totals.shortened_steps;
    return outcome;
}

/// The rule of a column at rest on its floor.
struct Rule {
    double longest_step;
    int sweeps;
};

Rule rule_of(const RankCase& settings) {
    double mass = 0, volume = 0, size = 0;
    for (const Grain& grain : settings.grains) {
        const double each = grain_volume(grain.radius, 3);
        mass += settings.setup.materials[0].density * each, volume += each, size += 2 * grain.radius;
    }
    const auto count = static_cast<double>(settings.grains.size());
    const double area = settings.setup.box.volume() / settings.setup.box.length(2);
    const StepRule rule({.dimension = 3,
                         .mass = settings.setup.materials[0].density * volume / count,
                         .diameter = size / count,
                         .acceleration = 9.81,
                         .load_mass = mass / area});
    EXPECT_TRUE(rule.is_deep());
    return {rule.longest_step(mass * 9.81 / area), rule.sweeps()};
}

TEST(DeepSteps, AreShortAndHaveFewSweeps) {
    RankCase column = deep_column();
    column.steps = 500; // until it is dense
    const Rule rule = rule_of(column);
    const Outcome deep = run_case(column);
    EXPECT_GT(deep.longest_step, rule.longest_step) << "two sub-steps";
    EXPECT_LE(deep.longest_step, 2 * rule.longest_step * (1 + 1e-9));
    EXPECT_LE(deep.most_sweeps, 2 * rule.sweeps);
    EXPECT_EQ(deep.capped, 0);
    EXPECT_GT(deep.shortened, 0);
    column.setup.solver.substeps = 1;
    EXPECT_GT(run_case(column).most_sweeps, 2 * rule.sweeps) << "steps are solved if that is asked for";
}

TEST(DeepSteps, ShallowPackingsAreSolved) {
    RankCase shallow = with_ratio<compaction>();
    shallow.setup.solver.max_sweeps = 300;
    shallow.setup.solver.tolerance = 1e-5;
    shallow.steps = 60;
    const Outcome solved = run_case(shallow);
    EXPECT_GT(solved.most_sweeps, 40) << "two sub-steps of the rule would have less than 20 at this depth";
    EXPECT_LE(solved.longest_step, shallow.setup.time.max_step * (1 + 1e-9));
}

TEST(OverlapTolerance, BoundsWhatContactsGather) {
    RankCase bed = with_ratio<compaction>();
    bed.setup.solver.max_sweeps = 2000;
    bed.steps = 150;
    const auto overlap = [&](double tolerance) {
        bed.setup.solver.overlap_tolerance = tolerance;
        return run_case(bed).overlap / diameter;
    };
    const double loose = overlap(0.5), tight = overlap(1e-5);
    EXPECT_GT(loose, 10 * 1e-5) << "else nothing is tested";
    EXPECT_LT(tight, 0.2 * loose);
}

} // namespace
