#include "scaling_model/sweep_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tamp {
namespace {

/// Clocks of all ranks through the sweeps between two looks.
class Clocks {
public:
    Clocks(const SweepLoad& load, const Machine& machine)
        : load_(load), machine_(machine), batches_(load.size(), 0), now_(load.size(), 0.0),
          ready_(load.size()), bodies_in_(load.size()), messages_in_(load.size()), arrived_(load.size()),
          link_free_(load.empty() ? 0 : node_of(load.size() - 1) + 1, 0.0) {
        for (std::size_t rank = 0; rank < load.size(); ++rank)
            for (const PhaseLoad& phase : load[rank])
                batches_[rank] += phase.batches();
    }

    double compute(std::size_t rank, std::int64_t batches) const {
        return machine_.seconds_of_batches(batches, batches_[rank]);
    }

    double mean_computing() const {
        double sum = 0;
        for (std::size_t rank = 0; rank < load_.size(); ++rank)
            sum += compute(rank, batches_[rank]);
        return sum / static_cast<double>(load_.size());
    }

    void sweep() {
        for (std::size_t phase = 0; phase < load_.front().size(); ++phase)
            run_phase(phase);
    }

    /// All wait for all; returns the time.
    double join(double seconds) {
        const double latest = *std::max_element(now_.begin(), now_.end()) + seconds;
        std::fill(now_.begin(), now_.end(), latest);
        return latest;
    }

private:
    void run_phase(std::size_t phase) {
        std::fill(bodies_in_.begin(), bodies_in_.end(), 0);
        std::fill(messages_in_.begin(), messages_in_.end(), 0);
        std::fill(arrived_.begin(), arrived_.end(), 0.0);
        for (const RankLoad& rank : load_)
            for (const PhaseLoad::Message& message : rank[phase].sends) {
                ++messages_in_[static_cast<std::size_t>(message.to)];
                bodies_in_[static_cast<std::size_t>(message.to)] += message.bodies;
            }
        leaving_.clear();
        for (std::size_t rank = 0; rank < load_.size(); ++rank)
            post(rank, load_[rank][phase]);
        pass_links();
        for (std::size_t rank = 0; rank < load_.size(); ++rank)
            now_[rank] = std::max(ready_[rank], arrived_[rank]) +
                         machine_.body_seconds * static_cast<double>(bodies_in_[rank]);
    }

    void post(std::size_t rank, const PhaseLoad& phase) {
        const auto messages = static_cast<std::int64_t>(phase.sends.size()) + messages_in_[rank];
        const double posted = now_[rank] + compute(rank, phase.boundary_batches) +
                              machine_.message_overhead * static_cast<double>(messages) +
                              machine_.body_seconds * static_cast<double>(phase.bodies());
        const double interior = compute(rank, phase.interior_batches);
        ready_[rank] = posted + interior;
        double way = posted + (1 - machine_.overlap) * interior;
        for (const PhaseLoad::Message& message : phase.sends) {
            const auto to = static_cast<std::size_t>(message.to);
            const auto bytes = static_cast<double>(SweepPlan::body_bytes * message.bodies);
            if (node_of(to) != node_of(rank)) {
                leaving_.push_back({posted + (1 - machine_.overlap) * interior, bytes, node_of(rank), to});
                continue;
            }
            way += bytes / machine_.inner_bandwidth;
            arrived_[to] = std::max(arrived_[to], way + machine_.inner_latency);
        }
    }

    /// Messages of all ranks of a node leave it one after the other, as they were posted.
    void pass_links() {
        std::stable_sort(leaving_.begin(), leaving_.end(),
                         [](const Leaving& a, const Leaving& b) { return a.posted < b.posted; });
        for (const Leaving& message : leaving_) {
            double& free = link_free_[message.node];
            free = std::max(free, message.posted) + message.bytes / machine_.bandwidth;
            arrived_[message.to] = std::max(arrived_[message.to], free + machine_.latency);
        }
    }

    std::size_t node_of(std::size_t rank) const {
        return rank / static_cast<std::size_t>(machine_.ranks_a_node);
    }

    struct Leaving {
        double posted, bytes;
        std::size_t node, to;
    };

