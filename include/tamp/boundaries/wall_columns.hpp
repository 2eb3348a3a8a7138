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

} // namespace tamp
