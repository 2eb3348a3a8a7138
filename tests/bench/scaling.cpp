#include "scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "assumptions.hpp"
#include "large_packing.hpp"
#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

/// Every process counts some of the ranks; all of them are on rank 0.
SweepLoad count_all(const Communicator& world, const CountedPacking& packing, const Partition& partition) {
    std::map<int, RankLoad> mine;
    for (int rank = world.rank(); rank < partition.ranks(); rank += world.size())
        mine[rank] = count_sweep(packing, partition, rank);
    return gather_loads(world, mine, partition.ranks());
}

/// Totals of one sweep and the largest of a rank; and by phase.
Json json_of_count(const SweepLoad& load) {
    std::int64_t messages = 0, bytes = 0, batches = 0, boundary = 0, most_messages = 0, most_bytes = 0,
                 most_batches = 0, partners = 0, most_partners = 0;
    std::vector<std::int64_t> phase_messages(load.front().size(), 0),
        phase_bytes = phase_messages, largest_messages = phase_messages, largest_bytes = phase_messages;
    for (const RankLoad& rank : load) {
        std::int64_t own_messages = 0, own_bytes = 0, own_batches = 0;
        std::set<int> to;
        for (std::size_t p = 0; p < rank.size(); ++p) {
            const auto count = static_cast<std::int64_t>(rank[p].sends.size());
            own_messages += count, own_bytes += rank[p].bytes(), own_batches += rank[p].batches();
            boundary += rank[p].boundary_batches;
            phase_messages[p] += count, phase_bytes[p] += rank[p].bytes();
            largest_messages[p] = std::max(largest_messages[p], count);
            largest_bytes[p] = std::max(largest_bytes[p], rank[p].bytes());
            for (const PhaseLoad::Message& message : rank[p].sends)
                to.insert(message.to);
        }
        messages += own_messages, bytes += own_bytes, batches += own_batches;
        partners += static_cast<std::int64_t>(to.size());
        most_partners = std::max(most_partners, static_cast<std::int64_t>(to.size()));
        most_messages = std::max(most_messages, own_messages);
        most_bytes = std::max(most_bytes, own_bytes);
        most_batches = std::max(most_batches, own_batches);
    }
    const auto ranks = static_cast<double>(load.size()), all = static_cast<double>(batches);
    return {{"batches", batches},
            {"messages", messages},
            {"bytes", bytes},
            {"largest_messages", most_messages},
            {"largest_bytes", most_bytes},
            {"partners", static_cast<double>(partners) / ranks},
            {"largest_partners", most_partners},
            {"boundary_share", static_cast<double>(boundary) / all},
            {"rank_imbalance", static_cast<double>(most_batches) * ranks / all},
            {"phase_imbalance", phase_imbalance(load)},
            {"phase_messages", phase_messages},
            {"phase_bytes", phase_bytes},
            {"largest_phase_messages", largest_messages},
            {"largest_phase_bytes", largest_bytes}};
}

Json json_of_time(const SweepTime& time) {
    return {{"computing_us", 1e6 * time.computing}, {"imbalance_us", 1e6 * time.imbalance},
            {"exchange_us", 1e6 * time.exchange},   {"reductions_us", 1e6 * time.reductions},
            {"total_us", 1e6 * time.total()},       {"efficiency", time.efficiency()}};
}

void write_rows(std::ofstream& csv, const SweepLoad& load) {
    for (std::size_t rank = 0; rank < load.size(); ++rank)
        for (std::size_t phase = 0; phase < load[rank].size(); ++phase) {
            const PhaseLoad& one = load[rank][phase];
            fmt::print(csv, "{},{},{},{},{},{},{}\n", load.size(), rank, phase, one.boundary_batches,
                       one.interior_batches, one.sends.size(), one.bytes());
        }
}

/// More ranks than can be counted. Inside of a large packing ranks are alike, and the time of a sweep without
/// reductions only grows with the slowest of ever more of them: the line through the counts from 512 ranks
/// on, against the logarithm of their number, is followed, downwards never. Reductions are known for any
/// number.
class Extrapolation {
public:
    void add(std::int64_t ranks, const SweepTime& time) {
        if (ranks >= 512)
            points_.emplace_back(std::log2(static_cast<double>(ranks)), time.total() - time.reductions),
                computing_ = time.computing;
    }

