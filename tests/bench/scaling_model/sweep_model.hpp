#pragma once

#include <utility>
#include <vector>

#include "scaling_model/sweep_count.hpp"

namespace tamp {

/// What the model assumes of a machine. Messages follow LogGP (Alexandrov et al., "LogGP: incorporating long
/// messages into the LogP model", SPAA 1995): a message of n bytes that is posted at time t has arrived at
/// t + latency + n / bandwidth and costs both processors an overhead. It waits for what its rank posted
/// before it, or, if it leaves the node, for what all ranks of the node did.
struct Machine {
    /// Seconds to relax a batch of eight contacts on a rank that has so many in a sweep; in between the
    /// logarithm of the number counts, beyond the ends nothing changes. One entry: the same for all.
    std::vector<std::pair<double, double>> batch_seconds = {1, std::pair(1.0, 100e-9)};
    int ranks_a_node = 64;
    double latency = 1.5e-6;          ///< s, between nodes
    double bandwidth = 12e9;          ///< B/s, of a node's link, which its ranks share
    double inner_latency = 0.5e-6;    ///< s, between ranks of a node
    double inner_bandwidth = 5e9;     ///< B/s, of a rank to others of its node
    double message_overhead = 0.3e-6; ///< s, for the processor, at either end
    double body_seconds = 3e-9;       ///< s, to pack or to unpack a body
    /// Share of the interior tiles' time in which messages travel: 1 if the network moves them by itself, 0
    /// if they leave only when the processor comes back to MPI.
    double overlap = 1;

    double seconds_of_batches(std::int64_t of_phase, std::int64_t of_sweep) const;
    /// Of one reduction over all ranks: a tree whose lowest stages lie within nodes.
    double reduction_seconds(std::int64_t ranks, std::int64_t bytes) const;
};

/// How often ranks wait for all others.
struct WaitingRhythm {
    int sweeps_a_look = 6; ///< sweeps between two looks at the residual
    int walls = 1, pistons = 0;
};

/// Seconds of one sweep, and what they are made of.
struct SweepTime {
    double computing = 0;  ///< mean over the ranks
    double imbalance = 0;  ///< waiting for others' tiles, if messages cost nothing
    double exchange = 0;   ///< what messages add to that: overheads, and transfers that are not covered
    double reductions = 0; ///< what they add to that

    double total() const { return computing + imbalance + exchange + reductions; }
    /// Against one rank that relaxes at the same speed.
    double efficiency() const { return total() > 0 ? computing / total() : 1.0; }
};

/// The time of a sweep, averaged over the sweeps between two looks at the residual. Every rank has a clock.
/// In a phase it relaxes its boundary tiles, posts its messages, relaxes its interior tiles, and goes on when
/// what others send has arrived: ranks wait for their neighbours only, until a reduction joins all clocks.
SweepTime predict_sweep(const SweepLoad& load, const Machine& machine, const WaitingRhythm& rhythm);

/// Sum over the phases of the largest number of batches of a rank, over the mean number in a sweep: what
/// imbalance costs if all ranks wait for all in every phase.
double phase_imbalance(const SweepLoad& load);

/// The straight line through points (x, y) with the least squares, at `x`.
double extrapolate(const std::vector<std::pair<double, double>>& points, double x);

} // namespace tamp
