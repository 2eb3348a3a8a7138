#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tamp/boundaries/wall_columns.hpp"
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

/// The columns of a table of words, which is to outlive them.
std::vector<Column> columns_of(std::span<const ColumnInfo> columns);

/// Of the group of a table: the names of its columns in their order, with spaces between them.
inline constexpr const char* columns_attribute = "columns";

/// A column's words out of an array of records, and back.
std::vector<std::byte> gather(const Column& column, std::span<const std::byte> records,
                              std::size_t record_bytes);
void scatter(const Column& column, std::span<const std::byte> words, std::span<std::byte> records,
             std::size_t record_bytes);

// What files have of particles and contacts for other programs; tamp knows it from the rest.
ColumnInfo state_mass_column();
ColumnInfo state_wall_column();

inline constexpr const char* state_format = "tamp-state";
inline constexpr std::int64_t state_format_version = 4;

/// All words of all rows, also those that `state_hash` leaves out: finds damage anywhere in the data.
StateHash data_hash(const StateTables& tables, std::span<const Wall> walls);

/// A dataset of so many rows, without data.
Hdf5Handle make_column(hid_t group, const Column& column, std::size_t rows);

/// The dataset `name` of a group, with its data: what its members are called in the input.
void make_names(hid_t group, std::span<const std::string> names);

/// A group of walls, with its data.
void make_walls(hid_t file, const std::string& name, std::span<const Wall> walls);

/// All that a state says about itself. Throws Hdf5Failure.
void make_state_attributes(hid_t file, const StateHeader& header, const StateHash& hash,
                           const StateHash& data);

} // namespace tamp
