#include "tamp/app/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tamp {
namespace {

TEST(SparkLine, GoesFromZeroToTheLargest) {
    EXPECT_EQ(spark_line(std::vector<double>{}), "");
    EXPECT_EQ(spark_line(std::vector<double>{0, 0}), "▁▁");
    EXPECT_EQ(spark_line(std::vector<double>{0, 3.5, 7}), "▁▅█");
    EXPECT_EQ(spark_line(std::vector<double>{1e300, -1, 0}), "█▁▁") << "below zero is zero";
    EXPECT_EQ(spark_line(std::vector<double>{NAN, HUGE_VAL, 2}), "▁▁█") << "of a run that goes wrong";
}

TEST(CutToWidth, CountsLettersNotBytes) {
    EXPECT_EQ(cut_to_width("abc", 5), "abc");
    EXPECT_EQ(cut_to_width("abc", 3), "abc");
    EXPECT_EQ(cut_to_width("abc", 2), "ab");
    EXPECT_EQ(cut_to_width("▁▅█", 2), "▁▅");
    EXPECT_EQ(cut_to_width("a▅█", 0), "");
}

TEST(DurationText, SaysWhatAPersonWouldSay) {
    EXPECT_EQ(duration_text(3.14), "3.1 s");
    EXPECT_EQ(duration_text(42.4), "42 s");
    EXPECT_EQ(duration_text(200), "3 min 20 s");
    EXPECT_EQ(duration_text(7500), "2 h 05 min");
}

/// A run whose clock the test sets, with its lines.
class ProgressLine : public testing::Test {
protected:
    /// Some seconds with so many contact updates, then a line.
    std::string line_after(double seconds, double updates, double share) {
        time_ +=
            std::chrono::duration_cast<Progress::Clock::duration>(std::chrono::duration<double>(seconds));
        world_.totals.contact_updates += updates;
        testing::internal::CaptureStdout();
        StepReport report;
        report.solve.sweeps = 1;
        progress_.update(share, world_, report, 1, 0);
        return testing::internal::GetCapturedStdout();
    }
    void begin(const char* name, int number, double share, bool at_most = false) {
        progress_.begin_stage(name, number, 2, share, world_.totals, at_most);
    }

    static std::string between(const std::string& line, const std::string& begin, const std::string& end) {
        const std::size_t from = line.find(begin) + begin.size();
        return line.substr(from, line.find(end, from) - from);
    }
    static std::string rate_in(const std::string& line) {
        return between(line.substr(line.find_last_of('|') + 1), " ", " Mcontact/s\n");
    }
    static std::string time_left_in(const std::string& line) { return between(line, "ETA ", " |"); }

    static WorldSetup setup() {
        WorldSetup result;
        result.materials = MaterialTable({{"glass", 2500, 0.3}});
        return result;
    }

    Progress::Clock::time_point time_{std::chrono::hours(1)};
    Progress progress_{ProgressStyle::log, [this] { return time_; }};
    Communicator self_{MPI_COMM_SELF};
    World world_{self_, setup(), {}, std::vector<Grain>{{.position = {0.5, 0.5, 0.5}, .radius = 0.1}}};
};

TEST_F(ProgressLine, RateIsOfTheTimeSinceTheLineBefore) {
    begin("fall", 1, 0);
    EXPECT_EQ(rate_in(line_after(10, 170e6, 0.5)), "17.0");
    EXPECT_EQ(rate_in(line_after(20, 60e6, 0.6)), "3.0");
    EXPECT_EQ(line_after(1, 1e9, 0.7), "") << "too early for a line";
    EXPECT_EQ(rate_in(line_after(9, 1e9, 0.8)), "200.0");
}

TEST_F(ProgressLine, RateOfANewStageLeavesOutTheUpdatesOfTheOneBefore) {
    begin("fall", 1, 0);
    line_after(10, 170e6, 0.9);
    line_after(4, 68e6, 1); // no line of these any more
    begin("press", 2, 0);
    EXPECT_EQ(rate_in(line_after(10, 170e6, 0.1)), "17.0");
}

TEST_F(ProgressLine, RateAfterAResumeLeavesOutTheUpdatesOfEarlierLegs) {
    world_.totals.contact_updates = 1e12;
    begin("press", 2, 0.5);
    EXPECT_EQ(rate_in(line_after(10, 170e6, 0.6)), "17.0");
}

TEST_F(ProgressLine, TimeLeftCountsWhatThisLegDid) {
    begin("fall", 1, 0);
    EXPECT_EQ(time_left_in(line_after(10, 1, 0.25)), "30 s");
    begin("press", 2, 0.5); // goes on half way
    EXPECT_EQ(time_left_in(line_after(10, 1, 0.6)), "40 s");
    EXPECT_EQ(time_left_in(line_after(10, 1, 1.2)), "0.0 s") << "--until makes a stage longer";
    begin("rest", 2, 0);
    EXPECT_EQ(time_left_in(line_after(10, 1, 0)), "?") << "nobody knows when it comes to rest";
    begin("wait", 2, 0, true);
    EXPECT_EQ(time_left_in(line_after(10, 1, 0.5)), "at most 10 s") << "balance may come sooner";
}

TEST_F(ProgressLine, SoftGrainsHaveParticleSteps) {
    begin("fall", 1, 0);
    world_.totals.steps += 5'000'000;
    time_ += std::chrono::seconds(10);
    testing::internal::CaptureStdout();
    progress_.update(0.5, world_, {}, 40, 0);
    const std::string line = testing::internal::GetCapturedStdout();
    EXPECT_NE(line.find("20.00 Mparticle-steps/s"), std::string::npos) << line;
    EXPECT_EQ(line.find("sweeps"), std::string::npos) << line;
}

} // namespace
} // namespace tamp
