#include "tamp/app/series_row.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "tamp/measure/packing_quantities.hpp"

namespace tamp {
namespace {

class Row {
public:
    void add(std::string name, std::string unit, std::string description, double value) {
        row_.push_back({std::move(name), std::move(unit), std::move(description), {value}});
    }
    void count(std::string name, std::string description, std::int64_t value) {
        add(std::move(name), "1", std::move(description), static_cast<double>(value));
    }

    void add_energy(const EnergyFlows& flows, double change) {
        if (flows.soft) {
            add("dissipated_by_dashpots", "J", "since the start", flows.dashpots);
            add("dissipated_by_hysteresis", "J", "since the start, by normal springs that yield or stick",
                flows.hysteresis);
        } else {
            add("dissipated_by_collisions", "J", "since the start, along the normal", flows.collisions);
        }
        add("dissipated_by_friction", "J", "since the start, by sliding", flows.friction);
        if (flows.with_torques) {
            add("dissipated_by_rolling", "J", "since the start", flows.rolling);
            add("dissipated_by_torsion", "J", "since the start", flows.torsion);
        }
        if (flows.with_cohesion)
            add("dissipated_by_cohesion", "J", "since the start, by contacts under tension", flows.cohesion);
        add("work_of_gravity", "J",
            "since the start: minus the change of potential energy, while gravity stays as it is",
            flows.gravity);
        if (flows.soft) {
            add("dissipated_by_background", "J", "since the start", flows.background);
            add("work_of_growth", "J", "since the start, of radii that grow", flows.growth);
            add("stored_by_springs", "J", "since the start: the change of the elastic energy", flows.elastic);
        } else {
            add("lost_by_integration", "J",
                "since the start, by the scheme: positions follow the velocity at the end of a step",
                flows.integration);
        }
        add("work_of_walls", "J", "since the start, on the particles", flows.work_of_walls());
        add("energy_of_leavers", "J", "kinetic energy of particles that left", flows.left);
        add("energy_error", "J", "kinetic energy less what the budget expects",
            change - flows.expected_change());
    }

    std::vector<Quantity> take() { return std::move(row_); }

private:
    std::vector<Quantity> row_;
};

} // namespace

std::vector<Quantity> series_row(const World& world, const View& view, const Measures& m, const Bed& bed,
                                 const Energies& energy, const StepReport& report, std::size_t stage,
                                 const SeriesOrigin& origin) {
    Row row;
    row.count("step", "Number of the step", world.totals.steps);
    row.count("stage", "Number of the stage, from 1", static_cast<std::int64_t>(stage) + 1);
    row.count("particles", "In the region", m.particles);
    row.count("contacts", "That carry a force, walls included", m.contacts);
    row.add("coordination", "1", "Contacts a particle; one between two particles counts for both",
            m.coordination);
    row.add("volume_fraction", "1", "Of the region between the walls", m.volume_fraction);
    row.add("kinetic_energy", "J", "Of translation and rotation", m.kinetic_energy);
    if (energy.elastic) {
        row.add("elastic_energy", "J", "That contacts would give back", *energy.elastic);
        row.add(
            "energy_ratio", "1",
            "Kinetic energy over that of the contacts' springs, each from where it bears no force; 0: they "
            "have none",
            energy_ratio(m.kinetic_energy, energy.springs.value_or(0.0)).value_or(0.0));
    }
    row.add("mean_overlap", "m", "Of contacts that carry a force", m.mean_overlap);
    row.add("largest_overlap", "m", "Of contacts that carry a force", m.largest_overlap);
    row.add("time_step", "s", "Of the last step", report.time_step);
    if (!energy.elastic) { // rigid grains
        row.count("sweeps", "Of the last step", report.solve.sweeps);
        row.add("residual", "1", "Mean over contacts, relative to the mean normal impulse",
                report.solve.residual);
        row.add("largest_residual", "1", "Relative to the mean normal impulse", report.solve.largest);
        row.add("force_error", "1", "Estimated relative error of stress and wall forces",
                report.solve.force_error);
        row.count("momentum_resets", "How often the sweeps of the last step lost their momentum",
                  report.solve.resets);
    }
    for (std::size_t w = 0; w < world.walls.size(); ++w)
        row.add("force_on_" + world.walls[w].name, "N",
                "Of the particles, along minus the wall's normal; of a shape that is not free: its size",
                m.wall_force[w]);
    if (energy.flows)
        row.add_energy(*energy.flows, m.kinetic_energy - origin.kinetic_energy);
    row.add("bed_height", "m",
            "From the floor to the wall above the particles, or to their free surface, above which 1 % of "
            "them reach",
            bed.height());
    row.add("bed_strain", "1",
            "Of the height of the bed since the first step of the stage; positive in compression",
            origin.bed_height > 0 ? 1 - bed.height() / origin.bed_height : 0.0);
    row.add("bed_volume_fraction", "1", "Of the bed", bed.volume_fraction);

    std::vector<Quantity> result = row.take();
    std::set<std::string> known;
    for (const Quantity& quantity : result)
        known.insert(quantity.name);
    for (Quantity& quantity : packing_quantities(world, view))
        if (!known.contains(quantity.name))
            result.push_back(std::move(quantity));
    return result;
}

std::string column_title(const Quantity& quantity) {
    std::string title = quantity.name;
    std::ranges::replace(title, '_', ' ');
    std::ranges::replace(title, '/', ' ');
    return quantity.unit == "1" ? title : fmt::format("{} [{}]", title, quantity.unit);
}

std::string column_list(std::span<const Quantity> row) {
    std::size_t width = 0;
    for (const Quantity& quantity : row)
        width = std::max(width, column_title(quantity).size());
    std::string text =
        fmt::format("Columns of series.csv, with their units and what they mean. A column without a unit is "
                    "a pure number.\n"
                    "series.h5 has the same numbers in datasets of these names, with _ between the words.\n\n"
                    "{:<{}}  Simulated time\n",
                    "time [s]", width);
    for (const Quantity& quantity : row) {
        std::string description = quantity.description;
        if (!description.empty())
            description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(description[0])));
        text += fmt::format("{:<{}}  {}\n", column_title(quantity), width, description);
    }
    return text;
}

} // namespace tamp
