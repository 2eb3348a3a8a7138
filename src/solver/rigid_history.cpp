#include "tamp/solver/rigid_history.hpp"

#include <cassert>

namespace tamp {

std::vector<ColumnInfo> RigidHistory::columns(const rigid::LawSet& laws) {
    std::vector<ColumnInfo> columns{
        {.name = "impulse",
         .width = 3,
         .unit = "N s",
         .description = "Of the last step, on second; the force is impulse / time_step",
         .reverses = true}};
    if (!laws.torques && !laws.cohesion)
        return columns;
    // Both or none, so that the state hash of a run does not depend on which of the two laws it has.
    columns.push_back({.name = "bond",
                       .kind = WordKind::signed_integer,
                       .description = "Of cohesion; 0: none, 1: made (pulled open), 2: held",
                       .kept = laws.cohesion});
    columns.push_back({.name = "torque",
                       .width = 3,
                       .unit = "N m s",
                       .description = "Impulse of the torque of rolling and torsion friction on second",
                       .reverses = true,
                       .kept = laws.torques});
    return columns;
}

RigidHistory::RigidHistory(ColumnTable& table)
    : impulse(table.vectors(0)), table_(&table), only_impulses_(table.columns().size() == 1) {
    assert(table.columns()[0].name == "impulse");
    if (const auto column = table.find("bond"))
        bond = table.integers(*column);
    if (const auto column = table.find("torque"))
        torque = table.vectors(*column);
}

} // namespace tamp
