#include <gtest/gtest.h>

#include "tamp/app/stage_table.hpp"

namespace tamp {
namespace {

const std::vector<Stage> stages{{.name = "settle"}, {.name = "press"}};

std::vector<Quantity> row(double fraction, double stress, double applied) {
    return {{"step", "1", "", {7}},
            {"volume_fraction", "1", "", {fraction}},
            {"coordination", "1", "", {4.5}},
            {"mean_stress", "Pa", "", {0.7 * stress}},
            {"unbalanced_force", "1", "", {1e-4}},
            {"wall/lid/force_x", "N", "", {3}},
            {"wall/lid/stress", "Pa", "", {stress}},
            {"wall/lid/applied_stress", "Pa", "", {applied}}};
}

StageTable filled() {
    StageTable table(stages, row(0, 0, 0));
    table.add(0, StageEnd::rest, {.time = 0.5, .steps = 100, .sweeps = 1000, .seconds = 2}, row(0.55, 20, 0));
    table.add(1, StageEnd::balance,
              {.time = 0.75, .steps = 150, .sweeps = 4000, .capped_steps = 3, .seconds = 3.5},
              row(0.6, 999, 1000));
    return table;
}

TEST(StageTable, CountsWhatEachStageTook) {
    const StageTable table = filled();
    ASSERT_EQ(table.rows(), 2U);
    EXPECT_EQ(table.name(1), "press");
    EXPECT_EQ(table.end(1), StageEnd::balance);
    EXPECT_EQ(table.value(1, "time"), 0.75);
    EXPECT_EQ(table.value(0, "steps"), 100);
    EXPECT_EQ(table.value(1, "steps"), 50);
    EXPECT_EQ(table.value(1, "sweeps"), 3000);
    EXPECT_EQ(table.value(1, "capped_steps"), 3);
    EXPECT_EQ(table.value(1, "seconds"), 1.5);
    EXPECT_EQ(table.value(1, "wall.lid.stress"), 999);
    EXPECT_THROW(table.value(1, "step"), std::logic_error)
        << "a number of the step says nothing of the stage";
}

TEST(StageTable, IsAFileForPrograms) {
    EXPECT_EQ(
        filled().csv(),
        "stage,name,ended by,time [s],steps,sweeps,capped steps,seconds [s],volume fraction,coordination,"
        "mean stress [Pa],unbalanced force,wall lid stress [Pa],wall lid applied stress [Pa]\n"
        "1,settle,rest,0.5,100,1000,0,2,0.55,4.5,14,0.0001,20,0\n"
        "2,press,balance,0.75,50,3000,3,1.5,0.6,4.5,699.3,0.0001,999,1000\n");
}

TEST(StageTable, ShowsTheStressOnWallsThatArePushed) {
    const std::string text = filled().text();
    EXPECT_NE(text.find("wall lid stress [Pa]"), std::string::npos) << text;
    EXPECT_NE(text.find("999"), std::string::npos) << text;
    EXPECT_EQ(text.find("mean stress"), std::string::npos) << text;
    StageTable unpushed(stages, row(0, 0, 0));
    EXPECT_EQ(unpushed.text(), "");
    unpushed.add(0, StageEnd::rest, {.steps = 1}, row(0.55, 20, 0));
    EXPECT_NE(unpushed.text().find("mean stress [Pa]"), std::string::npos) << unpushed.text();
    EXPECT_EQ(unpushed.text().find("lid"), std::string::npos) << unpushed.text();
}

TEST(StageTable, GoesOnFromACheckpoint) {
    const StageTable before = filled();
    StageTable after(stages, row(0, 0, 0));
    after.restore(before.saved());
    EXPECT_EQ(after.saved(), before.saved());
    EXPECT_EQ(after.csv(), before.csv());
    // The last stage is made longer: its row is made anew, and counts from the end of the first.
    after.add(1, StageEnd::duration, {.time = 1, .steps = 200, .sweeps = 5000, .seconds = 5},
              row(0.61, 1000, 1000));
    ASSERT_EQ(after.rows(), 2U);
    EXPECT_EQ(after.value(1, "steps"), 100);
    EXPECT_EQ(after.value(1, "seconds"), 3);
    // A file of a version that had fewer columns.
    WordTable old = before.saved();
    old.columns.pop_back();
    std::vector<std::uint64_t> words;
    for (std::size_t i = 0; i < before.rows(); ++i)
        words.insert(words.end(), before.saved().row(i).begin(), before.saved().row(i).end() - 1);
    old.words = words;
    after.restore(old);
    EXPECT_EQ(after.value(1, "wall.lid.stress"), 999);
    EXPECT_EQ(after.value(1, "wall.lid.applied_stress"), 0);
}

} // namespace
} // namespace tamp
