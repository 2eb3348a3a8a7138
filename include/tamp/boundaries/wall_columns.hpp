#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/boundaries/wall.hpp"

namespace tamp {

// The numbers of a wall as every file holds them; its name is text beside them. A new number of a wall is a
// line in `wall_columns` and in the record behind it.

std::vector<ColumnInfo> wall_columns();
/// Beside these: it follows from the contacts, so that no hash has it, and older files lack it.
ColumnInfo wall_torque_column();
WordTable wall_table(std::span<const Wall> walls);
/// `row`: of such a table.
Wall wall_of(std::span<const std::uint64_t> row, std::string name);

// Shape, rotation and oscillation are columns of their own, which files of earlier versions lack. A wall that
// is a plane without any of these has no words of them in the hash.

std::vector<ColumnInfo> wall_shape_columns();
WordTable wall_shape_table(std::span<const Wall> walls);
void set_shape(std::span<const std::uint64_t> row, Wall& wall);
/// Whether a row of that table tells nothing that matters.
bool is_plain(const Wall& wall);

} // namespace tamp
