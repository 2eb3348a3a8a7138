// A short run makes the stages of a case, and stops when its time is over.

#include <algorithm>

#include <gtest/gtest.h>

#include "../config/cases.hpp"
#include "tamp/app/trial_run.hpp"

namespace tamp {
namespace {

/// Ten grains fall onto a floor.
class FallingGrains : public testing::Test {
protected:
    TrialRun run(std::vector<std::string> overrides, double seconds) {
        overrides.emplace_back("gravity=[0,0,-10]");
        const Case settings = test::parse_with(overrides);
        const Start start = make_start(self_, settings, "case.toml");
        return try_out(self_, settings, start, seconds, "trial", progress_);
    }

    Communicator self_{MPI_COMM_SELF};
    Progress progress_{ProgressStyle::none};
};

TEST_F(FallingGrains, AllStagesAreRun) {
    const TrialRun trial = run({"time.step=1e-3", "stage[0].steps=25"}, 100);
    EXPECT_EQ(trial.steps.size(), 25u);
    EXPECT_EQ(trial.share, 1);
    EXPECT_NEAR(trial.simulated, 25e-3, 1e-12);
    EXPECT_EQ(trial.grains.size(), 10u);
    EXPECT_EQ(trial.walls.size(), 6u);
    EXPECT_EQ(trial.trouble, "");
    EXPECT_GT(trial.seconds, 0);
    EXPECT_GE(trial.sweep_seconds, 0);
    EXPECT_LE(trial.sweep_seconds, trial.seconds);
    EXPECT_EQ(trial.steps.front().speed, 0) << "before the step";
    EXPECT_NEAR(trial.steps.back().speed, 0.24, 1e-12);
    double fastest = 0;
    for (const Grain& grain : trial.grains)
        fastest = std::max(fastest, -grain.velocity.z);
    EXPECT_NEAR(fastest, 0.25, 1e-12) << "some still fall";
}

TEST_F(FallingGrains, ItEndsWithItsTime) {
    const TrialRun trial = run({"time.step=1e-6", "stage[0].steps=1000000000"}, 0.05);
    EXPECT_GE(trial.seconds, 0.05);
    EXPECT_LT(trial.seconds, 5) << "a machine that is slow, or does not stop";
    EXPECT_LT(trial.share, 1);
    EXPECT_GT(trial.share, 0);
}

TEST_F(FallingGrains, SoftGrainsHaveNoSweeps) {
    const TrialRun trial = run({"engine=soft", "material[0].stiffness=1e5", "stage[0].steps=100"}, 100);
    EXPECT_EQ(trial.steps.size(), 100u);
    EXPECT_EQ(trial.mean_sweeps(), 0);
    EXPECT_EQ(trial.sweep_seconds, 0);
}

TEST_F(FallingGrains, TheyGrowAsTheStageSays) {
    const TrialRun trial = run(
        {"engine=soft", "material[0].stiffness=1e5", "stage[0].steps=100", "stage[0].growth_rate=1e-3"}, 100);
    for (const Grain& grain : trial.grains)
        EXPECT_NEAR(grain.radius, 0.05 + 1e-3 * trial.simulated, 1e-12);
}

} // namespace
} // namespace tamp
