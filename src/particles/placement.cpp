#include "tamp/particles/placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tamp {
namespace {

struct Turn {
    double cosine, sine;
};

Turn turn_by(double degrees) {
    if (const double quarters = degrees / 90; quarters == std::nearbyint(quarters)) {
        constexpr std::array<Turn, 4> exact{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
        const double of_four = quarters - 4 * std::floor(quarters / 4);
        return exact[static_cast<std::size_t>(of_four)];
    }
    const double angle = degrees * std::numbers::pi / 180;
    return {std::cos(angle), std::sin(angle)};
}

/// Of the box around all particles, with their radii.
Vec3 middle_of(const std::vector<Grain>& grains) {
    constexpr double far = std::numeric_limits<double>::infinity();
    Vec3 lower{far, far, far}, upper{-far, -far, -far};
    for (const Grain& grain : grains)
        for (int axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], grain.position[axis] - grain.radius);
            upper[axis] = std::max(upper[axis], grain.position[axis] + grain.radius);
        }
    return 0.5 * (lower + upper);
}

} // namespace

Rotation::Rotation(const Vec3& axis, double degrees) {
    // Rodrigues: R = c 1 + s [n]x + (1 - c) n n
    const auto [cosine, sine] = turn_by(degrees);
    const Vec3 n = axis * (1 / norm(axis));
    const Vec3 along = (1 - cosine) * n;
    rows_ = {{{cosine + along.x * n.x, along.x * n.y - sine * n.z, along.x * n.z + sine * n.y},
              {along.y * n.x + sine * n.z, cosine + along.y * n.y, along.y * n.z - sine * n.x},
              {along.z * n.x - sine * n.y, along.z * n.y + sine * n.x, cosine + along.z * n.z}}};
}

std::vector<Grain> placed(const std::vector<Grain>& grains, const Placement& placement, const Vec3& period,
                          std::uint64_t first_id) {
    std::vector<Grain> all;
    all.reserve(grains.size() * static_cast<std::size_t>(placement.copy_count()));
    for (std::int64_t number = 0; number < placement.copy_count(); ++number) {
        const auto copy = placement.copy_at(number);
        Vec3 away{0, 0, 0};
        for (int axis = 0; axis < 3; ++axis)
            if (const auto k = copy[static_cast<std::size_t>(axis)]; k > 0)
                away[axis] = static_cast<double>(k) * period[axis];
        for (const Grain& grain : grains) {
            all.push_back(grain);
            all.back().id = first_id + all.size() - 1;
            all.back().position += away;
        }
    }
    if (placement.degrees != 0) {
        const Rotation turned(placement.axis, placement.degrees);
        const Vec3 point = placement.point ? *placement.point : middle_of(all);
        for (Grain& grain : all) {
            grain.position = point + turned(grain.position - point);
            grain.velocity = turned(grain.velocity);
            grain.spin = turned(grain.spin);
        }
    }
    if (placement.shift != Vec3{0, 0, 0})
        for (Grain& grain : all)
            grain.position += placement.shift;
    return all;
}

} // namespace tamp
