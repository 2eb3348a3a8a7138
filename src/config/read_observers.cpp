#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tamp/config/readers.hpp"

namespace tamp {
namespace {

Rhythm read_rhythm(const Section& section) {
    Rhythm rhythm;
    assign(rhythm.every, section.integer("every"));
    assign(rhythm.interval, section.number("interval"));
    if (section.has("every") && section.has("interval"))
        section.problem("interval", "contradicts 'every'; keep one of the two");
    return rhythm;
}

} // namespace

bool Rhythm::due(std::int64_t step, double time, double time_step) const {
    if (every > 0)
        return step % every == 0;
    if (interval == 0)
        return false;
    // A multiple that rounding put just behind the time counts as reached.
    const auto reached = [&](double t) { return std::floor((t + 1e-6 * time_step) / interval); };
    return reached(time) > reached(time - time_step);
}

MeasurePlan read_measure(const Section& top, int dimension) {
    MeasurePlan plan;
    const Section section = top.inner("measure");
    plan.wanted = top.has("measure");
    plan.rhythm = read_rhythm(section);
    assign(plan.energy_budget, section.boolean("energy_budget"));
    MeasureSettings& settings = plan.settings;
    if (const auto axis = section.string("profile_axis")) {
        settings.profile_axis = (*axis)[0] - 'x';
        if (settings.profile_axis == 2 && dimension == 2)
            section.problem("profile_axis", "there is no z in two dimensions; choose \"x\" or \"y\"");
    }
    assign(settings.profile_bins, section.integer("profile_bins"));
    assign(settings.force_bins, section.integer("force_bins"));
    assign(settings.largest_force, section.number("largest_force"));
    assign(settings.pair_range, section.number("pair_range"));
    assign(settings.pair_bins, section.integer("pair_bins"));
    assign(settings.coarse_graining_width, section.number("width"));
    if (const auto cells = section.numbers("cells")) {
        if (dimension != 0 && static_cast<int>(cells->size()) != dimension)
            section.problem("cells", fmt::format("got {} numbers; give one for each of the {} directions",
                                                 cells->size(), dimension));
        else if (std::ranges::any_of(*cells, [](double n) { return n != std::floor(n); }))
            section.problem("cells", "give whole numbers");
        else
            for (std::size_t axis = 0; axis < std::min<std::size_t>(3, cells->size()); ++axis)
                settings.grid_cells[axis] = static_cast<int>((*cells)[axis]);
        constexpr double most_cells = 1 << 18; // every rank holds all of them
        double all = 1;
        for (const int n : settings.grid_cells)
            all *= std::max(1, n);
        if (all > most_cells)
            section.problem("cells",
                            fmt::format("these are {:.0f} cells; give {:.0f} at most", all, most_cells));
    }
    return plan;
}

SnapshotPlan read_snapshots(const Section& top) {
    SnapshotPlan plan;
    const Section section = top.inner("snapshots");
    plan.wanted = top.has("snapshots");
    plan.rhythm = read_rhythm(section);
    assign(plan.settings.contacts, section.boolean("contacts"));
    assign(plan.settings.compression, section.integer("compression"));
    return plan;
}

CheckpointPlan read_checkpoint_plan(const Section& section) {
    CheckpointPlan plan;
    assign(plan.interval, section.number("interval"));
    assign(plan.every, section.integer("every"));
    assign(plan.stage_ends, section.boolean("stage_ends"));
    return plan;
}

std::vector<PicturePlan> read_pictures(const Section& top) {
    std::vector<PicturePlan> plans;
    const std::vector<Section> sections = top.entries("picture");
    check_names(sections);
    for (const Section& section : sections) {
        PicturePlan plan;
        plan.rhythm = read_rhythm(section);
        plan.place = section.name_of("pipeline");
        assign(plan.settings.name, section.string("name"));
        assign(plan.settings.script, section.string("pipeline"));
        assign(plan.settings.colour, section.string("colour"));
        plan.colour_given = section.has("colour");
        if (section.string("frame") == "box")
            plan.settings.frame = PictureFrame::box;
        assign(plan.settings.zoom, section.number("zoom"));
        assign(plan.settings.width, section.integer("width"));
        assign(plan.settings.height, section.integer("height"));
        if (const auto range = section.numbers("range")) {
            if (range->size() != 2 || (*range)[0] >= (*range)[1])
                section.problem("range", "give two numbers, the smaller one first");
            else
                plan.settings.range = {(*range)[0], (*range)[1]};
        }
        if (const auto camera = section.vector("camera")) {
            if (norm(*camera) == 0)
                section.problem("camera", "has no direction; give a vector that is not zero");
            plan.settings.camera = *camera;
        }
        if (const auto change = section.number("stress_change"))
            plan.stress_change = *change;
        assign(plan.pause, section.integer("pause"));
        if (section.has("pause") && !section.has("stress_change"))
            section.problem("pause",
                            "belongs to 'stress_change', which is not given; give it or remove this");
        plans.push_back(plan);
    }
    return plans;
}

} // namespace tamp
