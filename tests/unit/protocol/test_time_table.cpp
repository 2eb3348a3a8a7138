#include "tamp/protocol/time_table.hpp"

#include <gtest/gtest.h>

#include "tamp/base/vec3.hpp"

namespace tamp {
namespace {

TEST(TimeTable, IsLinearBetweenItsPointsAndConstantBeyond) {
    const TimeTable<double> table{{1, 2, 4}, {10, 30, -10}};
    EXPECT_EQ(table.at(0), 10);
    EXPECT_EQ(table.at(1), 10);
    EXPECT_EQ(table.at(1.25), 15);
    EXPECT_EQ(table.at(2), 30) << "points are met exactly";
    EXPECT_EQ(table.at(3), 10);
    EXPECT_EQ(table.at(4), -10);
    EXPECT_EQ(table.at(1e9), -10);
}

TEST(TimeTable, OfOnePointStaysAsItIs) {
    const TimeTable<double> table{{3}, {7}};
    EXPECT_EQ(table.at(0), 7);
    EXPECT_EQ(table.at(9), 7);
    EXPECT_TRUE(TimeTable<double>{}.empty());
}

TEST(TimeTable, HoldsVectors) {
    const TimeTable<Vec3> table{{0, 2}, {{0, 0, -10}, {10, 0, 0}}};
    EXPECT_EQ(table.at(0.5), (Vec3{2.5, 0, -7.5}));
}

} // namespace
} // namespace tamp
