#include <algorithm>

#include <nlohmann/json.hpp>

#include "tamp/app/summary.hpp"
#include "tamp/base/version.hpp"
#include "tamp/solver/momentum.hpp"

namespace tamp {
namespace {

using Json = nlohmann::ordered_json; // keys stay in the order in which they are written here

Json wall_forces(const World& world, const Measures& measures) {
    Json forces = Json::object();
    for (std::size_t w = 0; w < measures.wall_force.size(); ++w)
        forces[world.walls[w].name] = measures.wall_force[w];
    return forces;
}

Json wall_torques(const World& world) {
    Json torques = Json::object();
    for (const Wall& wall : world.walls)
        torques[wall.name] = {0.0 + wall.torque.x, 0.0 + wall.torque.y, 0.0 + wall.torque.z}; // not -0
    return torques;
}

Json load_balance(const World& world, const Performance& p) {
    const LoadBalanceRecord& record = world.load_balance();
    return {{"cost", name_of(world.load_cost())},     {"count", record.count},
            {"first_before", record.first.before},    {"first_after", record.first.after},
            {"imbalance_before", record.last.before}, {"imbalance_after", record.last.after},
            {"busy_imbalance", p.busy_imbalance}};
}

Json energy(const EnergyFlows& flows, double error) {
    return {
        {"collisions", flows.collisions},   {"friction", flows.friction}, {"rolling", flows.rolling},
        {"torsion", flows.torsion},         {"cohesion", flows.cohesion}, {"gravity", flows.gravity},
        {"integration", flows.integration}, {"dashpots", flows.dashpots}, {"hysteresis", flows.hysteresis},
        {"background", flows.background},   {"elastic", flows.elastic},   {"growth", flows.growth},
        {"walls", flows.work_of_walls()},   {"leavers", flows.left},      {"error", error}};
}

Json pictures(const PictureCost& cost) {
    Json each = Json::array();
    for (const PictureCost::Each& one : cost.each)
        each.push_back({{"name", one.name},
                        {"count", one.pictures},
                        {"failures", one.failures},
                        {"seconds", one.seconds}});
    return {{"count", cost.pictures},
            {"seconds", cost.seconds},
            {"start_seconds", cost.start_seconds},
            {"adaptor_seconds", cost.adaptor_seconds},
            {"memory_bytes", cost.memory_bytes},
            {"each", each}};
}

Json stages(const StageTable& table) {
    Json all = Json::array();
    for (std::size_t row = 0; row < table.rows(); ++row) {
        Json one = {{"name", table.name(row)}, {"ended_by", text_of(table.end(row))}};
        for (const ColumnInfo& column : table.saved().columns)
            if (column.name != "end")
                one[column.name] = table.value(row, column.name);
        all.push_back(std::move(one));
    }
    return all;
}

Json parts(const Performance& p) {
    Json all = Json::object();
    for (const PartOverRanks& part : p.parts)
        all[part.name] = {
            {"mean_seconds", part.mean_seconds}, {"max_seconds", part.max_seconds}, {"calls", part.calls}};
    return all;
}

} // namespace

std::string summary_json(const Case& settings, const World& world, const Measures& measures,
                         const Performance& p, const Observed& observed, const std::string& hash) {
    const Totals& totals = world.totals;
    Json report = {
        {"version", version()},
        {"title", settings.title},
        {"ranks", p.ranks},
        {"particles", measures.particles},
        {"simulated_seconds", world.clock.time},
        {"seconds", p.seconds},
        {"steps", totals.steps},
        {"sweeps", totals.sweeps},
        {"capped_steps", totals.capped_steps},
        {"shortened_steps", totals.shortened_steps},
        {"method", method_name(chosen_method(settings.solver))},
        {"momentum", {{"resets", totals.resets}, {"fallbacks", totals.fallbacks}}},
        {"estimated_force_error",
         {{"mean", totals.force_error_sum / static_cast<double>(std::max<std::int64_t>(1, totals.steps))}}},
        {"scheme", settings.solver.scheme == SweepScheme::block ? "block" : "phases"},
        {"residual",
         {{"mean", totals.residual_sum / static_cast<double>(std::max<std::int64_t>(1, totals.steps))},
          {"largest", totals.largest_residual}}},
        {"contact_updates", totals.contact_updates},
        {"searches", totals.searches},
        {"largest_overlap", std::max(totals.largest_overlap, measures.largest_overlap)},
        {"weight", measures.weight},
        {"wall_forces", wall_forces(world, measures)},
        {"wall_torques", wall_torques(world)},
        {"lost", totals.lost},
        {"imbalance", p.imbalance},
        {"load_balance", load_balance(world, p)},
        {"exchange_share", p.exchange_share},
        {"waiting_seconds", p.waiting_seconds},
        {"memory_bytes", p.memory},
        {"state_hash", hash}};
    if (observed.stages)
        report["stages"] = stages(*observed.stages);
    if (!observed.block_ranks.empty())
        report["block_ranks"] = observed.block_ranks;
    if (observed.energy)
        report["energy"] = energy(*observed.energy, observed.energy_error);
    if (observed.snapshots > 0)
        report["snapshots"] = {{"count", observed.snapshots}, {"seconds", observed.snapshot_seconds}};
    if (observed.checkpoints > 0)
        report["checkpoints"] = {{"count", observed.checkpoints}, {"seconds", observed.checkpoint_seconds}};
    if (observed.earlier.legs > 0)
        report["earlier"] = {{"legs", observed.earlier.legs},
                             {"seconds", observed.earlier.seconds},
                             {"steps", observed.earlier.steps},
                             {"contact_updates", observed.earlier.contact_updates}};
    if (observed.pictures)
        report["pictures"] = pictures(*observed.pictures);
    report["parts"] = parts(p);
    // A byte that is not UTF-8 must not cost the report of a whole run.
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace tamp
