#include "tamp/boundaries/wall_columns.hpp"

#include <cstring>
#include <type_traits>

namespace tamp {
namespace {

/// In the order of the columns.
struct WallRecord {
    Vec3 point, normal, velocity, reaction;
    double mass, force, area;
    std::int64_t material, motion;
};
static_assert(std::is_trivially_copyable_v<WallRecord>);
constexpr std::size_t record_words = sizeof(WallRecord) / 8;

} // namespace

std::vector<ColumnInfo> wall_columns() {
    using enum WordKind;
    return {{"point", 3, real, "m", "A point of the plane"},
            {"normal", 3, real, "1", "Unit vector towards the particles"},
            {"velocity", 3, real, "m/s", "Velocity"},
            {"reaction", 3, real, "N", "Force of the particles, last step"},
            {"mass", 1, real, "kg", "Mass of a piston"},
            {"force", 1, real, "N", "Force applied to a piston along its normal"},
            {"area", 1, real, "m^2", "As given in the input, for stresses (2-D: length in m); 0: not given"},
            {"material", 1, signed_integer, "1", "Index in the materials of the input"},
            {"motion", 1, signed_integer, "1", "0: fixed, 1: driven, 2: piston, 3: removed"}};
}

ColumnInfo wall_torque_column() {
    return {"torque", 3, WordKind::real, "N m", "Of the particles about the wall's point, last step"};
}

WordTable wall_table(std::span<const Wall> walls) {
    WordTable table{wall_columns(), std::vector<std::uint64_t>(walls.size() * record_words)};
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const Wall& wall = walls[w];
        const WallRecord record{wall.point,    wall.normal,   wall.velocity,
                                wall.reaction, wall.mass,     wall.force,
                                wall.area,     wall.material, static_cast<std::int64_t>(wall.motion)};
        std::memcpy(&table.words[w * record_words], &record, sizeof record);
    }
    return table;
}

Wall wall_of(std::span<const std::uint64_t> row, std::string name) {
    WallRecord record;
    std::memcpy(static_cast<void*>(&record), row.data(), sizeof record);
    Wall wall;
    wall.name = std::move(name);
    wall.point = record.point;
    wall.normal = record.normal;
    wall.velocity = record.velocity;
    wall.reaction = record.reaction;
    wall.mass = record.mass;
    wall.force = record.force;
    wall.area = record.area;
    wall.material = static_cast<int>(record.material);
    wall.motion = static_cast<WallMotion>(record.motion);
    return wall;
}

} // namespace tamp
