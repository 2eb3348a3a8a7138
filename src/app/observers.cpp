#include "tamp/app/observers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "tamp/app/series_row.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/nearest_name.hpp"
#include "tamp/base/printable.hpp"
#include "tamp/io/safe_file.hpp"
#include "tamp/io/set_aside.hpp"

namespace tamp {
namespace {

RunIdentity identity_of(const Case& settings, const Communicator& communicator) {
    return {settings.title, settings.source, settings.seed, communicator.size()};
}

/// Of names such as "profile/velocity": the group.
std::map<std::string, std::vector<Quantity>> by_group(std::vector<Quantity> quantities) {
    std::map<std::string, std::vector<Quantity>> groups;
    for (Quantity& quantity : quantities) {
        const std::size_t slash = quantity.name.find('/');
        const std::string group = quantity.name.substr(0, slash);
        quantity.name.erase(0, slash + 1);
        groups[group].push_back(std::move(quantity));
    }
    return groups;
}

/// Up to when the series of the folder stay; none: new ones begin, and what is there gets another name.
std::optional<double> series_time(const World& world, const std::string& folder, const Continuation& from,
                                  const Observers::Warn& warn) {
    if (from.same_folder && from.same_columns)
        return world.clock.time;
    std::string problem;
    if (from.same_folder && world.communicator.rank() == 0)
        try {
            const std::string suffix = fmt::format("until-{:08}", world.totals.steps);
            for (const char* name : {"/series.csv", "/series.h5"})
                if (const std::string where = set_aside(folder + name, suffix); !where.empty())
                    warn(fmt::format("[measure] has changed: the series so far is now {}", where));
        } catch (const FileError& error) {
            problem = error.what();
        }
    if (problem = world.communicator.first_problem(problem); !problem.empty())
        throw FileError(problem);
    return {};
}

/// Beside series.csv, not in it: programs that read tables stumble over comments.
void describe_columns(const std::string& folder, std::span<const Quantity> row, const Observers::Warn& warn) {
    const std::string text = column_list(row);
    if (const std::string problem =
            write_whole(folder + "/series-columns.txt", std::as_bytes(std::span(text)));
        !problem.empty())
        warn(problem);
}

Quantity corner(const std::string& name, const Vec3& point) {
    return {name, "m", "Corner of the grid, which follows the walls", {point.x, point.y, point.z}, {3}};
}

Energies energies_of(const Engine& engine) {
    return {engine.energy_flows(), engine.elastic_energy(), engine.spring_energy()};
}

} // namespace

std::vector<PictureSettings> picture_settings(const Communicator& communicator, const Case& settings,
                                              const std::string& case_path) {
    std::vector<PictureSettings> pictures;
    std::string problem;
    const std::string folder = std::filesystem::path(case_path).parent_path().string();
    for (const PicturePlan& plan : settings.pictures) {
        pictures.push_back(plan.settings);
        pictures.back().script = find_picture_script(plan.settings.script, folder);
        if (pictures.back().script.empty() && problem.empty())
            problem = fmt::format("{}: there is no script '{}' beside the case, nor one of that name among "
                                  "those of tamp ({})",
                                  plan.place, plan.settings.script, fmt::join(picture_scripts(), ", "));
        const std::vector<std::string> colours = colours_of(pictures.back().script);
        if (problem.empty() && plan.colour_given && !colours.empty() &&
            std::ranges::find(colours, plan.settings.colour) == colours.end()) {
            const std::string nearest = nearest_name(plan.settings.colour, colours);
            problem = fmt::format("{}: '{}' shows nothing of the name '{}'{}; choose colour from {}",
                                  plan.place, plan.settings.script, printable(plan.settings.colour),
                                  nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                                  fmt::join(colours, ", "));
        }
    }
    if (problem = communicator.first_problem(problem); !problem.empty())
        throw InputError(problem);
    return pictures;
}

double estimated_stress(const World& world, const StepReport& report) {
    const double force = report.solve.normal_impulse / world.clock.last_step; // of the last sub-step
    return force * world.sizes.mean / (world.box().dimension * region_volume(world.box(), world.walls));
}

Observers::Observers(const Case& settings, std::vector<PictureSettings> pictures, const World& world,
                     const Engine& engine, const std::string& folder, Warn warn, const Continuation& from)
    : settings_(settings), warn_(std::move(warn)),
      measures_(measure(world, engine.forces())), origin_{.kinetic_energy = measures_.kinetic_energy},
      series_file_(world.communicator, folder + "/series.h5", identity_of(settings, world.communicator),
                   warn_, {}, series_time(world, folder, from, warn_)),
      distributions_(settings.measure.settings), last_pictures_(pictures.size()) {
    const Communicator& communicator = world.communicator;
    const View start = view(world, engine.forces());
    follows_ = settings.measure.wanted || !pictures.empty();
    if (const Checkpoint* past = from.checkpoint) {
        // A budget that begins here counts from here.
        if (!settings.measure.energy_budget || from.energy)
            origin_.kinetic_energy = past->run.kinetic_energy_at_start;
        origin_.bed_height = past->run.bed_height;
        if (past->pictures.size() == pictures.size())
            last_pictures_ = past->pictures;
    }
    if (follows_ && from.checkpoint && from.checkpoint->follows)
        distributions_.displacements().restore(communicator, from.checkpoint->displacements);
    else if (follows_)
        distributions_.follow(world, start);
    last_row_ = series_row(world, start, measures_, measure_bed(world), energies_of(engine), {}, 0, origin_);
    std::vector<std::string> columns{"time [s]"};
    for (const Quantity& quantity : last_row_)
        columns.push_back(column_title(quantity));
    if (communicator.rank() == 0)
        describe_columns(folder, last_row_, warn_);
    series_.emplace(communicator, folder + "/series.csv", columns, warn_, Series::default_most_waiting,
                    from.same_columns ? std::optional(world.clock.time) : std::nullopt);
    if (settings.snapshots.wanted) {
        snapshots_.emplace(communicator, folder, identity_of(settings, communicator),
                           settings.snapshots.settings);
        if (from.same_folder)
            snapshots_->go_on_after(world.totals.steps, from.checkpoint->snapshots, warn_);
    }
    if (!pictures.empty())
        pictures_.emplace(communicator, folder + "/images", std::move(pictures), warn_);
}

void Observers::after_step(const World& world, Engine& engine, const StepReport& report,
                           const Moment& moment) {
    const auto due = [&](const Rhythm& rhythm) {
        return moment.last || rhythm.due(world.totals.steps, world.clock.time, report.time_step);
    };
    const bool row = moment.first || moment.last || world.totals.steps % settings_.output.series_every == 0;
    const bool distributions = settings_.measure.wanted && due(settings_.measure.rhythm);
    const bool snapshot = snapshots_ && due(settings_.snapshots.rhythm);
    const std::vector<std::size_t> pictures = pictures_due(world, report, moment);
    if (!row && !distributions && !snapshot && pictures.empty())
        return;

    engine.make_room(); // for the view
    const ContactForces forces = engine.forces();
    const View now = view(world, forces);
    if (row) {
        measures_ = measure(world, forces);
        write_row(world, now, energies_of(engine), report, moment);
    }
    Fields fields;
    if (distributions || !pictures.empty())
        fields = distributions_.fields(world, now);
    else if (follows_)
        distributions_.follow(world, now); // often enough that nobody crosses half the box in between
    if (distributions)
        write_distributions(world, now, fields);
    if (snapshot)
        write_snapshot(world, now, moment.stage);
    if (!pictures.empty())
        pictures_->draw(now, fields, world.walls, pictures);
}

std::vector<std::size_t> Observers::pictures_due(const World& world, const StepReport& report,
                                                 const Moment& moment) {
    std::vector<std::size_t> due;
    if (!pictures_)
        return due;
    const double stress = estimated_stress(world, report);
    for (std::size_t k = 0; k < settings_.pictures.size(); ++k) {
        const PicturePlan& plan = settings_.pictures[k];
        PictureMoment& last = last_pictures_[k];
        const bool changed = plan.stress_change && world.totals.steps - last.step >= plan.pause &&
                             std::abs(stress - last.stress) > *plan.stress_change * std::abs(last.stress);
        if (pictures_->active(k) &&
            (moment.last || changed ||
             plan.rhythm.due(world.totals.steps, world.clock.time, report.time_step))) {
            last = {world.totals.steps, stress};
            due.push_back(k);
        }
    }
    return due;
}

void Observers::write_row(const World& world, const View& now, const Energies& energy,
                          const StepReport& report, const Moment& moment) {
    const Bed bed = measure_bed(world);
    if (moment.first)
        origin_.bed_height = bed.height();
    last_row_ = series_row(world, now, measures_, bed, energy, report, moment.stage, origin_);
    std::vector<double> numbers{world.clock.time};
    for (const Quantity& quantity : last_row_)
        numbers.push_back(quantity.values.front());
    series_->row(numbers);
    series_file_.append("", world.clock.time, last_row_);
}

void Observers::write_distributions(const World& world, const View& now, const Fields& fields) {
    for (const auto& [group, quantities] : by_group(distributions_.measure(world, now)))
        series_file_.append(group, world.clock.time, quantities);
    std::vector<Quantity> quantities = fields.values;
    quantities.push_back(corner("lower", fields.grid.lower));
    quantities.push_back(corner("upper", fields.grid.upper));
    series_file_.append("field", world.clock.time, quantities);
}

void Observers::write_snapshot(const World& world, const View& now, std::size_t stage) {
    const auto begin = std::chrono::steady_clock::now();
    try {
        snapshots_->write(now, world.walls, settings_.stages[stage].name);
        snapshots_failing_ = false;
    } catch (const FileError& error) { // a full disk must not end a run that computes well
        failed_ = true;
        if (!snapshots_failing_)
            warn_(fmt::format("the snapshot of step {} is left out: {}", now.step, error.what()));
        snapshots_failing_ = true;
    }
    snapshot_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void Observers::save(Checkpoint& checkpoint) {
    checkpoint.run.kinetic_energy_at_start = origin_.kinetic_energy;
    checkpoint.run.bed_height = origin_.bed_height;
    checkpoint.pictures = last_pictures_;
    if (snapshots_)
        for (const SnapshotEntry& entry : snapshots_->entries())
            checkpoint.snapshots.push_back(entry.step);
    checkpoint.follows = follows_;
    if (follows_)
        checkpoint.displacements = distributions_.displacements().records();
}

bool Observers::flush() {
    const bool csv = series_->flush(), h5 = series_file_.flush();
    return csv && h5 && !failed_;
}

} // namespace tamp
