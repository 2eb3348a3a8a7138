#include "tamp/app/summary.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "tamp/app/progress.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/measure/tensor.hpp"
#include "tamp/solver/momentum.hpp"
#include "tamp/solver/pseudo_elastic.hpp"

namespace tamp {
namespace {

std::string energy_text(const EnergyFlows& flows, double error) {
    const double all = flows.dissipated();
    std::string text = fmt::format("{:.4g} J dissipated", all);
    const char* separator = ": ";
    for (const auto& [name, value] :
         {std::pair("collisions", flows.collisions), std::pair("friction", flows.friction),
          std::pair("rolling", flows.rolling), std::pair("torsion", flows.torsion),
          std::pair("cohesion", flows.cohesion), std::pair("dashpots", flows.dashpots),
          std::pair("hysteresis", flows.hysteresis), std::pair("background", flows.background)})
        if (value != 0) {
            text += fmt::format("{}{} {:.1f} %", separator, name, all != 0 ? 100 * value / all : 0.0);
            separator = ", ";
        }
    const double scale = std::max(
        {std::abs(all), std::abs(flows.gravity), std::abs(flows.work_of_walls()), std::abs(flows.growth)});
    if (flows.soft)
        text += fmt::format("; {:.4g} J stored by springs; growth did {:.4g} J", flows.elastic, flows.growth);
    return text +
           fmt::format("; gravity did {:.4g} J, walls {:.4g} J; closes to {:.2g} % of the largest of these",
                       flows.gravity, flows.work_of_walls(),
                       scale > 0 ? 100 * (std::abs(error) + std::abs(flows.integration)) / scale : 0.0);
}

std::string picture_text(const PictureCost& cost, double share) {
    std::string failures;
    for (const PictureCost::Each& each : cost.each)
        if (each.failures > 0)
            failures += fmt::format("; {} of {} failed", each.failures, each.name);
    return fmt::format("{} in images/, {} ({:.1f} % of the time: {} to start ParaView, {} to hand the state "
                       "over), {:.0f} MB more memory{}",
                       cost.pictures, duration_text(cost.seconds), share, duration_text(cost.start_seconds),
                       duration_text(cost.adaptor_seconds), 1e-6 * cost.memory_bytes, failures);
}

std::string balance_text(const World& world, const Performance& p) {
    const LoadBalanceRecord& record = world.load_balance();
    if (world.load_cost() == LoadCost::never)
        return fmt::format("never; imbalance of time {:.2f}", p.busy_imbalance);
    std::string text = fmt::format("{} time{} by {} cost", record.count, record.count == 1 ? "" : "s",
                                   name_of(world.load_cost()));
    if (record.count > 0)
        text += fmt::format(", imbalance {:.2f} -> {:.2f}", record.first.before, record.first.after);
    if (record.count > 1)
        text += fmt::format(" at first, {:.2f} -> {:.2f} at last", record.last.before, record.last.after);
    return text + fmt::format("; of time since then {:.2f}", p.busy_imbalance);
}

/// Stages whose time or steps ran out before what they waited for.
std::vector<std::string> unmet_limits(const Case& settings, const StageTable& stages) {
    std::vector<std::string> warnings;
    for (std::size_t row = 0; row < stages.rows(); ++row) {
        const auto stage = std::ranges::find(settings.stages, stages.name(row), &Stage::name);
        if (stage == settings.stages.end())
            continue;
        if (const std::string what = missed(*stage, stages.end(row)); !what.empty())
            warnings.push_back(fmt::format("the stage '{}' ended by {}, {}: its numbers are not those of a "
                                           "packing at rest; give it longer",
                                           stage->name, text_of(stages.end(row)), what));
    }
    return warnings;
}

} // namespace

std::string labelled_hash(const std::string& hash, std::span<const std::int64_t> block_ranks) {
    if (block_ranks.empty())
        return hash;
    const bool one = block_ranks.size() == 1 && block_ranks.front() == 1;
    return fmt::format("{} (block scheme on {} rank{})", hash, fmt::join(block_ranks, ", then "),
                       one ? "" : "s");
}

Performance performance(const World& world, double seconds) {
    const Communicator& communicator = world.communicator;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Performance result;
    result.seconds = communicator.max(seconds);
    result.parts = over_ranks(communicator, world.profile);
    const auto mean_of = [&](const char* name) {
        const auto found = std::ranges::find(result.parts, name, &PartOverRanks::name);
        return found != result.parts.end() ? found->mean_seconds : 0.0;
    };
    result.sweep_seconds = mean_of("sweeps");
    result.exchange_share = mean_of("exchange") / std::max(1e-9, result.seconds);
    result.waiting_seconds = mean_of("waiting") + mean_of("reductions");
    result.imbalance = world.imbalance();
    result.busy_imbalance = world.busy_imbalance();
    result.memory =
        1024.0 * static_cast<double>(communicator.sum(static_cast<std::int64_t>(usage.ru_maxrss)));
    result.ranks = communicator.size();
    return result;
}

std::string summary_text(const Case& settings, const World& world, const Measures& measures,
                         const Performance& p, const Observed& observed, const std::string& hash) {
    const Totals& totals = world.totals;
    const double steps = static_cast<double>(std::max<std::int64_t>(1, totals.steps));
    const Observed::Earlier& earlier = observed.earlier;
    const double steps_now = static_cast<double>(std::max<std::int64_t>(1, totals.steps - earlier.steps));
    const double updates_now = totals.contact_updates - earlier.contact_updates;
    const double overlap = std::max(totals.largest_overlap, measures.largest_overlap);
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "  {:<16} {}\n", name, value);
    };
    text += fmt::format("\n{}\n", settings.title.empty() ? "Summary" : settings.title);
    line("time", fmt::format("{:.6g} s simulated in {} ({} rank{}, {:.2f} ms a step)", world.clock.time,
                             duration_text(p.seconds), p.ranks, p.ranks == 1 ? "" : "s",
                             1e3 * p.seconds / steps_now));
    if (earlier.legs > 0)
        line("resumed",
             fmt::format("{} time{}; {} in all; speeds are of this part, all else of the whole run",
                         earlier.legs, earlier.legs == 1 ? "" : "s",
                         duration_text(earlier.seconds + p.seconds)));
    line("steps",
         fmt::format("{}, the last of {:.3g} s; neighbours searched {} times with a skin of {:.3g} m "
                     "({:.2f} diameters) on average",
                     totals.steps, world.clock.last_step, totals.searches,
                     totals.skin_sum / static_cast<double>(std::max<std::int64_t>(1, totals.searches)),
                     totals.skin_sum / static_cast<double>(std::max<std::int64_t>(1, totals.searches)) /
                         world.sizes.mean));
    if (settings.engine == EngineKind::soft)
        line("forces", fmt::format("{:.2f} M particle-steps/s, {:.1f} M contact forces/s",
                                   1e-6 * static_cast<double>(measures.particles) * steps_now /
                                       std::max(1e-9, p.seconds),
                                   1e-6 * updates_now / std::max(1e-9, p.seconds)));
    else
        line("sweeps",
             fmt::format(
                 "{} ({:.1f} a step), {:.1f} M contact updates/s in the steps, {:.1f} M/s in the sweeps",
                 totals.sweeps, static_cast<double>(totals.sweeps) / steps,
                 1e-6 * updates_now / std::max(1e-9, p.seconds),
                 1e-6 * updates_now / std::max(1e-9, p.sweep_seconds)));
    if (settings.engine == EngineKind::rigid)
        line("residual",
             fmt::format(
                 "{:.2g} in the mean of steps, at most {:.2g}; estimated error of forces {:.2g} in the "
                 "mean of steps",
                 totals.residual_sum / steps, totals.largest_residual, totals.force_error_sum / steps));
    if (settings.solver.scheme == SweepScheme::block)
        line("scheme", fmt::format("block: one exchange a sweep; other bits on other than {} rank{}", p.ranks,
                                   p.ranks == 1 ? "" : "s"));
    if (totals.shortened_steps > 0)
        line("deep packing",
             fmt::format("{} of {} steps ({:.1f} %) ended by the rule for deep packings, before they met the "
                         "tolerances; solver.substeps = 1 solves all of them, which takes far longer",
                         totals.shortened_steps, totals.steps,
                         100 * static_cast<double>(totals.shortened_steps) / steps));
    if (totals.capped_steps > 0) {
        const double mass = world.setup.materials[0].density * world.sizes_at_start.mean_volume;
        const double spring = pseudo_stiffness(mass, settings.solver.max_sweeps, world.clock.last_step,
                                               chosen_method(settings.solver));
        line("WARNING",
             fmt::format(
                 "{} of {} steps ({:.1f} %) stopped at solver.max_sweeps = {} before they converged. Their "
                 "forces are not exact, and the packing gives way as if grains had springs of about {:.2g} "
                 "N/m: "
                 "under 1 kPa they overlap by some {:.1g} of a diameter. A few such steps while grains "
                 "collide "
                 "do little harm; many, or some at the end of a stage, do: raise solver.max_sweeps, choose "
                 "shorter steps, or accept a larger solver.force_tolerance",
                 totals.capped_steps, totals.steps, 100 * static_cast<double>(totals.capped_steps) / steps,
                 settings.solver.max_sweeps, spring, 1e3 * world.sizes.mean / spring));
    }
    if (totals.lost > 0)
        line("WARNING", fmt::format("{} particles left the domain and were removed", totals.lost));
    if (totals.fast_steps > 0)
        line("WARNING",
             fmt::format(
                 "in {} steps a particle moved further than time.displacement = {} smallest diameters; "
                 "choose a smaller time.step",
                 totals.fast_steps, settings.time.displacement));
    for (const Wall& wall : world.walls)
        if (has_left(world.box(), wall))
            line("WARNING",
                 fmt::format("the wall '{}' has left the box and touches nothing any more; look at "
                             "the sign of its velocity, force or stress",
                             wall.name));
    std::string rattlers;
    if (observed.stages && observed.stages->rows() > 0) {
        for (const std::string& warning : unmet_limits(settings, *observed.stages))
            line("WARNING", warning);
        text += fmt::format("\n{}\n", observed.stages->text());
        rattlers = fmt::format(", {:.0f} rattlers (fewer than two contacts)",
                               observed.stages->value(observed.stages->rows() - 1, "rattlers"));
    }
    line("packing", fmt::format("{} particles, {} contacts, coordination {:.3f}, volume fraction {:.4f}{}",
                                measures.particles, measures.contacts, measures.coordination,
                                measures.volume_fraction, rattlers));
    if (measures.weight > 0)
        line("weight", fmt::format("{:.6g} N", measures.weight));
    line("largest overlap", fmt::format("{:.3g} m = {:.2e} of a mean diameter in the whole run", overlap,
                                        overlap / world.sizes.mean));
    line("kinetic energy", fmt::format("{:.4g} J, fastest particle {:.3g} m/s", measures.kinetic_energy,
                                       measures.largest_speed));
    if (observed.energy)
        line("energy", energy_text(*observed.energy, observed.energy_error));
    for (std::size_t w = 0; w < world.walls.size(); ++w) {
        const Wall& wall = world.walls[w];
        std::string value = fmt::format("{:.6g} N from the particles", measures.wall_force[w]);
        const double area = stress_area(settings.box, world.walls, w);
        const auto as_stress = [&](double force) {
            return area > 0 ? fmt::format(" ({:.5g} {})", force / area, stress_unit(settings.box.dimension))
                            : "";
        };
        value += as_stress(measures.wall_force[w]);
        if (wall.motion == WallMotion::piston)
            value += fmt::format(", {:.6g} N applied{}", wall.force, as_stress(wall.force));
        if (wall.turns())
            value += fmt::format(", {:.4g} N m about its axis, {:.4g} rad/s", turning_moment(wall),
                                 wall.rotation.speed);
        line(("wall " + wall.name).c_str(), value);
    }
    const auto share = [&](double seconds) { return 100 * seconds / std::max(1e-9, p.seconds); };
    if (observed.snapshots > 0)
        line("snapshots",
             fmt::format("{} in snapshots.h5, {} ({:.1f} % of the time)", observed.snapshots,
                         duration_text(observed.snapshot_seconds), share(observed.snapshot_seconds)));
    if (observed.checkpoints > 0)
        line("checkpoints",
             fmt::format("{}, {} ({:.1f} % of the time); the last two are kept", observed.checkpoints,
                         duration_text(observed.checkpoint_seconds), share(observed.checkpoint_seconds)));
    if (observed.pictures)
        line("pictures", picture_text(*observed.pictures, share(observed.pictures->seconds)));
    // In small runs the memory is that of the program and its libraries.
    constexpr std::int64_t fewest_that_count = 100'000;
    std::string each;
    if (measures.particles >= fewest_that_count)
        each = fmt::format(" ({:.0f} bytes a particle)", p.memory / static_cast<double>(measures.particles));
    line("parallel",
         fmt::format(
             "imbalance {:.2f}, exchange {:.1f} % of the time, waiting {:.1f} %, {} tiles, {:.0f} MB at "
             "the peak{}",
             p.imbalance, 100 * p.exchange_share, share(p.waiting_seconds), world.neighbours.grid().count(),
             1e-6 * p.memory, each));
    if (p.ranks > 1)
        line("load balance", balance_text(world, p));
    text += fmt::format("state hash: {}\n", labelled_hash(hash, observed.block_ranks));
    return text;
}

} // namespace tamp
