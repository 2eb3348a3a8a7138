#include "tamp/contacts/history.hpp"

#include <bit>
#include <cassert>
#include <map>

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

/// Finds rows by their keys: open addressing, for look-up only.
class RowIndex {
public:
    RowIndex(const HistoryRows& rows, std::size_t width)
        : rows_(rows), width_(width),
          places_(std::bit_ceil(rows.size() / width * 2 + 1), -1, rows.get_allocator()) {
        for (std::size_t r = 0; r < rows.size() / width; ++r) {
            std::size_t place = start(rows[r * width], rows[r * width + 1]);
            while (places_[place] >= 0)
                place = (place + 1) & (places_.size() - 1);
            places_[place] = static_cast<std::int32_t>(r);
        }
    }

    /// The history of a contact; empty if there is none.
    std::span<const std::uint64_t> find(std::uint64_t first, std::uint64_t second) const {
        for (std::size_t place = start(first, second); places_[place] >= 0;
             place = (place + 1) & (places_.size() - 1)) {
            const std::uint64_t* row = &rows_[static_cast<std::size_t>(places_[place]) * width_];
            if (row[0] == first && row[1] == second)
                return {row + history_key_words, width_ - history_key_words};
        }
        return {};
    }

private:
    std::size_t start(std::uint64_t first, std::uint64_t second) const {
        return static_cast<std::size_t>(mix(first * 0x9e3779b97f4a7c15u + second)) & (places_.size() - 1);
    }

    const HistoryRows& rows_;
    std::size_t width_;
    std::pmr::vector<std::int32_t> places_;
};

template <class Rows>
void append_row(Rows& rows, std::uint64_t first, std::uint64_t second, const ColumnTable& history,
                std::size_t c) {
    const std::size_t begin = rows.size();
    rows.resize(begin + history_key_words + history.row_words());
    rows[begin] = first, rows[begin + 1] = second;
    history.read_row(c, std::span(rows).subspan(begin + history_key_words));
}

} // namespace

HistoryRows carry_history(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                          const ParticleStore& store, const ContactLists& lists, HistoryRows kept) {
    std::map<int, std::vector<std::uint64_t>> leaving;
    const auto keep = [&](Int3 tile, std::uint64_t first, std::uint64_t second, const ColumnTable& history,
                          std::size_t c) {
        const int owner = partition.owner(grid.number(tile));
        if (owner == communicator.rank())
            append_row(kept, first, second, history, c);
        else
            append_row(leaving[owner], first, second, history, c);
    };
    const auto now = [&](std::int32_t body) {
        return grid.box().wrapped(store.sphere[static_cast<std::size_t>(body)].centre);
    };
    const PairList& pairs = lists.pairs;
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        if (lists.pair_history.is_zero(c))
            continue;
        const Vec3 a = now(pairs.first[c]), b = now(pairs.second[c]);
        if (!grid.outside(a) && !grid.outside(b))
            keep(pair_tile(grid, a, b), store.id[static_cast<std::size_t>(pairs.first[c])],
                 store.id[static_cast<std::size_t>(pairs.second[c])], lists.pair_history, c);
    }
    const WallList& walls = lists.walls;
    for (std::size_t c = 0; c < walls.size(); ++c) {
        if (lists.wall_history.is_zero(c))
            continue;
        const Vec3 a = now(walls.body[c]);
        if (!grid.outside(a))
            keep(grid.tile_of(a), store.id[static_cast<std::size_t>(walls.body[c])],
                 wall_partner(walls.wall[c]), lists.wall_history, c);
    }
    const auto arrived = sparse_exchange(communicator, leaving);
    std::size_t count = kept.size();
    for (const auto& [rank, rows] : arrived)
        count += rows.size();
    kept.reserve(count); // growing by itself would double the room
    for (const auto& [rank, rows] : arrived)
        kept.insert(kept.end(), rows.begin(), rows.end());
    return kept;
}

std::size_t recall_history(const HistoryRows& rows, const ParticleStore& store, ContactLists& lists) {
    assert(rows.size() % (history_key_words + lists.pair_history.row_words()) == 0);
    const RowIndex index(rows, history_key_words + lists.pair_history.row_words());
    lists.reset_history();
    std::size_t found = 0;
    const auto recall = [&](std::uint64_t first, std::uint64_t second, ColumnTable& history, std::size_t c) {
        if (const auto row = index.find(first, second); !row.empty()) {
            history.write_row(c, row);
            ++found;
        }
    };
    const PairList& pairs = lists.pairs;
    for (std::size_t c = 0; c < pairs.size(); ++c)
        recall(store.id[static_cast<std::size_t>(pairs.first[c])],
               store.id[static_cast<std::size_t>(pairs.second[c])], lists.pair_history, c);
    const WallList& walls = lists.walls;
    for (std::size_t c = 0; c < walls.size(); ++c)
        recall(store.id[static_cast<std::size_t>(walls.body[c])], wall_partner(walls.wall[c]),
               lists.wall_history, c);
    return found;
}

std::vector<ColumnInfo> history_columns(std::span<const ColumnInfo> remembered) {
    std::vector<ColumnInfo> columns{{"first", 1, WordKind::unsigned_integer, "1", "Id of the first particle"},
                                    {"second", 1, WordKind::unsigned_integer, "1",
                                     "Id of the second particle, or 2^63 + index in /walls"}};
    columns.insert(columns.end(), remembered.begin(), remembered.end());
    return columns;
}

std::vector<ColumnInfo> saved_history_key() {
    const ColumnInfo tile{"tile", 1, WordKind::signed_integer, "1", "Tile that the contact belongs to"};
    return history_columns(std::span(&tile, 1));
}

WordTable saved_history(const LocalTiles* tiles, const ParticleStore& store, const ContactLists& lists) {
    WordTable table{saved_history_key()};
    const std::size_t key = table.row_words();
    const auto columns = lists.pair_history.columns();
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    const std::size_t width = table.row_words();
    lists.each(store, [&](int slot, std::uint64_t first, std::uint64_t second, const ColumnTable& history,
                          std::size_t c) {
        if (!history.has_bits(c))
            return;
        const std::size_t begin = table.words.size();
        table.words.resize(begin + width);
        table.words[begin] = first, table.words[begin + 1] = second;
        table.words[begin + 2] = static_cast<std::uint64_t>(tiles->tile(slot));
        history.read_row(c, std::span(table.words).subspan(begin + key));
    });
    return table;
}

} // namespace tamp
