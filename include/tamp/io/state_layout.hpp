#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tamp/io/hdf5.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {

/// One dataset of a group: `width` 64-bit words at `offset` of every record.
struct Column {
    const char* name;
    std::size_t offset;
    std::size_t width;
    WordKind kind;
    const char* unit;
    const char* description;
};

std::span<const Column> grain_columns();
std::span<const Column> contact_columns();
std::span<const Column> wall_columns();

/// The numbers of a wall; its name is a dataset of text beside them.
struct WallRecord {
    Vec3 point, normal, velocity, reaction;
    double mass, force, area;
    std::int64_t material, motion;
};
WallRecord to_record(const Wall& wall);
Wall to_wall(const WallRecord& record, std::string name);

/// A column's words out of an array of records, and back.
std::vector<std::byte> gather(const Column& column, std::span<const std::byte> records,
                              std::size_t record_bytes);
void scatter(const Column& column, std::span<const std::byte> words, std::span<std::byte> records,
             std::size_t record_bytes);

inline constexpr const char* state_format = "tamp-state";
inline constexpr std::int64_t state_format_version = 2;

/// All words of all records, also those that `state_hash` leaves out: finds damage anywhere in the data.
template <class Record>
void add_all_words(StateHash& hash, std::span<const Record> records, std::uint64_t group) {
    static_assert(sizeof(Record) % 8 == 0);
    std::array<std::uint64_t, 1 + sizeof(Record) / 8> words{group};
    for (const auto& record : records) {
        const auto bytes = std::as_bytes(std::span(&record, 1));
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(words).subspan(1)).begin());
        hash.add(words);
    }
}
StateHash data_hash(std::span<const Grain> grains, std::span<const ContactRecord> contacts,
                    std::span<const Wall> walls);

/// A dataset of so many rows, without data.
Hdf5Handle make_column(hid_t group, const Column& column, std::size_t rows);

/// A group of walls, with its data.
void make_walls(hid_t file, const std::string& name, std::span<const Wall> walls);

/// All that a state says about itself. Throws Hdf5Failure.
void make_state_attributes(hid_t file, const StateHeader& header, const StateHash& hash,
                           const StateHash& data);

} // namespace tamp
