#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tamp/base/random.hpp"
#include "tamp/geometry/shape.hpp"

namespace tamp {
namespace {

constexpr ShapeKind all_kinds[] = {ShapeKind::plane,    ShapeKind::rectangle, ShapeKind::disc,
                                   ShapeKind::cylinder, ShapeKind::cone,      ShapeKind::sphere};

Vec3 unit(Vec3 v) { return v * (1 / norm(v)); }

Vec3 random_direction(Random& random) { return unit({random.normal(), random.normal(), random.normal()}); }

/// Two unit vectors perpendicular to the axis and to each other.
std::array<Vec3, 2> across(const Vec3& axis) {
    const Vec3 other = std::fabs(axis.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = unit(cross(axis, other));
    return {u, cross(axis, u)};
}

/// As walls have it.
struct PlacedShape : Shape, ShapePlace {
    ShapeTouch touch(const Vec3& position) const { return Shape::touch(*this, position); }
    Bounds bounds() const { return Shape::bounds(*this); }
};

PlacedShape random_shape(Random& random, ShapeKind kind) {
    PlacedShape shape;
    shape.kind = kind;
    shape.point = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    shape.axis = random_direction(random);
    shape.side = random.below(2) ? ShapeSide::inside : ShapeSide::outside;
    shape.radius = random.uniform(0.2, 1.5);
    shape.end_radius = random.below(4) ? random.uniform(0, 1.5) : 0;
    const auto [u, v] = across(shape.axis);
    shape.half_edges = {u * random.uniform(0.2, 1), v * random.uniform(0.2, 1)};
    const bool endless = kind == ShapeKind::cylinder && random.below(3) == 0;
    if (!endless) {
        shape.axial[0] = random.uniform(-1, 0.5);
        shape.axial[1] = shape.axial[0] + random.uniform(0.2, 2);
    }
    return shape;
}

Vec3 random_position(Random& random, const PlacedShape& shape) {
    return shape.point + random_direction(random) * random.uniform(0, 3);
}

double radius_at(const PlacedShape& shape, double axial) {
    if (shape.kind != ShapeKind::cone)
        return shape.radius;
    const double part = (axial - shape.axial[0]) / (shape.axial[1] - shape.axial[0]);
    return shape.radius + part * (shape.end_radius - shape.radius);
}

/// A point of the surface for each pair of numbers in [0, 1]. Of what is unbounded, the part around
/// `position`.
Vec3 point_of(const PlacedShape& shape, const Vec3& position, double s, double t) {
    const auto [u, v] = across(shape.axis);
    const double angle = 2 * std::numbers::pi * t;
    const Vec3 around = u * std::cos(angle) + v * std::sin(angle);
    const double height = dot(shape.axis, position - shape.point);
    switch (shape.kind) {
    case ShapeKind::plane:
        return position - shape.axis * height + u * (2 * s - 1.1) + v * (2 * t - 0.9);
    case ShapeKind::rectangle:
        return shape.point + shape.half_edges[0] * (2 * s - 1) + shape.half_edges[1] * (2 * t - 1);
    case ShapeKind::disc: { // from a square, without a pole in the middle that a search would stick to
        const double x = 2 * s - 1, y = 2 * t - 1;
        return shape.point + u * (shape.radius * x * std::sqrt(1 - y * y / 2)) +
               v * (shape.radius * y * std::sqrt(1 - x * x / 2));
    }
    case ShapeKind::cylinder:
    case ShapeKind::cone: {
        const double lower = std::max(shape.axial[0], height - 10);
        const double upper = std::min(shape.axial[1], height + 10);
        const double axial = lower + (upper - lower) * s;
        return shape.point + shape.axis * axial + around * radius_at(shape, axial);
    }
    case ShapeKind::sphere:
        break;
    }
    const double polar = std::numbers::pi * s;
    return shape.point + (shape.axis * std::cos(polar) + around * std::sin(polar)) * shape.radius;
}

/// The least distance by samples, refined around the best of them.
double least_distance(const PlacedShape& shape, const Vec3& position) {
    const auto distance = [&](double s, double t) {
        return norm(position - point_of(shape, position, s, t));
    };
    constexpr int samples = 24;
    double best = HUGE_VAL, best_s = 0, best_t = 0;
    for (int i = 0; i <= samples; ++i)
        for (int j = 0; j <= samples; ++j) {
            const double s = static_cast<double>(i) / samples, t = static_cast<double>(j) / samples;
            if (const double here = distance(s, t); here < best)
                best = here, best_s = s, best_t = t;
        }
    for (double step = 0.5 / samples; step > 1e-12;) {
        bool better = false;
        for (int k = 0; k < 8; ++k) {
            const double angle = k * std::numbers::pi / 4 + 0.1;
            const double s = std::clamp(best_s + step * std::cos(angle), 0.0, 1.0);
            double t = best_t + step * std::sin(angle);
            if (shape.kind == ShapeKind::rectangle || shape.kind == ShapeKind::disc)
                t = std::clamp(t, 0.0, 1.0);
            if (const double here = distance(s, t); here < best)
                best = here, best_s = s, best_t = t, better = true;
        }
        if (!better)
            step *= 0.5;
    }
    return best;
}

bool has_one_side(const PlacedShape& shape) {
    return shape.kind != ShapeKind::rectangle && shape.kind != ShapeKind::disc;
}

/// Positive on the particles' side, for shapes that have one.
double height_over(const PlacedShape& shape, const Vec3& position) {
    const Vec3 relative = position - shape.point;
    const double axial = dot(relative, shape.axis);
    if (shape.kind == ShapeKind::plane)
        return axial;
    const double outside = shape.kind == ShapeKind::sphere
                               ? norm(relative) - shape.radius
                               : norm(relative - shape.axis * axial) - radius_at(shape, axial);
    return shape.side == ShapeSide::outside ? outside : -outside;
}

bool is_on_rim(const PlacedShape& shape, const Vec3& foot) {
    if (shape.kind != ShapeKind::cylinder && shape.kind != ShapeKind::cone)
        return false;
    const double axial = dot(foot - shape.point, shape.axis);
    return std::fabs(axial - shape.axial[0]) < 1e-9 || std::fabs(axial - shape.axial[1]) < 1e-9;
}

void expect_consistent(const ShapeTouch& touch, const Vec3& position) {
    EXPECT_NEAR(norm(touch.normal), 1, 1e-14);
    EXPECT_NEAR(norm(position - touch.foot), std::fabs(touch.distance), 1e-14);
    EXPECT_LT(norm(touch.foot + touch.normal * touch.distance - position), 1e-14);
}

template <class F>
void each_random_case(int count, F&& check) {
    for (const ShapeKind kind : all_kinds)
        for (int number = 0; number < count; ++number) {
            SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", case " << number);
            Random random(31 + static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(number),
                          Purpose::test);
            const PlacedShape shape = random_shape(random, kind);
            check(shape, random_position(random, shape), random);
        }
}

TEST(Shape, TheFootIsTheNearestPointOfTheSurface) {
    each_random_case(300, [](const PlacedShape& shape, const Vec3& position, Random&) {
        const ShapeTouch touch = shape.touch(position);
        expect_consistent(touch, position);
        EXPECT_NEAR(std::fabs(touch.distance), least_distance(shape, position), 1e-10);
        EXPECT_LT(least_distance(shape, touch.foot), 1e-9) << "the foot is on the surface";
    });
}

TEST(Shape, TheDistanceIsPositiveOnTheSideOfTheParticles) {
    each_random_case(1000, [](const PlacedShape& shape, const Vec3& position, Random&) {
        const ShapeTouch touch = shape.touch(position);
        if (!has_one_side(shape) || is_on_rim(shape, touch.foot)) {
            EXPECT_GE(touch.distance, 0);
        } else {
            EXPECT_EQ(touch.distance > 0, height_over(shape, position) > 0);
        }
    });
}

/// Positions built from a known foot on the smooth part, and so an exact answer for the normal as well.
TEST(Shape, ASphereAboveAPointOfTheSurfaceTouchesItThere) {
    each_random_case(1000, [](const PlacedShape& shape, const Vec3& anywhere, Random& random) {
        const Vec3 foot = point_of(shape, anywhere, random.uniform(0.05, 0.95), random.uniform(0.05, 0.95));
        const ShapeTouch on_it = shape.touch(foot);
        EXPECT_NEAR(on_it.distance, 0, 1e-14);
        const double height = random.uniform(0, 0.9) * std::min(shape.radius, 0.01);
        // A cone is curved like a point at its apex.
        if (shape.kind == ShapeKind::cone &&
            norm(foot - shape.point - shape.axis * dot(shape.axis, foot - shape.point)) < 0.1)
            return;
        const ShapeTouch above = shape.touch(foot + on_it.normal * height);
        EXPECT_NEAR(above.distance, height, 1e-14);
        EXPECT_LT(norm(above.foot - foot), 1e-13);
        EXPECT_LT(norm(above.normal - on_it.normal), 1e-12);
    });
}

TEST(Shape, SpecialPositionsHaveAFiniteUnitNormal) {
    each_random_case(200, [](const PlacedShape& shape, const Vec3&, Random& random) {
        const auto [u, v] = across(shape.axis);
        std::vector<Vec3> positions{shape.point,
                                    shape.point + shape.axis * random.uniform(-2, 2),
                                    shape.point + u * shape.radius,
                                    shape.point + shape.half_edges[0],
                                    shape.point + shape.half_edges[0] + shape.half_edges[1],
                                    shape.point + u * 1e-200,
                                    shape.point + u * 1e-17 + v * 1e-300};
        for (const double end : shape.axial)
            if (std::isfinite(end)) {
                positions.push_back(shape.point + shape.axis * end);
                positions.push_back(shape.point + shape.axis * end + u * radius_at(shape, end));
            }
        for (const Vec3& position : positions) {
            const ShapeTouch touch = shape.touch(position);
            expect_consistent(touch, position);
            EXPECT_NEAR(std::fabs(touch.distance), least_distance(shape, position), 1e-10);
            const ShapeTouch again = shape.touch(position);
            EXPECT_EQ(touch.normal, again.normal);
        }
    });
}

TEST(Shape, NormalsOfDiscsStayInTheirPlane) {
    for (int number = 0; number < 100; ++number) {
        Random random(32, static_cast<std::uint64_t>(number), Purpose::test);
        const double angle = random.uniform(0, 7);
        PlacedShape shape;
        shape.kind = ShapeKind::cone, shape.radius = 1, shape.end_radius = 0.5, shape.axial = {0, 1};
        shape.axis = {std::cos(angle), std::sin(angle), 0};
        EXPECT_EQ(shape.touch(shape.axis * 0.5).normal.z, 0) << "on the axis of a hopper";
        shape.kind = ShapeKind::sphere;
        EXPECT_EQ(shape.touch({0, 0, 0}).normal.z, 0);
        shape.kind = ShapeKind::cylinder, shape.radius = random.uniform(0.1, 1);
        shape.axial = Shape{}.axial;
        EXPECT_EQ(shape.touch({0, 0, 0}).normal.z, 0);
        EXPECT_EQ(shape.touch({random.normal(), random.normal(), 0}).normal.z, 0);
    }
}

TEST(Shape, BoundsHoldTheSurfaceAndAreTight) {
    each_random_case(200, [](PlacedShape shape, const Vec3& position, Random& random) {
        if (random.below(3) == 0) // along a coordinate, where more of the bounds are finite
            for (int k = 0, chosen = static_cast<int>(random.below(3)); k < 3; ++k)
                shape.axis[k] = k == chosen ? 1 : 0;
        const auto [u, v] = across(shape.axis);
        shape.half_edges = {u * 0.3, v * 0.7};
        const Bounds bounds = shape.bounds();
        Bounds sampled;
        for (int i = 0; i <= 100; ++i)
            for (int j = 0; j <= 100; ++j)
                sampled.include(point_of(shape, position, i / 100.0, j / 100.0));
        for (int k = 0; k < 3; ++k) {
            EXPECT_LE(bounds.lower[k], sampled.lower[k] + 1e-12);
            EXPECT_GE(bounds.upper[k], sampled.upper[k] - 1e-12);
            if (std::isfinite(bounds.lower[k])) {
                EXPECT_NEAR(bounds.lower[k], sampled.lower[k], 1e-2);
            }
            if (std::isfinite(bounds.upper[k])) {
                EXPECT_NEAR(bounds.upper[k], sampled.upper[k], 1e-2);
            }
        }
    });
}

} // namespace
} // namespace tamp
