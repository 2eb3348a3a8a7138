#include "tamp/solver/load_slabs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "../../parallel/rigid_cases.hpp"

// How far the force error that a solve reports is from the true one: steps of packings, cut short after some
// sweeps, against the same steps solved to the end.
namespace {

using namespace tamp;
using namespace tamp::test;

constexpr double for_ever = 1e9;

/// Where a step starts from: with the impulses of the step before (warm), or without any (cold).
struct Start {
    RigidSetup setup;
    SavedWorld world;
    std::vector<SavedWords> engine;
    std::vector<Grain> cold; ///< if any
};

struct Outcome {
    std::vector<double> wall_forces; ///< along the normals
    double reported = 0;             ///< the force error
};

/// One step, with so many sweeps, or until it is solved.
Outcome make_step(const Start& start, int sweeps) {
    RigidSetup setup = start.setup;
    setup.solver.method = SweepMethod::ratio;
    setup.solver.tolerance = 1e-9;
    setup.solver.force_tolerance = 1e-6;
    setup.solver.min_sweeps = 1; // looks on the way, as a run has them; none is good enough to end it
    setup.solver.max_sweeps = sweeps > 0 ? sweeps : 30000;
    const Communicator self(MPI_COMM_SELF);
    RigidRun run = start.cold.empty() ? RigidRun(self, setup, start.world, start.engine)
                                      : RigidRun(self, setup, start.cold);
    const StepReport report = run.step(for_ever);
    Outcome outcome;
    outcome.reported = report.solve.force_error;
    for (const Wall& wall : run.walls())
        outcome.wall_forces.push_back(wall.pressing_force());
    return outcome;
}

/// The largest error of a wall's force over the largest force.
double error_of(const Outcome& now, const Outcome& right) {
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < now.wall_forces.size(); ++i) {
        error = std::max(error, std::abs(now.wall_forces[i] - right.wall_forces[i]));
        largest = std::max({largest, std::abs(right.wall_forces[i]), std::abs(now.wall_forces[i])});
    }
    return largest > 0 ? error / largest : 0;
}

/// How many looks, and how many of them were right.
struct Verdict {
    int looks = 0, within_two = 0, within_three = 0, too_low = 0;

    double share(int of) const { return static_cast<double>(of) / looks; }
};

/// Looks where the true error is between 1/2 and a hundredth: above, nothing is known of the forces yet, and
/// below nobody asks.
void judge(const Start& start, Verdict& verdict) {
    const Outcome right = make_step(start, 0);
    for (int sweeps = 4; sweeps <= 128; sweeps *= 2) {
        const Outcome now = make_step(start, sweeps);
        const double truth = error_of(now, right);
        if (truth < 0.01 || truth > 0.5)
            continue;
        const double ratio = now.reported / truth;
        ++verdict.looks;
        verdict.within_two += ratio < 2 && ratio > 0.5 ? 1 : 0;
        verdict.within_three += ratio < 3 && ratio > 1.0 / 3 ? 1 : 0;
        verdict.too_low += ratio <= 1.0 / 3 ? 1 : 0;
    }
}

struct Packing {
    double width, height; ///< in diameters
    int dimension = 3;
    double friction = 0.3;
    double force = 0; ///< of a piston, N
    int steps = 500;  ///< until it is at rest, or nearly so
    std::uint64_t seed = 7;
};

/// A loose lattice that falls together.
RankCase case_of(const Packing& packing) {
    const Box box = packing.dimension == 3
                        ? make_box(packing.width, packing.width, packing.height, {periodic, periodic, walled})
                        : make_box(packing.width, packing.height, 0, {periodic, walled, open});
    RankCase result = start_case(box, 60);
    result.setup.solver.method = SweepMethod::ratio;
    result.setup.solver.substeps = 1; // deep ones, too, are to be solved
    result.setup.materials = MaterialTable({{"glass", 2500, packing.friction}, {"steel", 7800, 0.1}});
    GeneratorSettings settings = spheres(box, 0, 0.1, 0, 0.95);
    settings.kind = GeneratorKind::lattice;
    settings.size = {.kind = SizeKind::uniform, .min = 0.9 * diameter, .max = 1.1 * diameter};
    settings.spacing = 1.12 * diameter;
    settings.jitter = 1;
    result.grains = generate(settings, box, packing.seed, 0);
    if (packing.force > 0) {
        result.setup.walls.push_back(piston(packing.height, packing.force));
        if (packing.dimension == 2) {
            Wall& wall = result.setup.walls.back();
            wall.point = {0, packing.height * diameter, 0};
            wall.normal = {0, -1, 0};
            wall.mass = 5;
        }
    }
    return result;
}

void judge(const Packing& packing, Verdict& warm, Verdict& cold) {
    const RankCase settings = case_of(packing);
    const Communicator self(MPI_COMM_SELF);
    RigidRun run(self, settings.setup, settings.grains);
    for (int step = 0; step < packing.steps; ++step) {
        run.step(for_ever);
        if (step >= packing.steps - 150 && step % 50 == 49)
            judge({settings.setup, run.world.save(), run.engine.save(), {}}, warm);
    }
    Start start{settings.setup, {}, {}, {}};
    start.setup.walls.assign(run.walls().begin(), run.walls().end());
    for (std::size_t i = 0; i < run.store().owned; ++i)
        start.cold.push_back(run.store().grain(i));
    judge(start, cold);
}

/// Of 33 looks at cold solves 94 % are right to a factor of 2, and 97 % to 3. Of 155 at warm ones, where
/// errors are small and of either sign, 81 % are right to a factor of 2, 90 % to 3, and 10 % are too low by
/// more than that. What packings do is chance: with other seeds, or another compiler, these shares differ by
/// up to 8 %.
TEST(MissingForce, IsToldHonestly) {
    Verdict warm, cold;
    for (const Packing& packing : {Packing{6, 20},
                                   {6, 20, 3, 0.0},
                                   {6, 20, 3, 0.6},
                                   {6, 20, 3, 0.3, 0.3},
                                   {20, 30, 2},
                                   {20, 30, 2, 0.3, 300},
                                   {4, 85, 3, 0.3, 0, 700}, // 60 layers of nine
                                   {6, 20, 3, 0.3, 0, 500, 8},
                                   {6, 20, 3, 0.6, 0, 500, 8},
                                   {6, 20, 3, 0.3, 0.3, 500, 8},
                                   {20, 30, 2, 0.3, 0, 500, 8},
                                   {20, 30, 2, 0.3, 300, 500, 8}})
        judge(packing, warm, cold);
    EXPECT_GE(cold.looks, 15);
    EXPECT_GE(warm.looks, 80);
    EXPECT_GE(cold.share(cold.within_two), 0.75) << cold.within_two << " of " << cold.looks;
    EXPECT_GE(cold.share(cold.within_three), 0.9) << cold.within_three << " of " << cold.looks;
    EXPECT_GE(warm.share(warm.within_two), 0.65) << warm.within_two << " of " << warm.looks;
    EXPECT_GE(warm.share(warm.within_three), 0.8) << warm.within_three << " of " << warm.looks;
    EXPECT_LE(warm.share(warm.too_low), 0.18) << warm.too_low << " of " << warm.looks;
}

} // namespace
