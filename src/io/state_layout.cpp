#include "tamp/io/state_layout.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tamp {

namespace {

using enum WordKind;

static_assert(std::is_standard_layout_v<Grain> && std::is_trivially_copyable_v<Grain>);
static_assert(std::is_standard_layout_v<ContactRecord> && std::is_trivially_copyable_v<ContactRecord>);
static_assert(std::is_standard_layout_v<WallRecord> && std::is_trivially_copyable_v<WallRecord>);

constexpr std::array grain_table{
    Column{"id", offsetof(Grain, id), 1, unsigned_integer, "1", "Name of the particle for the whole run"},
    Column{"position", offsetof(Grain, position), 3, real, "m", "Centre"},
    Column{"radius", offsetof(Grain, radius), 1, real, "m", "Radius"},
    Column{"velocity", offsetof(Grain, velocity), 3, real, "m/s", "Velocity of the centre"},
    Column{"angular_velocity", offsetof(Grain, spin), 3, real, "rad/s", "Angular velocity"},
    Column{"material", offsetof(Grain, material), 1, signed_integer, "1",
           "Index in the materials of the input"},
};

constexpr std::array contact_table{
    Column{"first", offsetof(ContactRecord, first), 1, unsigned_integer, "1", "Id of the first particle"},
    Column{"second", offsetof(ContactRecord, second), 1, unsigned_integer, "1",
           "Id of the second particle, or 2^63 + index in /walls"},
    Column{"normal", offsetof(ContactRecord, normal), 3, real, "1", "Unit vector from first to second"},
    Column{"gap", offsetof(ContactRecord, gap), 1, real, "m", "Distance of the surfaces; negative: overlap"},
    Column{"impulse", offsetof(ContactRecord, impulse), 3, real, "N s",
           "Impulse of the last step on second; the force is impulse / time_step"},
    Column{"torque", offsetof(ContactRecord, torque), 3, real, "N m s",
           "Impulse of the torque of rolling and torsion friction on second"},
    Column{"bond", offsetof(ContactRecord, bond), 1, signed_integer, "1",
           "Of cohesion; 0: none, 1: made, 2: made and not pulled open in the last step"},
};

constexpr std::array wall_table{
    Column{"point", offsetof(WallRecord, point), 3, real, "m", "A point of the plane"},
    Column{"normal", offsetof(WallRecord, normal), 3, real, "1", "Unit vector towards the particles"},
    Column{"velocity", offsetof(WallRecord, velocity), 3, real, "m/s", "Velocity"},
    Column{"reaction", offsetof(WallRecord, reaction), 3, real, "N", "Force of the particles, last step"},
    Column{"mass", offsetof(WallRecord, mass), 1, real, "kg", "Mass of a piston"},
    Column{"force", offsetof(WallRecord, force), 1, real, "N", "Force applied to a piston along its normal"},
    Column{"area", offsetof(WallRecord, area), 1, real, "m^2",
           "Face seen by the particles (2-D: length in m)"},
    Column{"material", offsetof(WallRecord, material), 1, signed_integer, "1",
           "Index in the materials of the input"},
    Column{"motion", offsetof(WallRecord, motion), 1, signed_integer, "1",
           "0: fixed, 1: driven, 2: piston, 3: removed"},
};

} // namespace

std::span<const Column> grain_columns() { return grain_table; }
std::span<const Column> contact_columns() { return contact_table; }
std::span<const Column> wall_columns() { return wall_table; }

WallRecord to_record(const Wall& wall) {
    return {wall.point,    wall.normal,   wall.velocity,
            wall.reaction, wall.mass,     wall.force,
            wall.area,     wall.material, static_cast<std::int64_t>(wall.motion)};
}

Wall to_wall(const WallRecord& record, std::string name) {
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

std::vector<std::byte> gather(const Column& column, std::span<const std::byte> records,
                              std::size_t record_bytes) {
    const std::size_t count = records.size() / record_bytes, bytes = 8 * column.width;
    std::vector<std::byte> words(count * bytes);
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&words[i * bytes], &records[i * record_bytes + column.offset], bytes);
    return words;
}

void scatter(const Column& column, std::span<const std::byte> words, std::span<std::byte> records,
             std::size_t record_bytes) {
    const std::size_t count = records.size() / record_bytes, bytes = 8 * column.width;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(&records[i * record_bytes + column.offset], &words[i * bytes], bytes);
}

StateHash data_hash(std::span<const Grain> grains, std::span<const ContactRecord> contacts,
                    std::span<const Wall> walls) {
    StateHash hash;
    std::vector<WallRecord> records;
    std::ranges::transform(walls, std::back_inserter(records), to_record);
    add_all_words(hash, grains, 1);
    add_all_words(hash, contacts, 2);
    add_all_words(hash, std::span<const WallRecord>(records), 3);
    return hash;
}

} // namespace tamp
