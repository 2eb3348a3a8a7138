#include "tamp/particles/placement.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tamp/geometry/box.hpp"

namespace tamp {
namespace {

TEST(Rotation, FollowsTheRightHand) {
    EXPECT_EQ(Rotation({0, 0, 2}, 90)({1, 2, 3}), (Vec3{-2, 1, 3})) << "quarter turns are exact";
    EXPECT_EQ(Rotation({0, 0, 1}, -90)({1, 2, 3}), (Vec3{2, -1, 3}));
    EXPECT_EQ(Rotation({5, 0, 0}, 180)({1, 2, 3}), (Vec3{1, -2, -3}));
    EXPECT_EQ(Rotation({0, 1, 0}, 450)({1, 2, 3}), (Vec3{3, 2, -1}));
    const Vec3 third = Rotation({1, 1, 1}, 120)({1, 2, 3});
    EXPECT_LT(norm(third - Vec3{3, 1, 2}), 1e-14) << "a third of a turn about the diagonal";
    const Rotation any({1, -2, 0.5}, 33);
    const Vec3 a{0.3, 0.1, -2}, b{1, 4, 0.2};
    EXPECT_NEAR(dot(any(a), any(b)), dot(a, b), 1e-14);
    EXPECT_LT(norm(cross(any(a), any(b)) - any(cross(a, b))), 1e-14) << "no mirror";
}

const std::vector<Grain> two{
    {.id = 7, .position = {0.1, 0.5, 0.5}, .radius = 0.1, .velocity = {1, 0, 0}, .spin = {0, 2, 0}},
    {.id = 9, .position = {0.9, 0.5, 0.7}, .radius = 0.1, .material = 1}};

TEST(Placement, CopiesFollowOneAnother) {
    const Placement placement{.copies = {2, 1, 3}};
    const std::vector<Grain> all = placed(two, placement, {1, 50, 2}, 100);
    ASSERT_EQ(all.size(), 12u);
    for (std::int64_t number = 0; number < 6; ++number) {
        const auto copy = placement.copy_at(number);
        EXPECT_EQ(placement.copy_number(copy), number);
        const Vec3 away{static_cast<double>(copy[0]), 0, 2.0 * static_cast<double>(copy[2])};
        for (std::size_t i = 0; i < 2; ++i) {
            const Grain& grain = all[2 * static_cast<std::size_t>(number) + i];
            EXPECT_EQ(grain.id, 100 + 2 * static_cast<std::uint64_t>(number) + i);
            EXPECT_EQ(grain.position, two[i].position + away);
            EXPECT_EQ(grain.velocity, two[i].velocity);
            EXPECT_EQ(grain.material, two[i].material);
        }
    }
}

/// Two spheres that touch across a periodic border touch where copies meet, and across the longer box.
TEST(Placement, CopiesTouchAsThePackingDidAcrossItsBorder) {
    const Vec3 period{1, 1, 1};
    const Box once{.lower = {0, 0, 0}, .upper = {1, 1, 1}, .boundary = {Boundary::periodic}};
    const Box twice{.lower = {0, 0, 0}, .upper = {2, 1, 1}, .boundary = {Boundary::periodic}};
    const double distance = norm(once.nearest(two[0].position - two[1].position));
    const std::vector<Grain> all = placed(two, {.copies = {2, 1, 1}}, period, 0);
    EXPECT_NEAR(norm(all[2].position - all[1].position), distance, 1e-15);
    EXPECT_NEAR(norm(twice.nearest(all[0].position - all[3].position)), distance, 1e-15);
}

TEST(Placement, TurnsAboutTheMiddleAndThenShifts) {
    // The box around both: (0, 0.4, 0.4) to (1, 0.6, 0.8).
    const std::vector<Grain> all =
        placed(two, {.axis = {0, 0, 1}, .degrees = 90, .shift = {1, 2, 3}}, {0, 0, 0}, 0);
    EXPECT_LT(norm(all[0].position - Vec3{1.5, 2.1, 3.5}), 1e-15);
    EXPECT_LT(norm(all[1].position - Vec3{1.5, 2.9, 3.7}), 1e-15);
    EXPECT_EQ(all[0].velocity, (Vec3{0, 1, 0}));
    EXPECT_EQ(all[0].spin, (Vec3{-2, 0, 0}));
    const std::vector<Grain> about_zero =
        placed(two, {.axis = {0, 0, 1}, .degrees = 90, .point = Vec3{0, 0, 0}}, {0, 0, 0}, 0);
    EXPECT_EQ(about_zero[0].position, (Vec3{-0.5, 0.1, 0.5}));
}

TEST(Placement, LeavesAPackingAloneThatIsNotMoved) {
    EXPECT_FALSE(Placement{}.any());
    const std::vector<Grain> all = placed(two, {}, {0, 0, 0}, 3);
    EXPECT_EQ(all[1].position, two[1].position);
    EXPECT_EQ(all[1].id, 4u);
}

} // namespace
} // namespace tamp
