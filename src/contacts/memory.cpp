#include "tamp/contacts/memory.hpp"

#include <bit>
#include <map>
#include <type_traits>

#include "tamp/base/random.hpp"
#include "tamp/mpi/sparse_exchange.hpp"

namespace tamp {
namespace {

/// The tile that a pair belongs to: along each axis the one from which the other lies forward.
Int3 pair_tile(const TileGrid& grid, const Vec3& a, const Vec3& b) {
    const Int3 tile_a = grid.tile_of(a), tile_b = grid.tile_of(b);
    const Vec3 difference = grid.box().nearest(b - a);
    Int3 tile;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        tile[k] = difference[axis] >= 0 ? tile_a[k] : tile_b[k];
    }
    return tile;
}

/// Open addressing, for look-up only.
template <class Record>
class RecordTable {
public:
    explicit RecordTable(const std::pmr::vector<Record>& records)
        : records_(records), places_(std::bit_ceil(records.size() * 2 + 1), -1, records.get_allocator()) {
        for (std::size_t r = 0; r < records.size(); ++r) {
            std::size_t place = start(records[r].first, records[r].second);
            while (places_[place] >= 0)
                place = (place + 1) & (places_.size() - 1);
            places_[place] = static_cast<std::int32_t>(r);
        }
    }

    /// Null if there is none.
    const Record* find(std::uint64_t first, std::uint64_t second) const {
        for (std::size_t place = start(first, second); places_[place] >= 0;
             place = (place + 1) & (places_.size() - 1)) {
            const Record& record = records_[static_cast<std::size_t>(places_[place])];
            if (record.first == first && record.second == second)
                return &record;
        }
        return nullptr;
    }

private:
    std::size_t start(std::uint64_t first, std::uint64_t second) const {
        return static_cast<std::size_t>(mix(first * 0x9e3779b97f4a7c15u + second)) & (places_.size() - 1);
    }

    const std::pmr::vector<Record>& records_;
    std::pmr::vector<std::int32_t> places_;
};

template <class Record>
Record record_of(std::uint64_t first, std::uint64_t second, const ContactMemory& memory, std::size_t c) {
    if constexpr (std::is_same_v<Record, MemoryRecord>)
        return {first, second, memory.impulse[c]};
    else
        return {{first, second, memory.impulse[c]}, memory.last_torque(c), memory.last_bond(c)};
}

template <class Record>
std::size_t recall(const Record* record, ContactMemory& memory, std::size_t c) {
    memory.impulse[c] = record ? record->impulse : Vec3{0, 0, 0};
    if constexpr (std::is_same_v<Record, LawMemoryRecord>) {
        if (!memory.torque.empty())
            memory.torque[c] = record ? record->torque : Vec3{0, 0, 0};
        memory.set_bond(c, record ? record->bond : rigid::Bond::none);
    }
    return record ? 1 : 0;
}

} // namespace

template <class Record>
std::pmr::vector<Record> carry_memory(const Communicator& communicator, const TileGrid& grid,
                                      const Partition& partition, const ParticleStore& store,
                                      const PairCandidates& pairs, const WallCandidates& walls,
                                      std::pmr::vector<Record> kept) {
    std::map<int, std::vector<Record>> leaving;
    const auto keep = [&](Int3 tile, const Record& record) {
        const int owner = partition.owner(grid.number(tile));
        if (owner == communicator.rank())
            kept.push_back(record);
        else
            leaving[owner].push_back(record);
    };
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        if (pairs.is_blank(c))
            continue;
        const auto i = static_cast<std::size_t>(pairs.first[c]),
                   j = static_cast<std::size_t>(pairs.second[c]);
        const Vec3 a = grid.box().wrapped(store.sphere[i].centre),
                   b = grid.box().wrapped(store.sphere[j].centre);
        if (!grid.outside(a) && !grid.outside(b))
            keep(pair_tile(grid, a, b), record_of<Record>(store.id[i], store.id[j], pairs, c));
    }
    for (std::size_t c = 0; c < walls.size(); ++c) {
        if (walls.is_blank(c))
            continue;
        const auto i = static_cast<std::size_t>(walls.body[c]);
        const Vec3 a = grid.box().wrapped(store.sphere[i].centre);
        if (!grid.outside(a))
            keep(grid.tile_of(a),
                 record_of<Record>(store.id[i], wall_memory + static_cast<std::uint64_t>(walls.wall[c]),
                                   walls, c));
    }
    const auto arrived = sparse_exchange(communicator, leaving);
    std::size_t count = kept.size();
    for (const auto& [rank, records] : arrived)
        count += records.size();
    kept.reserve(count); // growing by itself would double the room
    for (const auto& [rank, records] : arrived)
        kept.insert(kept.end(), records.begin(), records.end());
    return kept;
}

template <class Record>
std::size_t recall_memory(const std::pmr::vector<Record>& records, const ParticleStore& store,
                          PairCandidates& pairs, WallCandidates& walls) {
    const RecordTable<Record> table(records);
    std::size_t found = 0;
    for (std::size_t c = 0; c < pairs.size(); ++c)
        found += recall(table.find(store.id[static_cast<std::size_t>(pairs.first[c])],
                                   store.id[static_cast<std::size_t>(pairs.second[c])]),
                        pairs, c);
    for (std::size_t c = 0; c < walls.size(); ++c)
        found += recall(table.find(store.id[static_cast<std::size_t>(walls.body[c])],
                                   wall_memory + static_cast<std::uint64_t>(walls.wall[c])),
                        walls, c);
    return found;
}

template std::pmr::vector<MemoryRecord> carry_memory(const Communicator&, const TileGrid&, const Partition&,
                                                     const ParticleStore&, const PairCandidates&,
                                                     const WallCandidates&, std::pmr::vector<MemoryRecord>);
template std::pmr::vector<LawMemoryRecord> carry_memory(const Communicator&, const TileGrid&,
                                                        const Partition&, const ParticleStore&,
                                                        const PairCandidates&, const WallCandidates&,
                                                        std::pmr::vector<LawMemoryRecord>);
template std::size_t recall_memory(const std::pmr::vector<MemoryRecord>&, const ParticleStore&,
                                   PairCandidates&, WallCandidates&);
template std::size_t recall_memory(const std::pmr::vector<LawMemoryRecord>&, const ParticleStore&,
                                   PairCandidates&, WallCandidates&);

} // namespace tamp
