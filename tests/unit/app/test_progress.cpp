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

} // namespace
} // namespace tamp
