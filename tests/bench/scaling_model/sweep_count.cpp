#include "scaling_model/sweep_count.hpp"

#include <array>
#include <memory>
#include <set>
#include <stdexcept>

#include "tamp/base/exact_sum.hpp"
#include "tamp/domain/holders.hpp"
#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/solver/load_slabs.hpp"

namespace tamp {
namespace {

/// The particles of a rank's tiles, and those in the first cells of the tiles ahead of them, which its pairs
/// reach: what `migrate` and `fetch_copies` would bring.
ParticleStore gather(const CountedPacking& packing, const Partition& partition, int rank) {
    const TileGrid& grid = packing.grid;
    std::vector<Grain> grains;
    std::set<int> forward;
    for (int tile = partition.begin(rank); tile < partition.end(rank); ++tile) {
        packing.add_particles(tile, grains);
        for (int corner = 1; corner < grid.phases(); ++corner) {
            Int3 neighbour;
            Vec3 shift;
            if (grid.neighbour(grid.tile(tile), TileGrid::corner_offset(corner, 1), neighbour, shift) &&
                partition.owner(grid.number(neighbour)) != rank)
                forward.insert(grid.number(neighbour));
        }
    }
    const std::size_t owned = grains.size();
    const Holders holders(grid, partition);
    std::vector<Grain> others;
    for (const int tile : forward) {
        others.clear();
        packing.add_particles(tile, others);
        for (const Grain& grain : others)
            holders.each(grid.tile(tile), grid.cell_of(grain.position, grid.tile(tile)), [&](int holder) {
                if (holder == rank)
                    grains.push_back(grain);
            });
    }
    ParticleStore store(packing.materials, grid.box().dimension);
    store.resize(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i)
        store.set(i, grains[i]);
    store.owned = owned;
    return store;
}

std::int64_t batches(ContactSet& contacts, std::span<const int> slots) {
    return static_cast<std::int64_t>(contacts.batches(slots).size() + contacts.wall_batches(slots).size());
}

const std::int64_t exact_sum_bytes = static_cast<std::int64_t>(ExactSum{}.digits().size_bytes());

} // namespace

std::int64_t PhaseLoad::bodies() const {
    std::int64_t sum = 0;
    for (const Message& message : sends)
        sum += message.bodies;
    return sum;
}

std::int64_t PhaseLoad::bytes() const { return SweepPlan::body_bytes * bodies(); }

std::function<void(int, std::vector<Grain>&)> particles_by_tile(const TileGrid& grid,
                                                                std::span<const Grain> grains) {
    struct Index {
        std::vector<std::size_t> begin, grain;
    };
    const auto index = std::make_shared<Index>();
    const auto tile_of = [&](const Grain& grain) {
        return static_cast<std::size_t>(grid.number(grid.tile_of(grid.box().wrapped(grain.position))));
    };
    index->begin.assign(static_cast<std::size_t>(grid.count()) + 1, 0);
    for (const Grain& grain : grains)
        ++index->begin[tile_of(grain) + 1];
    for (std::size_t tile = 1; tile < index->begin.size(); ++tile)
        index->begin[tile] += index->begin[tile - 1];
    std::vector<std::size_t> next(index->begin.begin(), index->begin.end() - 1);
    index->grain.resize(grains.size());
    for (std::size_t i = 0; i < grains.size(); ++i)
        index->grain[next[tile_of(grains[i])]++] = i;
    return [index, grains, box = grid.box()](int tile, std::vector<Grain>& found) {
        const auto t = static_cast<std::size_t>(tile);
        for (std::size_t k = index->begin[t]; k < index->begin[t + 1]; ++k) {
            found.push_back(grains[index->grain[k]]);
            found.back().position = box.wrapped(found.back().position);
        }
    };
}

RankLoad count_sweep(const CountedPacking& packing, const Partition& partition, int rank) {
    ParticleStore store = gather(packing, partition, rank);
    const LocalTiles tiles(packing.grid, partition, rank, store);
    const rigid::LawUse laws = rigid::laws_used(packing.materials, packing.grid.box().dimension);
    ContactLists lists(RigidHistory::columns(laws.set));
    lists.pairs = find_pairs(packing.grid, tiles, store, packing.skin);
    lists.walls = find_wall_contacts(tiles, store, packing.walls, packing.skin);
    lists.reset_history();
    const SweepPlan plan = plan_sweep(packing.grid, partition, rank, tiles, store, lists.pairs, lists.walls);
    std::vector<int> order;
    for (const SweepPlan::Phase& phase : plan.phases)
        for (const std::vector<int>& slots : {phase.boundary, phase.interior})
            order.insert(order.end(), slots.begin(), slots.end());
    ContactSet contacts;
    contacts.update(packing.grid.box(), store, packing.materials, packing.walls, laws, lists,
                    {.time_step = 1, .margin = packing.margin}, order);

    RankLoad load;
    for (const SweepPlan::Phase& phase : plan.phases) {
        PhaseLoad& here = load.emplace_back();
        here.boundary_batches = batches(contacts, phase.boundary);
        here.interior_batches = batches(contacts, phase.interior);
        for (const auto& [to, bodies] : phase.to)
            here.sends.push_back({to, static_cast<std::int64_t>(bodies.size())});
    }
    return load;
}

RankLoad planned_load(const PhaseExchange& exchange, ContactSet& contacts) {
    if (exchange.block())
        throw std::logic_error("planned_load: block sweeps have one exchange, not one a phase");
    RankLoad load;
    for (int phase = 0; phase < exchange.phases(); ++phase) {
        const auto boundary = exchange.boundary_tiles(phase), interior = exchange.interior_tiles(phase);
        PhaseLoad& here =
            load.emplace_back(PhaseLoad{batches(contacts, boundary), batches(contacts, interior), {}});
        for (const auto& message : exchange.outgoing(phase))
            here.sends.push_back({message.rank, static_cast<std::int64_t>(message.items.size())});
    }
    return load;
}

SweepLoad gather_loads(const Communicator& communicator, const std::map<int, RankLoad>& mine, int ranks) {
    // A row of numbers each: rank, phase, batches, receiver, bodies. One without a receiver has the batches.
    using Row = std::array<std::int64_t, 5>;
    std::vector<Row> rows;
    for (const auto& [rank, load] : mine)
        for (std::size_t phase = 0; phase < load.size(); ++phase) {
            const auto p = static_cast<std::int64_t>(phase);
            rows.push_back({rank, p, -1, load[phase].boundary_batches, load[phase].interior_batches});
            for (const PhaseLoad::Message& message : load[phase].sends)
                rows.push_back({rank, p, message.to, message.bodies, 0});
        }
    SweepLoad all(communicator.rank() == 0 ? static_cast<std::size_t>(ranks) : 0);
    for (const auto& [source, arrived] :
         sparse_exchange(communicator, std::map<int, std::vector<Row>>{{0, rows}}))
        for (const auto& [rank, phase, to, one, two] : arrived) {
            RankLoad& load = all[static_cast<std::size_t>(rank)];
            if (to < 0)
                load.push_back({one, two, {}});
            else
                load[static_cast<std::size_t>(phase)].sends.push_back({static_cast<int>(to), one});
        }
    return all;
}

// `Relaxation` reduces these; a test listens to MPI and finds the same.

Reductions sweep_reductions(int pistons, bool with_momentum) {
    const int sums = pistons + (with_momentum ? 1 : 0);
    return sums > 0 ? Reductions{1, sums * exact_sum_bytes} : Reductions{};
}

Reductions look_reductions(int walls, int slabs) {
    constexpr int of_contacts = 7; // residual, load, two counts, stress
    const int sums = of_contacts + walls + static_cast<int>(LoadSlabs::sums_of_slab) * slabs;
    constexpr int largest = 2; // the residual and the approach
    return {2, sums * exact_sum_bytes + largest * std::int64_t{sizeof(double)}};
}

Reductions solve_reductions(int walls, int pistons) {
    constexpr std::int64_t word = sizeof(std::int64_t);
    Reductions all{1, word}; // is there any contact?
    if (pistons > 0)
        all = all + Reductions{1, walls * word};
    if (walls > 0)
        all = all + Reductions{1, 3 * walls * exact_sum_bytes};
    return all;
}

} // namespace tamp