    const SweepLoad& load_;
    const Machine& machine_;
    std::vector<std::int64_t> batches_;
    std::vector<double> now_, ready_;
    std::vector<std::int64_t> bodies_in_, messages_in_;
    std::vector<double> arrived_;
    std::vector<Leaving> leaving_;
    std::vector<double> link_free_; ///< by node
};

double seconds_a_sweep(const SweepLoad& load, const Machine& machine, const WaitingRhythm& rhythm,
                       bool with_reductions) {
    Clocks clocks(load, machine);
    const auto ranks = static_cast<std::int64_t>(load.size());
    const auto cost = [&](const Reductions& reductions) {
        if (!with_reductions || reductions.calls == 0)
            return 0.0;
        return static_cast<double>(reductions.calls) *
               machine.reduction_seconds(ranks, reductions.bytes / reductions.calls);
    };
    for (int i = 0; i < rhythm.sweeps_a_look; ++i) {
        clocks.sweep();
        if (rhythm.pistons > 0)
            clocks.join(cost(sweep_reductions(rhythm.pistons)));
    }
    return clocks.join(cost(look_reductions(rhythm.walls))) / rhythm.sweeps_a_look;
}

} // namespace

double Machine::seconds_of_batches(std::int64_t of_phase, std::int64_t of_sweep) const {
    const auto& table = batch_seconds;
    const double x = std::log(static_cast<double>(std::max<std::int64_t>(1, of_sweep)));
    double each = table.front().second;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double right = std::log(table[i].first);
        if (x >= right) {
            each = table[i].second;
            continue;
        }
        if (i > 0) {
            const double left = std::log(table[i - 1].first);
            const double share = (x - left) / (right - left);
            each = (1 - share) * table[i - 1].second + share * table[i].second;
        }
        break;
    }
    return each * static_cast<double>(of_phase);
}

double Machine::reduction_seconds(std::int64_t ranks, std::int64_t bytes) const {
    const auto stages = [](std::int64_t members) {
        return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(members - 1)));
    };
    const std::int64_t inside = std::min<std::int64_t>(ranks, ranks_a_node);
    const std::int64_t nodes = (ranks + ranks_a_node - 1) / ranks_a_node;
    const auto n = static_cast<double>(bytes);
    return stages(inside) * (inner_latency + 2 * message_overhead + n / inner_bandwidth) +
           stages(nodes) * (latency + 2 * message_overhead + n / bandwidth);
}

SweepTime predict_sweep(const SweepLoad& load, const Machine& machine, const WaitingRhythm& rhythm) {
    constexpr double free = 0, unlimited = HUGE_VAL;
    Machine silent = machine;
    silent.latency = silent.inner_latency = silent.message_overhead = silent.body_seconds = free;
    silent.bandwidth = silent.inner_bandwidth = unlimited;
    silent.overlap = 1;

    SweepTime time;
    time.computing = Clocks(load, machine).mean_computing();
    const double waited = seconds_a_sweep(load, silent, rhythm, false);
    const double exchanged = seconds_a_sweep(load, machine, rhythm, false);
    time.imbalance = waited - time.computing;
    time.exchange = exchanged - waited;
    time.reductions = seconds_a_sweep(load, machine, rhythm, true) - exchanged;
    return time;
}

double phase_imbalance(const SweepLoad& load) {
    std::int64_t sum_of_largest = 0, total = 0;
    for (std::size_t phase = 0; phase < load.front().size(); ++phase) {
        std::int64_t largest = 0;
        for (const RankLoad& rank : load) {
            largest = std::max(largest, rank[phase].batches());
            total += rank[phase].batches();
        }
        sum_of_largest += largest;
    }
    return total > 0 ? static_cast<double>(sum_of_largest) * static_cast<double>(load.size()) /
                           static_cast<double>(total)
                     : 1.0;
}

double extrapolate(const std::vector<std::pair<double, double>>& points, double x) {
    const auto count = static_cast<double>(points.size());
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (const auto& [px, py] : points)
        mean_x += px / count, mean_y += py / count;
    for (const auto& [px, py] : points) {
        xx += (px - mean_x) * (px - mean_x);
        xy += (px - mean_x) * (py - mean_y);
    }
    return mean_y + (xx > 0 ? xy / xx * (x - mean_x) : 0.0);
}

} // namespace tamp