    SweepTime at(std::int64_t ranks, const Assumptions& all) const {
        const auto cost = [&](const Reductions& reductions) {
            return reductions.calls == 0
                       ? 0.0
                       : static_cast<double>(reductions.calls) *
                             all.machine.reduction_seconds(ranks, reductions.bytes / reductions.calls);
        };
        SweepTime time;
        time.computing = computing_;
        const double here = std::log2(static_cast<double>(ranks));
        time.imbalance = std::max(extrapolate(points_, here), extrapolate(points_, points_.back().first)) -
                         computing_; // and exchange
        time.reductions = cost(sweep_reductions(all.rhythm.pistons)) +
                          cost(look_reductions(all.rhythm.walls)) / all.rhythm.sweeps_a_look;
        return time;
    }
    bool known() const { return points_.size() > 1; }

private:
    std::vector<std::pair<double, double>> points_;
    double computing_ = 0;
};

} // namespace

void bench_scaling(const Communicator& world, std::span<const std::string> arguments) {
    if (arguments.size() < 2 || (arguments[0] != "strong" && arguments[0] != "weak"))
        throw InputError("bench scaling strong|weak PARTICLES [NAME=VALUE …]");
    const bool weak = arguments[0] == "weak";
    const std::int64_t wanted = std::atoll(arguments[1].c_str());
    if (wanted < 1)
        throw InputError(arguments[1] + ": not a number of particles");
    const Assumptions all = read_assumptions(arguments.subspan(2));
    std::ofstream csv;
    if (world.rank() == 0 && !all.csv.empty()) {
        csv.open(all.csv);
        csv << "ranks,rank,phase,boundary_batches,interior_batches,messages,bytes\n";
    }
    Assumptions with_piston = all;
    with_piston.rhythm.pistons = std::max(1, all.rhythm.pistons);
    with_piston.rhythm.walls = all.rhythm.walls + (all.rhythm.pistons > 0 ? 0 : 1);

    Json rows = Json::array();
    Extrapolation beyond, beyond_with_piston;
    const int least = std::max(1, static_cast<int>(all.least_ranks));
    CountedPacking packing = large_packing(weak ? least * wanted : wanted, all.tile_particles);
    std::vector<std::int64_t> costs = tile_costs(world, packing);
    for (int ranks = least; ranks <= static_cast<int>(all.most_ranks); ranks *= 2) {
        if (weak && ranks > least) {
            packing = large_packing(ranks * wanted, all.tile_particles);
            costs = tile_costs(world, packing);
        }
        const Partition partition(costs, ranks);
        const SweepLoad load = count_all(world, packing, partition);
        if (world.rank() != 0)
            continue;
        if (csv.is_open())
            write_rows(csv, load);
        const SweepTime time = predict_sweep(load, all.machine, all.rhythm);
        const SweepTime slower = predict_sweep(load, all.machine, with_piston.rhythm);
        beyond.add(ranks, time);
        beyond_with_piston.add(ranks, slower);
        Json row = {{"ranks", ranks},
                    {"particles", std::accumulate(costs.begin(), costs.end(), std::int64_t{0})},
                    {"tiles", packing.grid.count()}};
        row.update(json_of_count(load));
        row["time"] = json_of_time(time);
        row["with_piston"] = json_of_time(slower);
        rows.push_back(row);
    }
    if (world.rank() != 0)
        return;
    constexpr std::int64_t many = 100'000;
    Json result = {{"kind", arguments[0]}, {"assumptions", json(all)}, {"rows", rows}};
    if (weak && beyond.known())
        result["extrapolated"] = {{"ranks", many},
                                  {"particles", many * wanted},
                                  {"time", json_of_time(beyond.at(many, all))},
                                  {"with_piston", json_of_time(beyond_with_piston.at(many, with_piston))}};
    print_result(result);
}

} // namespace tamp
