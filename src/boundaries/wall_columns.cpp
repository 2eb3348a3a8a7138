#include "tamp/boundaries/wall_columns.hpp"

#include <array>
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

/// In the order of the columns.
struct ShapeRecord {
    std::int64_t kind, side;
    double radius, end_radius;
    std::array<double, 2> axial;
    std::array<Vec3, 2> half_edges;
    Vec3 pivot, axis;
    double turn_speed, inertia, moment;
    Vec3 amplitude;
    double frequency, phase, begin;
    Vec3 given_velocity;
    double most_speed;
};
static_assert(std::is_trivially_copyable_v<ShapeRecord>);
constexpr std::size_t shape_words = sizeof(ShapeRecord) / 8;

ShapeRecord shape_record(const Wall& wall) {
    const auto& [kind, side, radius, end_radius, axial, half_edges] = wall.shape;
    const auto& [pivot, axis, speed, inertia, moment] = wall.rotation;
    const auto& [amplitude, frequency, phase, begin] = wall.oscillation;
    return {static_cast<std::int64_t>(kind),
            static_cast<std::int64_t>(side),
            radius,
            end_radius,
            axial,
            half_edges,
            pivot,
            axis,
            speed,
            inertia,
            moment,
            amplitude,
            frequency,
            phase,
            begin,
            wall.given_velocity,
            wall.most_speed};
}

} // namespace

std::vector<ColumnInfo> wall_columns() {
    using enum WordKind;
    return {
        {"point", 3, real, "m", "A point of the wall, see its shape"},
        {"normal", 3, real, "1", "Unit vector towards the particles; of curved shapes their axis"},
        {"velocity", 3, real, "m/s", "Velocity"},
        {"reaction", 3, real, "N", "Force of the particles, last step"},
        {"mass", 1, real, "kg", "Mass of a piston"},
        {"force", 1, real, "N", "Force applied to a piston along its normal"},
        {"area", 1, real, "m^2", "As given in the input, for stresses (2-D: length in m); 0: not given"},
        {"material", 1, signed_integer, "1", "Index in the materials of the input"},
        {"motion", 1, signed_integer, "1", "0: fixed, 1: driven, 2: piston, 3: removed, 4: free to turn"}};
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

std::vector<ColumnInfo> wall_shape_columns() {
    using enum WordKind;
    return {
        {"shape", 1, signed_integer, "1", "0: plane, 1: rectangle, 2: disc, 3: cylinder, 4: cone, 5: sphere"},
        {"side", 1, signed_integer, "1",
         "Of curved shapes, where particles are: 0: inside, 1: outside, 2: both"},
        {"radius", 1, real, "m", "Of a curved shape or a disc; of a cone where it begins"},
        {"end_radius", 1, real, "m", "Of a cone where it ends"},
        {"axial", 2, real, "m", "Where a cylinder or a cone begins and ends, along its axis from its point"},
        {"half_edge_1", 3, real, "m", "Half an edge of a rectangle"},
        {"half_edge_2", 3, real, "m", "Half the other edge of a rectangle"},
        {"pivot", 3, real, "m", "A point of the axis that the wall turns about"},
        {"turning_axis", 3, real, "1", "Unit vector along that axis"},
        {"turning_speed", 1, real, "rad/s", "How fast it turns"},
        {"inertia", 1, real, "kg m^2", "About that axis, if it is free to turn"},
        {"moment", 1, real, "N m", "Applied about that axis, if it is free to turn"},
        {"amplitude", 3, real, "m", "Of its oscillation"},
        {"frequency", 1, real, "1/s", "Of its oscillation; 0: none"},
        {"phase", 1, real, "rad", "Of its oscillation when it began"},
        {"oscillation_begin", 1, real, "s", "When its oscillation began"},
        {"given_velocity", 3, real, "m/s", "Beside what oscillation or forces make of it"},
        {"most_speed", 1, real, "m/s", "A piston is never faster; 0: unbounded"}};
}

WordTable wall_shape_table(std::span<const Wall> walls) {
    WordTable table{wall_shape_columns(), std::vector<std::uint64_t>(walls.size() * shape_words)};
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const ShapeRecord record = shape_record(walls[w]);
        std::memcpy(&table.words[w * shape_words], &record, sizeof record);
    }
    return table;
}

void set_shape(std::span<const std::uint64_t> row, Wall& wall) {
    ShapeRecord record;
    std::memcpy(static_cast<void*>(&record), row.data(), sizeof record);
    wall.shape = {static_cast<ShapeKind>(record.kind),
                  static_cast<ShapeSide>(record.side),
                  record.radius,
                  record.end_radius,
                  record.axial,
                  record.half_edges};
    wall.rotation = {record.pivot, record.axis, record.turn_speed, record.inertia, record.moment};
    wall.oscillation = {record.amplitude, record.frequency, record.phase, record.begin};
    wall.given_velocity = record.given_velocity;
    wall.most_speed = record.most_speed;
}

bool is_plain(const Wall& wall) {
    return wall.is_plane() && !wall.turns() && wall.rotation.inertia == 0 && !wall.oscillation.any() &&
           wall.given_velocity == Vec3{0, 0, 0} && wall.most_speed == 0;
}

} // namespace tamp
