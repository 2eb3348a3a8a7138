#pragma once

#include <string>
#include <vector>

#include "tamp/engine/rigid_engine.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/measure/view.hpp"

namespace tamp {

/// One row of series.csv and series.h5 besides the time: how the step went, the packing, walls and energy.
/// Names and order depend on the case alone. Collective.
std::vector<Quantity> series_row(const RigidEngine& engine, const View& view, const Measures& measures,
                                 const StepReport& report, std::size_t stage, double kinetic_energy_at_start);

/// "contact_stress_xx" in Pa as "contact stress xx [Pa]".
std::string column_title(const Quantity& quantity);

} // namespace tamp
