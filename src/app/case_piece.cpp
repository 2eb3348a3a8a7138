#include "tamp/app/case_piece.hpp"

#include <algorithm>
#include <cmath>

namespace tamp {
namespace {

/// Points move towards a corner of the packing, by a factor along each axis.
struct Shrinking {
    Vec3 corner{0, 0, 0}, factor{1, 1, 1};

    Vec3 operator()(const Vec3& point) const {
        Vec3 result = corner;
        for (int axis = 0; axis < 3; ++axis)
            result[axis] += factor[axis] * (point[axis] - corner[axis]);
        return result;
    }
    /// Of an area with this normal.
    double of_area(const Vec3& normal) const {
        double along = 0;
        for (int axis = 0; axis < 3; ++axis)
            along += normal[axis] * normal[axis] * factor[axis];
        return factor.x * factor.y * factor.z / along;
    }
};

/// What the grains fill; all of the box along periodic directions.
struct Filled {
    Vec3 lower{0, 0, 0}, upper{0, 0, 0};

    Filled(const Box& box, std::span<const Grain> grains) : lower(box.upper), upper(box.lower) {
        for (int axis = 0; axis < box.dimension; ++axis) {
            for (const Grain& grain : grains) {
                lower[axis] = std::min(lower[axis], grain.position[axis] - grain.radius);
                upper[axis] = std::max(upper[axis], grain.position[axis] + grain.radius);
            }
            if (box.periodic(axis))
                lower[axis] = box.lower[axis], upper[axis] = box.upper[axis];
        }
    }
};

Shrinking shrinking(const Box& box, const Filled& filled, double share, double largest) {
    constexpr double fewest = 5; // diameters: neighbours on both sides must be others
    Shrinking result{.corner = filled.lower};
    for (int axis = 0; axis < box.dimension; ++axis)
        result.factor[axis] =
            std::min(1.0, std::max(share, fewest * largest / (filled.upper[axis] - filled.lower[axis])));
    return result;
}

/// Grains that are whole in the piece, and touch none of its walls from behind.
std::vector<Grain> grains_in(std::span<const Grain> grains, const Box& box, const Filled& filled,
                             const Shrinking& shrink, std::span<const Wall> walls) {
    const Vec3 upper = shrink(filled.upper);
    std::vector<Grain> result;
    for (const Grain& grain : grains) {
        bool inside = true;
        for (int axis = 0; axis < box.dimension; ++axis)
            inside = inside && (shrink.factor[axis] == 1 ||
                                (grain.position[axis] - grain.radius >= filled.lower[axis] &&
                                 grain.position[axis] + grain.radius <= upper[axis]));
        for (const Wall& wall : walls)
            inside = inside && wall.gap(grain.position, grain.radius) >= 0;
        if (inside) {
            result.push_back(grain);
            result.back().id = result.size() - 1;
        }
    }
    return result;
}

std::vector<Wall> shrunk(std::vector<Wall> walls, const Shrinking& shrink) {
    for (Wall& wall : walls) {
        const double area = shrink.of_area(wall.normal);
        wall.point = shrink(wall.point);
        wall.mass *= area, wall.force *= area, wall.area *= area, wall.damping *= area;
    }
    return walls;
}

/// Times are shorter by a factor, and values are times another one.
template <class Value>
void slow_down(TimeTable<Value>& table, double slower, double values) {
    for (double& time : table.times)
        time *= slower;
    for (Value& value : table.values)
        value = values * value;
}

/// Limits that go with the number of particles, and with their energy.
void shrink_limits(Stage& stage, double share, double slower) {
    for (std::optional<Bound>* bound : {&stage.until_count, &stage.until_mass})
        if (*bound)
            for (std::optional<double>* end : {&(*bound)->above, &(*bound)->below})
                if (*end)
                    **end *= share;
    if (stage.until_kinetic_energy)
        *stage.until_kinetic_energy *= share * slower * slower;
}

} // namespace

CasePiece piece_of(const Case& settings, const Start& start, std::int64_t particles) {
    CasePiece piece{settings, start, {}};
    if (!std::ranges::all_of(start.walls, &Wall::is_plane))
        return piece; // shapes do not shrink with the box
    const auto all = static_cast<double>(start.grains.size()), wanted = static_cast<double>(particles);
    constexpr double hardly_more = 1.5;
    if (all <= hardly_more * wanted)
        return piece;
    const Box& box = settings.box;
    const Filled filled(box, start.grains);
    const double largest = start_sizes(start.grains, box.dimension).largest;
    // What is cut at its faces, or lies unevenly, has fewer grains than its volume should have.
    Shrinking shrink;
    std::vector<Grain> grains;
    double share = std::pow(wanted / all, 1.0 / box.dimension);
    for (; static_cast<double>(grains.size()) < 0.8 * wanted && share < 1; share *= 1.1) {
        shrink = shrinking(box, filled, share, largest);
        piece.start.walls = shrunk(start.walls, shrink);
        grains = grains_in(start.grains, box, filled, shrink, piece.start.walls);
    }
    if (share >= 1) {
        piece.start.walls = start.walls;
        return piece;
    }
    piece.settings.box.lower = shrink(box.lower), piece.settings.box.upper = shrink(box.upper);
    piece.start.contacts.words.clear();
    const double slower = std::sqrt(std::min({shrink.factor.x, shrink.factor.y, shrink.factor.z}));
    for (Grain& grain : grains)
        grain.velocity = slower * grain.velocity, grain.spin = slower * grain.spin;
    for (Wall& wall : piece.start.walls)
        wall.velocity = slower * wall.velocity;
    piece.settings.walls = piece.start.walls;
    for (Stage& stage : piece.settings.stages) {
        if (stage.duration)
            *stage.duration *= slower;
        // Grains grow as much as in the whole.
        stage.growth.rate /= slower;
        stage.growth.relative_rate /= slower;
        if (stage.steps) // so that a way in grains shrinks like all lengths
            *stage.steps =
                std::max<std::int64_t>(1, std::llround(slower * slower * static_cast<double>(*stage.steps)));
        for (WallCommand& command : stage.walls) {
            const auto wall = std::ranges::find(start.walls, command.wall, &Wall::name);
            const double area = wall == start.walls.end() ? 1.0 : shrink.of_area(wall->normal);
            command.velocity = slower * command.velocity;
            command.mass *= area, command.force *= area;
            for (auto* table : {&command.force_table, &command.stress_table})
                slow_down(*table, slower, table == &command.force_table ? area : 1.0);
            slow_down(command.velocity_table, slower, slower);
        }
        slow_down(stage.gravity, slower, 1.0);
        shrink_limits(stage, static_cast<double>(grains.size()) / all, slower);
    }
    piece.enlargement.particles = all / static_cast<double>(grains.size());
    piece.enlargement.speed = 1 / slower;
    piece.start.grains = std::move(grains);
    return piece;
}

} // namespace tamp
