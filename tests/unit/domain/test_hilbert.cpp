#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tamp/domain/hilbert.hpp"

namespace tamp {
namespace {

class Hilbert : public testing::TestWithParam<std::pair<int, int>> {};

/// Every place of the curve has one tile, and the next place is the tile next to it.
TEST_P(Hilbert, IsOneUnbrokenWalkThroughAllTiles) {
    const auto [dimension, bits] = GetParam();
    const int side = 1 << bits;
    const auto count = static_cast<std::size_t>(1) << (dimension * bits);
    std::vector<Int3> walk(count, {-1, -1, -1});
    for (int z = 0; z < (dimension == 3 ? side : 1); ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const std::uint64_t place = hilbert_index({x, y, z}, dimension, bits);
                ASSERT_LT(place, count);
                EXPECT_EQ(walk[place][0], -1) << "two tiles at place " << place;
                walk[place] = {x, y, z};
            }
    EXPECT_EQ(walk[0], (Int3{0, 0, 0}));
    for (std::size_t place = 1; place < count; ++place) {
        int steps = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            steps += std::abs(walk[place][axis] - walk[place - 1][axis]);
        EXPECT_EQ(steps, 1) << "the curve jumps at place " << place;
    }
}

INSTANTIATE_TEST_SUITE_P(Curves, Hilbert,
                         testing::Values(std::pair{2, 1}, std::pair{2, 2}, std::pair{2, 5}, std::pair{3, 1},
                                         std::pair{3, 2}, std::pair{3, 4}));

TEST(HilbertCurve, ReachesFarWithoutOverflow) {
    const int side = 1 << 20;
    EXPECT_LT(hilbert_index({side - 1, side - 1, side - 1}, 3, 20), std::uint64_t{1} << 60);
    EXPECT_NE(hilbert_index({side - 1, 0, 5}, 3, 20), hilbert_index({side - 1, 0, 6}, 3, 20));
}

} // namespace
} // namespace tamp
