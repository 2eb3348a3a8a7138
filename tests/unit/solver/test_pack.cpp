#include "tamp/base/pack.hpp"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace {

using namespace tamp;

Pack pack(const std::array<double, lanes>& values) {
    alignas(64) std::array<double, lanes> aligned = values;
    return Pack::load(aligned.data());
}

const std::array<double, lanes> some{1.5, -2.25, 0.0, 1e300, -1e-300, 7.0, -0.5, 3.0};
const std::array<double, lanes> other{0.1, 3.0, -0.0, 1e-300, 2.5, -7.0, 0.3, 3.0};

TEST(Pack, LoadsAndStoresLaneByLane) {
    alignas(64) std::array<double, lanes> out{};
    pack(some).store(out.data());
    EXPECT_EQ(out, some);
    for (int lane = 0; lane < lanes; ++lane) {
        EXPECT_EQ(pack(some)[lane], some[static_cast<std::size_t>(lane)]);
        EXPECT_EQ(Pack(2.5)[lane], 2.5);
    }
}

TEST(Pack, CalculatesAsPlainNumbersDo) {
    const Pack a = pack(some), b = pack(other);
    Pack sum = a, difference = a, product = a;
    sum += b, difference -= b, product *= b;
    for (int lane = 0; lane < lanes; ++lane) {
        const double x = a[lane], y = b[lane];
        EXPECT_EQ((a + b)[lane], x + y);
        EXPECT_EQ((a - b)[lane], x - y);
        EXPECT_EQ((a * b)[lane], x * y);
        EXPECT_EQ((-a)[lane], -x);
        EXPECT_EQ(sum[lane], x + y);
        EXPECT_EQ(difference[lane], x - y);
        EXPECT_EQ(product[lane], x * y);
        if (y != 0) {
            EXPECT_EQ((a / b)[lane], x / y);
        }
        EXPECT_EQ((a > b)[lane] != 0, x > y);
        EXPECT_EQ(larger(a, b)[lane], larger(x, y));
        EXPECT_EQ(select(a > b, a, b)[lane], select(x > y, x, y));
        EXPECT_EQ(square_root(a * a)[lane], square_root(x * x));
    }
}

TEST(Pack, RootIsRoundedAsThePlainOne) {
    Pack value = pack({0.0, 2.0, 3.0, 1e-310, 5e-324, 1e308, 0.1, 12345.678});
    for (int lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(square_root(value)[lane], std::sqrt(value[lane]));
}

TEST(Pack, LanesAreAddedInPairs) {
    // 2^53 + 1 is not a double: only this order gives this result.
    const double big = 0x1p53;
    EXPECT_EQ(sum_lanes(pack({big, 1, 1, 1, 0, 0, 0, -big})), 2.0);
    EXPECT_EQ(sum_lanes(pack({1, 2, 3, 4, 5, 6, 7, 8})), 36.0);
}

TEST(Pack, LargestLane) {
    EXPECT_EQ(max_lanes(pack({-9, -3, -4, -8, -5, -6, -7, -2})), -2.0);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::array<double, lanes> values{};
        values[lane] = 1;
        EXPECT_EQ(max_lanes(pack(values)), 1.0);
    }
}

TEST(Pack, TransposeMakesRowsColumns) {
    Pack::Raw rows[8];
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            rows[i][j] = 10 * i + j;
    transpose(rows);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            EXPECT_EQ(rows[i][j], 10 * j + i);
    transpose(rows);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            EXPECT_EQ(rows[i][j], 10 * i + j);
}

TEST(Pack, VectorsOfPacks) {
    const PackVec3 a{1.0, 2.0, 3.0}, b{-1.0, 0.5, pack(some)};
    for (int lane = 0; lane < lanes; ++lane) {
        const Vec3 x{1, 2, 3}, y{-1, 0.5, some[static_cast<std::size_t>(lane)]};
        EXPECT_EQ(dot(a, b)[lane], dot(x, y));
        const Vec3 expected = cross(x, y);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_EQ(cross(a, b)[axis][lane], expected[axis]);
    }
}

} // namespace
