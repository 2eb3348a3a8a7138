#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {

SolverSettings read_solver(const Section& section) {
    SolverSettings settings;
    if (section.string("scheme") == "block")
        settings.scheme = SweepScheme::block;
    if (const std::optional<std::string> method = section.string("method"))
        settings.method = *method == "plain"      ? SweepMethod::plain
                          : *method == "ratio"    ? SweepMethod::ratio
                          : *method == "nesterov" ? SweepMethod::nesterov
                                                  : SweepMethod::automatic;
    if (const std::optional<std::string> order = section.string("order"))
        settings.order = *order == "random"      ? SweepOrder::random
                         : *order == "symmetric" ? SweepOrder::symmetric
                                                 : SweepOrder::fixed;
    assign(settings.tolerance, section.number("tolerance"));
    assign(settings.force_tolerance, section.number("force_tolerance"));
    assign(settings.overlap_tolerance, section.number("overlap_tolerance"));
    assign(settings.min_sweeps, section.integer("min_sweeps"));
    assign(settings.max_sweeps, section.integer("max_sweeps"));
    assign(settings.substeps, section.integer("substeps"));
    if (settings.max_sweeps < settings.min_sweeps)
        section.problem(
            section.has("max_sweeps") ? "max_sweeps" : "min_sweeps",
            fmt::format("max_sweeps = {} is less than min_sweeps = {}; raise the one or lower the other",
                        settings.max_sweeps, settings.min_sweeps));
    return settings;
}

TimeSettings read_time(const Section& section) {
    TimeSettings settings;
    assign(settings.step, section.number("step"));
    assign(settings.max_step, section.number("max_step"));
    assign(settings.displacement, section.number("displacement"));
    for (const char* adaptive : {"max_step", "displacement"})
        if (section.has("step") && section.has(adaptive))
            section.problem(adaptive, "adapts the step, but 'step' fixes it; keep one of the two");
    return settings;
}

NeighbourSettings read_neighbours(const Section& section, const std::optional<Box>& box,
                                  const SizeRange& sizes, SweepScheme scheme) {
    NeighbourSettings settings;
    assign(settings.skin, section.number("skin"));
    assign(settings.tile, section.number("tile"));
    const std::optional<std::string> cost = section.string("load_balance");
    if (cost)
        settings.load_balance = *cost == "counted" ? LoadCost::counted
                                : *cost == "never" ? LoadCost::never
                                                   : LoadCost::measured;
    if (scheme == SweepScheme::block && cost == "measured")
        section.problem("load_balance",
                        "measured times would make every run with solver.scheme = \"block\" another "
                        "one; use \"counted\" or \"never\"");
    if (!sizes.known())
        return settings;
    const double reach = sizes.largest + settings.skin;
    if (settings.tile > 0 && settings.tile < reach)
        section.problem(
            "tile", fmt::format("got {}, less than the largest diameter plus skin, {:.6g}; make it larger",
                                settings.tile, reach));
    for (int axis = 0; box && settings.skin > 0 && axis < box->dimension; ++axis)
        if (box->periodic(axis) && box->length(axis) < 2 * reach)
            section.problem(
                "skin", fmt::format("the box is {:.6g} long along {}, which is periodic, less than twice the "
                                    "largest diameter plus skin, {:.6g}; make the skin smaller",
                                    box->length(axis), "xyz"[axis], reach));
    return settings;
}

OutputSettings read_output(const Section& section) {
    OutputSettings settings;
    assign(settings.directory, section.string("directory"));
    if (section.string("directory") == "")
        section.problem("directory", "is empty; give a folder or remove the key");
    assign(settings.series_every, section.integer("series_every"));
    return settings;
}

} // namespace tamp
