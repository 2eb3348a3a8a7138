#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "tamp/solver/contact_set.hpp"
#include "tamp/solver/phase_exchange.hpp"

namespace tamp {

/// What one rank does in one phase of a sweep.
struct PhaseLoad {
    /// Bodies to one rank, in one message.
    struct Message {
        int to = 0;
        std::int64_t bodies = 0;
        friend bool operator==(const Message&, const Message&) = default;
    };

    std::int64_t boundary_batches = 0; ///< relaxed before the messages leave; of pairs and of walls
    std::int64_t interior_batches = 0; ///< relaxed while they travel
    std::vector<Message> sends;        ///< by rank

    std::int64_t batches() const { return boundary_batches + interior_batches; }
    std::int64_t bodies() const;
    std::int64_t bytes() const;
    friend bool operator==(const PhaseLoad&, const PhaseLoad&) = default;
};

using RankLoad = std::vector<PhaseLoad>; ///< by phase

/// One sweep, rank by rank.
using SweepLoad = std::vector<RankLoad>;

/// A packing as a search for neighbours finds it.
struct CountedPacking {
    TileGrid grid; ///< its cells are set for the search
    MaterialTable materials;
    std::vector<Wall> walls;
    double skin = 0;   ///< of the search: whoever is nearer is a candidate
    double margin = 0; ///< of the step: whoever is nearer is a contact
    /// Appends the particles of a tile, wrapped into the box. A function, because a packing of a cluster's
    /// size need not fit into the memory of one machine.
    std::function<void(int tile, std::vector<Grain>&)> add_particles;
};

/// The particles of a list, for `CountedPacking::add_particles`. The list must outlive it.
std::function<void(int tile, std::vector<Grain>&)> particles_by_tile(const TileGrid& grid,
                                                                     std::span<const Grain> grains);

/// What `rank` of the partition would relax and send in one sweep: its share of the packing is built and
/// planned by the very code that a run uses, but nothing is computed and nothing is sent.
RankLoad count_sweep(const CountedPacking& packing, const Partition& partition, int rank);

/// What this rank of a run relaxes and sends.
RankLoad planned_load(const PhaseExchange& exchange, ContactSet& contacts);

/// The loads of all `ranks`, each of which one process knows, on rank 0; nothing elsewhere. Collective.
SweepLoad gather_loads(const Communicator& communicator, const std::map<int, RankLoad>& mine, int ranks);

/// Calls of MPI_Allreduce, on every rank, and the bytes that each rank gives to them.
struct Reductions {
    std::int64_t calls = 0, bytes = 0;
    friend bool operator==(const Reductions&, const Reductions&) = default;
    Reductions operator+(const Reductions& other) const { return {calls + other.calls, bytes + other.bytes}; }
    Reductions operator*(std::int64_t times) const { return {calls * times, bytes * times}; }
};

/// Of one sweep: the velocities of pistons, and with momentum how far the sweep went.
Reductions sweep_reductions(int pistons, bool with_momentum = false);
/// Of one look at the residual, at stress and wall forces, and with momentum at the slabs of the load.
Reductions look_reductions(int walls, int slabs = 0);
/// Of the rest of a step's solution.
Reductions solve_reductions(int walls, int pistons);

} // namespace tamp
