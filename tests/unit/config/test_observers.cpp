#include <gtest/gtest.h>

#include <vector>

#include "cases.hpp"

// What is asked for with [measure], [snapshots] and [[picture]], and when it is due.
namespace tamp::test {
namespace {

/// Steps of a run with this step after which something is due.
std::vector<int> due_steps(const Rhythm& rhythm, double time_step, int steps) {
    std::vector<int> due;
    double time = 0;
    for (int step = 1; step <= steps; ++step) {
        time += time_step;
        if (rhythm.due(step, time, time_step))
            due.push_back(step);
    }
    return due;
}

TEST(Rhythm, BySteps) {
    EXPECT_EQ(due_steps({.every = 4}, 0.1, 13), (std::vector{4, 8, 12}));
    EXPECT_EQ(due_steps({.every = 1}, 0.1, 3), (std::vector{1, 2, 3}));
}

TEST(Rhythm, ByTimeMeetsEveryMultipleOnceWhateverTheRounding) {
    EXPECT_EQ(due_steps({.interval = 0.3}, 0.1, 10), (std::vector{3, 6, 9}));
    for (const double time_step : {0.1, 0.01, 1.0 / 3, 1e-5, 0.7e-3}) {
        const int each = 10, steps = 1000;
        const std::vector<int> due = due_steps({.interval = each * time_step}, time_step, steps);
        ASSERT_EQ(due.size(), 100u) << time_step;
        for (std::size_t k = 0; k < due.size(); ++k)
            EXPECT_EQ(due[k], each * static_cast<int>(k + 1)) << time_step;
    }
}

TEST(Rhythm, ByTimeIsDueOnceAfterAStepOverSeveralMultiples) {
    EXPECT_EQ(due_steps({.interval = 0.1}, 0.35, 4), (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(due_steps({.interval = 0.5}, 0.35, 6), (std::vector{2, 3, 5, 6}));
}

TEST(Rhythm, NeverUnlessGiven) { EXPECT_TRUE(due_steps({}, 0.1, 50).empty()); }

TEST(Observers, AreNotThereUnlessAskedFor) {
    const Case plain = parse_with({});
    EXPECT_FALSE(plain.snapshots.wanted);
    EXPECT_FALSE(plain.measure.wanted);
    EXPECT_FALSE(plain.measure.energy_budget);
    EXPECT_TRUE(plain.pictures.empty());
    EXPECT_EQ(plain.measure.settings.profile_axis, -1);
}

TEST(Observers, AreReadAsWritten) {
    const Case settings = parse_case(minimal_case + R"(
[measure]
interval = 0.25
energy_budget = true
profile_axis = "y"
profile_bins = 12
force_bins = 30
largest_force = 8
pair_range = 3
pair_bins = 0
cells = [4, 0, 6]
width = 0.5

[snapshots]
every = 50
contacts = false
compression = 9

[[picture]]
name = "grains"
pipeline = "particles"
every = 10

[[picture]]
name = "chains"
pipeline = "mine.py"
colour = "normal_force"
range = [0, 5]
camera = [0, 1, 0]
frame = "box"
zoom = 2.5
width = 640
height = 480
interval = 0.5
stress_change = 0.05
pause = 7
)",
                                     "case.toml", {});
    const MeasurePlan& measure = settings.measure;
    EXPECT_EQ(measure.rhythm.interval, 0.25);
    EXPECT_TRUE(measure.energy_budget);
    EXPECT_EQ(measure.settings.profile_axis, 1);
    EXPECT_EQ(measure.settings.profile_bins, 12);
    EXPECT_EQ(measure.settings.force_bins, 30);
    EXPECT_EQ(measure.settings.largest_force, 8);
    EXPECT_EQ(measure.settings.pair_range, 3);
    EXPECT_EQ(measure.settings.pair_bins, 0);
    EXPECT_EQ(measure.settings.grid_cells, (Int3{4, 0, 6}));
    EXPECT_EQ(measure.settings.coarse_graining_width, 0.5);
    EXPECT_TRUE(settings.snapshots.wanted);
    EXPECT_EQ(settings.snapshots.rhythm.every, 50);
    EXPECT_FALSE(settings.snapshots.settings.contacts);
    EXPECT_EQ(settings.snapshots.settings.compression, 9);

    ASSERT_EQ(settings.pictures.size(), 2u);
    const PicturePlan &grains = settings.pictures[0], &chains = settings.pictures[1];
    EXPECT_EQ(grains.settings.name, "grains");
    EXPECT_EQ(grains.settings.script, "particles");
    EXPECT_EQ(grains.settings.colour, PictureSettings{}.colour);
    EXPECT_EQ(grains.rhythm.every, 10);
    EXPECT_FALSE(grains.stress_change);
    EXPECT_EQ(chains.settings.colour, "normal_force");
    EXPECT_EQ(chains.settings.range, (std::array{0.0, 5.0}));
    EXPECT_EQ(chains.settings.camera, (Vec3{0, 1, 0}));
    EXPECT_EQ(grains.settings.frame, PictureFrame::grains);
    EXPECT_EQ(grains.settings.zoom, 1);
    EXPECT_EQ(chains.settings.frame, PictureFrame::box);
    EXPECT_EQ(chains.settings.zoom, 2.5);
    EXPECT_EQ(chains.settings.width, 640);
    EXPECT_EQ(chains.settings.height, 480);
    EXPECT_EQ(chains.rhythm.interval, 0.5);
    EXPECT_EQ(chains.stress_change, 0.05);
    EXPECT_EQ(chains.pause, 7);
    EXPECT_NE(chains.place.find("case.toml:"), std::string::npos);
    EXPECT_NE(chains.place.find("picture[1].pipeline"), std::string::npos);
}

TEST(Observers, ASectionWithNothingInItIsEnough) {
    EXPECT_TRUE(parse_case(minimal_case + "\n[snapshots]\n", "case.toml", {}).snapshots.wanted);
    EXPECT_TRUE(parse_case(minimal_case + "\n[measure]\n", "case.toml", {}).measure.wanted);
}

} // namespace
} // namespace tamp::test
