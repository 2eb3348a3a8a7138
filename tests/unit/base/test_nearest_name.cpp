#include "tamp/base/nearest_name.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tamp {
namespace {

const std::vector<std::string> names = {"tolerance", "balance", "min_sweeps", "max_sweeps", "step"};

TEST(NearestName, ForgivesASlip) {
    EXPECT_EQ(nearest_name("tolerence", names), "tolerance"); // substitution
    EXPECT_EQ(nearest_name("tolrance", names), "tolerance");  // deletion
    EXPECT_EQ(nearest_name("ballance", names), "balance");    // insertion
    EXPECT_EQ(nearest_name("setp", names), "step");           // swap
    EXPECT_EQ(nearest_name("Max_Sweeps", names), "max_sweeps");
}

TEST(NearestName, PrefersTheNearest) {
    EXPECT_EQ(nearest_name("mim_sweeps", names), "min_sweeps");
    EXPECT_EQ(nearest_name("mx_sweeps", names), "max_sweeps");
}

TEST(NearestName, IsSilentWhenNothingIsClose) {
    EXPECT_EQ(nearest_name("gravity", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name("x", names), "");
    EXPECT_EQ(nearest_name("tolerance", {}), "");
    EXPECT_EQ(nearest_name(std::string(100000, 'a'), names), "");
}

} // namespace
} // namespace tamp
