#pragma once

#include "tamp/soft/pair_laws.hpp"
#include "tamp/world/world.hpp"

namespace tamp::soft {

/// The energy that contacts would give back, J: of their normal springs, sliding, rolling and torsion, as
/// they were when the forces were found, `age` seconds ago. The lists have the memory of all contacts. The
/// same bits on any number of ranks. Collective.
double elastic_energy(const World& world, const LawTable& laws, double age);

/// The same of the springs alone, each counted from where its contact bears no force: never negative.
/// Cohesion and what adhesive contacts would take to part do not count.
double spring_energy(const World& world, const LawTable& laws, double age);

} // namespace tamp::soft
