#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tamp/insitu/colour_ranges.hpp"

namespace tamp {
namespace {

TEST(ColourRanges, LeaveOneInAHundredOutAtEitherEnd) {
    const Communicator self(MPI_COMM_SELF);
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i)
        values.push_back(i % 2 == 0 ? i : -i);
    values.push_back(100000);
    const ColourColumn columns[] = {{"even", values}};
    const ColourRange range = colour_ranges(self, columns)[0];
    EXPECT_EQ(range.name, "even");
    EXPECT_EQ(range.lowest, -999);
    EXPECT_EQ(range.highest, 100000);
    const double bin = (100000 + 999) / 1024.0;
    EXPECT_LE(range.low, -980);
    EXPECT_GE(range.low, -999 - bin);
    EXPECT_GE(range.high, 980);
    EXPECT_LE(range.high, 999 + bin) << "the one extreme value does not count";
    EXPECT_DOUBLE_EQ(range.mean, (999 * 1000 / 2 + 100000) / 1001.0);
}

TEST(ColourRanges, OfOneValueNoValueAndNoNumber) {
    const Communicator self(MPI_COMM_SELF);
    const std::vector<double> one{7, 7}, none,
        odd{std::nan(""), -2, std::numeric_limits<double>::infinity(), 4};
    const ColourColumn columns[] = {{"one", one}, {"none", none}, {"odd", odd}};
    const auto ranges = colour_ranges(self, columns);
    EXPECT_EQ(ranges[0].low, 7);
    EXPECT_EQ(ranges[0].high, 7);
    EXPECT_EQ(ranges[0].mean, 7);
    EXPECT_EQ(ranges[1].low, 0);
    EXPECT_EQ(ranges[1].highest, 0);
    EXPECT_EQ(ranges[2].lowest, -2);
    EXPECT_EQ(ranges[2].highest, 4);
    EXPECT_EQ(ranges[2].mean, 3);
}

} // namespace
} // namespace tamp
