#include <gtest/gtest.h>

#include <cmath>

#include "tamp/base/random.hpp"
#include "tamp/geometry/box.hpp"

namespace tamp {
namespace {

Box random_box(Random& random) {
    Box box;
    box.dimension = random.below(2) ? 3 : 2;
    const double scale = std::pow(10.0, random.uniform(-6, 3));
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = scale * random.uniform(-3, 3);
        box.upper[axis] = box.lower[axis] + scale * random.uniform(0.1, 3);
        box.boundary[static_cast<std::size_t>(axis)] = static_cast<Boundary>(random.below(3));
    }
    if (box.dimension == 2) {
        box.lower.z = box.upper.z = 0;
        box.boundary[2] = Boundary::open;
    }
    return box;
}

Vec3 anywhere(Random& random, const Box& box) {
    Vec3 position{0, 0, 0};
    for (int axis = 0; axis < box.dimension; ++axis)
        position[axis] = box.lower[axis] + box.length(axis) * random.uniform(-5, 6);
    return position;
}

template <class F>
void each_random_box(F&& check) {
    for (std::uint64_t number = 0; number < 1000; ++number) {
        SCOPED_TRACE(number);
        Random random(21, number, Purpose::test);
        const Box box = random_box(random);
        check(box, anywhere(random, box), anywhere(random, box));
    }
}

TEST(Box, WrappedIsInsideTheBoxAndAnImage) {
    each_random_box([](const Box& box, const Vec3& position, const Vec3&) {
        const Vec3 wrapped = box.wrapped(position);
        for (int axis = 0; axis < 3; ++axis) {
            if (axis >= box.dimension || !box.periodic(axis)) {
                EXPECT_EQ(wrapped[axis], position[axis]);
                continue;
            }
            EXPECT_GE(wrapped[axis], box.lower[axis]);
            EXPECT_LT(wrapped[axis], box.upper[axis]);
            const double periods = (position[axis] - wrapped[axis]) / box.length(axis);
            EXPECT_NEAR(periods, std::nearbyint(periods), 1e-12);
        }
        EXPECT_EQ(box.wrapped(wrapped), wrapped) << "wrapping twice is wrapping once";
    });
}

TEST(Box, WrappedAtTheFaces) {
    const Box box{.lower = {-0.1, 0.3, -7},
                  .upper = {0.1, 0.7, 1},
                  .boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic}};
    EXPECT_EQ(box.wrapped(box.lower), box.lower);
    EXPECT_EQ(box.wrapped(box.upper), box.lower);
    for (int axis = 0; axis < 3; ++axis)
        for (const double face : {box.lower[axis], box.upper[axis]})
            for (const double target : {-1e9, 1e9}) {
                Vec3 position = 0.5 * (box.lower + box.upper);
                position[axis] = std::nextafter(face, target);
                const Vec3 wrapped = box.wrapped(position);
                EXPECT_GE(wrapped[axis], box.lower[axis]);
                EXPECT_LT(wrapped[axis], box.upper[axis]);
                // What the neighbour search and the memory of contacts rely on: no difference of wrapped
                // positions rounds to a whole period.
                EXPECT_LT(wrapped[axis] - box.lower[axis], box.length(axis));
            }
}

TEST(Box, NearestIsTheShortestImageAndOdd) {
    each_random_box([](const Box& box, const Vec3& a, const Vec3& b) {
        const Vec3 nearest = box.nearest(b - a);
        EXPECT_EQ(box.nearest(a - b), -nearest) << "as seen from either side";
        for (int axis = 0; axis < 3; ++axis) {
            if (axis >= box.dimension || !box.periodic(axis)) {
                EXPECT_EQ(nearest[axis], (b - a)[axis]);
                continue;
            }
            EXPECT_LE(std::abs(nearest[axis]), 0.5 * box.length(axis) * (1 + 1e-12));
            const double periods = ((b - a)[axis] - nearest[axis]) / box.length(axis);
            EXPECT_NEAR(periods, std::nearbyint(periods), 1e-12);
        }
        const Vec3 of_wrapped = box.nearest(box.wrapped(b) - box.wrapped(a));
        EXPECT_NEAR(norm(of_wrapped), norm(nearest), 1e-12 * (norm(a) + norm(b)));
    });
}

TEST(Box, VolumeIsAnAreaInTwoDimensions) {
    EXPECT_EQ((Box{.lower = {1, 1, 1}, .upper = {3, 4, 5}}.volume()), 24);
    EXPECT_EQ((Box{.lower = {1, 1, 0}, .upper = {3, 4, 0}, .dimension = 2}.volume()), 6);
}

} // namespace
} // namespace tamp
