#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "tamp/base/column_table.hpp"
#include "tamp/contacts/lists.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

/// Who may touch whom, and what an engine remembers of each of them from one step to the next: columns that
/// it declares by name, width and unit. A new one is one entry of `columns`: it follows its contact through
/// searches, to other ranks and through files by that.
struct ContactLists {
    ContactLists() = default;
    explicit ContactLists(const std::vector<ColumnInfo>& columns)
        : pair_history(columns), wall_history(columns) {}

    PairList pairs;
    WallList walls;
    ColumnTable pair_history, wall_history; ///< a row an entry of the list

    /// Nothing is remembered of lists that are new.
    void reset_history() {
        pair_history.reset(pairs.size());
        wall_history.reset(walls.size());
    }

    /// Calls `action(slot, first, second, history, row)` for every entry; partners as numbers, see
    /// `wall_bit`.
    template <class Action>
    void each(const ParticleStore& store, Action&& action) const;
};

/// Contacts by the numbers of their partners, with their history: `first`, `second`, then the columns.
/// A row is what travels when contacts change their rank, and what outlives a search.
using HistoryRows = std::pmr::vector<std::uint64_t>;
inline constexpr std::size_t history_key_words = 2;
/// The columns of such rows.
std::vector<ColumnInfo> history_columns(std::span<const ColumnInfo> remembered);

/// Sends the history of every contact to the rank that will own the contact under `partition`. To be called
/// before particles migrate. `kept` is empty: its room is used for the result. Collective.
HistoryRows carry_history(const Communicator& communicator, const TileGrid& grid, const Partition& partition,
                          const ParticleStore& store, const ContactLists& lists, HistoryRows kept = {});

/// Gives their history to the contacts of lists that a new search found, and says how many got some. Takes
/// memory from where the rows have theirs.
std::size_t recall_history(const HistoryRows& rows, const ParticleStore& store, ContactLists& lists);

/// `first`, `second` and `tile`: what a saved contact is found again by.
std::vector<ColumnInfo> saved_history_key();
/// All contacts whose history has a bit set: that key, then the columns. `tiles` may be null while the lists
/// are empty.
WordTable saved_history(const LocalTiles* tiles, const ParticleStore& store, const ContactLists& lists);

template <class Action>
void ContactLists::each(const ParticleStore& store, Action&& action) const {
    for (std::size_t slot = 0; slot + 1 < pairs.tile_begin.size(); ++slot)
        for (auto c = static_cast<std::size_t>(pairs.tile_begin[slot]);
             c < static_cast<std::size_t>(pairs.tile_begin[slot + 1]); ++c)
            action(static_cast<int>(slot), store.id[static_cast<std::size_t>(pairs.first[c])],
                   store.id[static_cast<std::size_t>(pairs.second[c])], pair_history, c);
    for (std::size_t slot = 0; slot + 1 < walls.tile_begin.size(); ++slot)
        for (auto c = static_cast<std::size_t>(walls.tile_begin[slot]);
             c < static_cast<std::size_t>(walls.tile_begin[slot + 1]); ++c)
            action(static_cast<int>(slot), store.id[static_cast<std::size_t>(walls.body[c])],
                   wall_partner(walls.wall[c]), wall_history, c);
}

} // namespace tamp
