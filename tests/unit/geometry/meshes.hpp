#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tamp/base/random.hpp"
#include "tamp/geometry/triangle.hpp"

/// Lists of triangles for tests.
namespace tamp::meshes {

using List = std::vector<Triangle>;

inline Vec3 unit(Vec3 v) { return v * (1 / norm(v)); }

inline Vec3 random_direction(Random& random) {
    return unit({random.normal(), random.normal(), random.normal()});
}

/// A place and three perpendicular directions.
struct Frame {
    Vec3 origin{0, 0, 0}, u{1, 0, 0}, v{0, 1, 0}, w{0, 0, 1};

    Frame() = default;
    explicit Frame(Random& random) : w(random_direction(random)) {
        origin = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        u = unit(cross(w, random_direction(random)));
        v = cross(w, u);
    }
    Vec3 at(double x, double y, double z) const { return origin + u * x + v * y + w * z; }
};

/// The square [-1, 1]^2, mapped by `place(x, y)`, in a random triangulation: a grid with moved vertices and
/// random diagonals, of which some triangles are split further.
template <class Place>
List square(Random& random, Place&& place) {
    const int n = 1 + static_cast<int>(random.below(5));
    const auto side = static_cast<std::size_t>(n + 1);
    std::vector<std::array<double, 2>> nodes(side * side);
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double move_x = i % n ? random.uniform(-0.45, 0.45) : 0;
            const double move_y = j % n ? random.uniform(-0.45, 0.45) : 0;
            nodes[static_cast<std::size_t>(i) * side + static_cast<std::size_t>(j)] = {
                2 * (i + move_x) / n - 1, 2 * (j + move_y) / n - 1};
        }
    std::vector<std::array<std::array<double, 2>, 3>> flat;
    for (std::size_t i = 0; i + 1 < side; ++i)
        for (std::size_t j = 0; j + 1 < side; ++j) {
            const auto &a = nodes[i * side + j], &b = nodes[(i + 1) * side + j],
                       &c = nodes[(i + 1) * side + j + 1], &d = nodes[i * side + j + 1];
            // Only one diagonal is sure to be inside of a quadrilateral that is not convex.
            const auto turns_left = [](const auto& p, const auto& q, const auto& r) {
                return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.02 * 0.02;
            };
            const bool along_ac = turns_left(a, b, c) && turns_left(a, c, d);
            const bool along_bd = turns_left(a, b, d) && turns_left(b, c, d);
            if (along_ac && (!along_bd || random.below(2))) {
                flat.push_back({a, b, c});
                flat.push_back({a, c, d});
            } else {
                flat.push_back({a, b, d});
                flat.push_back({b, c, d});
            }
        }
    for (std::uint64_t split = random.below(6); split > 0; --split) {
        auto& triangle = flat[random.below(flat.size())];
        const auto [a, b, c] = triangle;
        const double s = random.uniform(0.1, 0.6), t = random.uniform(0.1, 0.35);
        const std::array<double, 2> middle{a[0] + s * (b[0] - a[0]) + t * (c[0] - a[0]),
                                           a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1])};
        triangle = {a, b, middle};
        flat.push_back({b, c, middle});
        flat.push_back({c, a, middle});
    }
    List list;
    for (const auto& [a, b, c] : flat)
        list.push_back({place(a[0], a[1]), place(b[0], b[1]), place(c[0], c[1])});
    return list;
}

/// Twelve triangles.
inline List box(const Vec3& lower, const Vec3& upper, Random& random) {
    List list;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool high : {false, true}) {
            const auto corner = [&](bool next, bool last) {
                Vec3 point = lower;
                point[axis] = (high ? upper : lower)[axis];
                point[(axis + 1) % 3] = (next ? upper : lower)[(axis + 1) % 3];
                point[(axis + 2) % 3] = (last ? upper : lower)[(axis + 2) % 3];
                return point;
            };
            const Vec3 a = corner(false, false), b = corner(true, false), c = corner(true, true),
                       d = corner(false, true);
            if (random.below(2))
                list.insert(list.end(), {Triangle{a, b, c}, Triangle{c, d, a}});
            else
                list.insert(list.end(), {Triangle{a, b, d}, Triangle{d, c, b}});
        }
    return list;
}

/// An open tube around z of radius 1, from z = -1 to 1.
inline List tube(int facets) {
    List list;
    const auto place = [&](int k, double z) {
        const double angle = 2 * std::numbers::pi * (k % facets) / facets;
        return Vec3{std::cos(angle), std::sin(angle), z};
    };
    for (int k = 0; k < facets; ++k)
        for (const double z : {-1.0, 0.0}) {
            list.push_back({place(k, z), place(k + 1, z), place(k, z + 1)});
            list.push_back({place(k + 1, z), place(k, z + 1), place(k + 1, z + 1)});
        }
    return list;
}

/// Hills and dales over a random triangulation of the square.
inline List hills(Random& random) {
    const double a = random.uniform(1, 5), b = random.uniform(1, 5), height = random.uniform(0.05, 0.8);
    return square(random, [&](double x, double y) {
        return Vec3{x, y, height * std::sin(a * x + 2 * y) * std::cos(b * y - x)};
    });
}

/// The new number of each triangle.
inline std::vector<int> shuffle(List& list, Random& random) {
    std::vector<int> old_numbers(list.size());
    for (std::size_t k = 0; k < list.size(); ++k)
        old_numbers[k] = static_cast<int>(k);
    for (std::size_t k = list.size(); k > 1; --k) {
        const std::size_t other = random.below(k);
        std::swap(list[k - 1], list[other]);
        std::swap(old_numbers[k - 1], old_numbers[other]);
    }
    for (Triangle& triangle : list)
        for (std::size_t k = 3; k > 1; --k)
            std::swap(triangle[k - 1], triangle[random.below(k)]);
    std::vector<int> new_numbers(list.size());
    for (std::size_t k = 0; k < list.size(); ++k)
        new_numbers[static_cast<std::size_t>(old_numbers[k])] = static_cast<int>(k);
    return new_numbers;
}

} // namespace tamp::meshes
