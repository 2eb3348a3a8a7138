#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamp/measure/bed.hpp"
#include "tamp/measure/measures.hpp"
#include "tamp/measure/quantity.hpp"
#include "tamp/measure/view.hpp"
#include "tamp/world/energy_flows.hpp"
#include "tamp/world/step_report.hpp"

namespace tamp {

/// What rows of the series compare with.
struct SeriesOrigin {
    double kinetic_energy = 0; ///< J, at the start of the run
    double bed_height = 0;     ///< m, after the first step of the stage
};

/// What an engine tells of energy.
struct Energies {
    std::optional<EnergyFlows> flows{}; ///< if they are followed
    std::optional<double> elastic{};    ///< J; soft grains
    std::optional<double> springs{};    ///< J; soft grains, see Engine::spring_energy
};

/// One row of series.csv and series.h5 besides the time: how the step went, the packing, walls and energy.
/// Names and order depend on the case alone. Collective.
std::vector<Quantity> series_row(const World& world, const View& view, const Measures& measures,
                                 const Bed& bed, const Energies& energy, const StepReport& report,
                                 std::size_t stage, const SeriesOrigin& origin);

/// "contact_stress_xx" in Pa as "contact stress xx [Pa]".
std::string column_title(const Quantity& quantity);

/// What the columns of series.csv mean, a line each: `series-columns.txt`.
std::string column_list(std::span<const Quantity> row);

} // namespace tamp
