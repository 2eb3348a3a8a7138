#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tamp/contacts/history.hpp"
#include "tamp/domain/partition.hpp"
#include "tamp/world/engine_needs.hpp"
#include "tamp/world/load_balance.hpp"
#include "tamp/world/settings.hpp"
#include "tamp/world/start_sizes.hpp"

namespace tamp {

/// What a search is to be made with.
struct SearchRequest {
    double margin = 0;            ///< m; gaps below this may matter in the coming step
    double skin = 0;              ///< m; the wanted skin; 0: nine margins
    std::span<std::byte> spare{}; ///< memory that nobody uses until the search is done
    std::size_t loaded = 0;       ///< contacts with a history, about
    /// The work of each owned tile; asked only when tiles are rebalanced.
    std::function<std::vector<TileWork>()> work{};
    /// Told of each owned particle that is about to leave the region for good.
    std::function<void(std::size_t particle)> leaving{};
};

/// The widest skin of a case: pairs may not reach beyond the tiles next to theirs, and lists should not be
/// much longer than those of the contacts.
double largest_skin(const Box& box, const NeighbourSettings& settings, const StartSizes& sizes,
                    const EngineNeeds& needs);
/// The largest gap over which contacts may act with this skin: particles have to move a while until it is
/// used up.
double longest_reach(double skin, const StartSizes& sizes, const EngineNeeds& needs);

/// Who is near whom, and on which rank: tiles and their owners, the lists of a search and how long they hold.
class Neighbours {
public:
    Neighbours(const Communicator& communicator, const Box& box, const NeighbourSettings& settings,
               const StartSizes& sizes, const EngineNeeds& needs);

    const TileGrid& grid() const { return grid_; }
    const Partition& partition() const { return partition_; }
    void set_partition(const Partition& partition) { partition_ = partition; }
    /// Only after a search.
    const LocalTiles& tiles() const { return *tiles_; }
    bool searched() const { return tiles_.has_value(); }
    const ContactLists& lists() const { return lists_; }
    ContactLists& lists() { return lists_; }

    /// Candidates are nearer than this when they are searched.
    double skin() const { return skin_; }
    double largest_skin() const { return largest_skin_; }
    /// Something nearer than `margin` may be missing, after particles moved by `displacement`.
    bool stale(double margin, double displacement) const {
        return !tiles_ || margin + 2 * displacement > skin_;
    }

    /// What contacts are to remember after the first search, the same on every rank: rows as in HistoryRows.
    void set_first_history(std::vector<std::uint64_t> rows) { first_history_ = std::move(rows); }

    // Particles that grow; all ranks together, before a search.
    /// What skins and cells are made for from now on.
    void set_sizes(const StartSizes& sizes);
    /// Whether tiles are long enough for these sizes, and do not hold too few particles.
    bool tiles_fit() const;
    /// The largest gap over which contacts act, m. What grains do to each other from afar goes with their
    /// size.
    double reach() const;
    /// No tile may be shorter than this, m.
    double least_tile_edge() const;
    /// Tiles for these sizes. The partition is of the old ones: give another one.
    void make_tiles(const StartSizes& sizes);

    /// Chooses the skin for margins like this one, unless it is `wanted`.
    void choose_skin(double margin, double wanted = 0);
    /// Particles go to their owners, copies are fetched, lists are made anew, and contacts keep their
    /// history. Returns how many particles left the region, on this rank. Collective.
    std::int64_t search(const Communicator& communicator, ParticleStore& particles,
                        std::span<const Wall> walls, const SearchRequest& request);
    /// The lists of a search in the past, whose skin is given: particles are where they were then.
    void repeat_search(int rank, ParticleStore& particles, std::span<const Wall> walls);
    void restore_skin(double skin);

private:
    void make_lists(int rank, ParticleStore& particles, std::span<const Wall> walls);

    NeighbourSettings settings_;
    StartSizes sizes_;
    double reach_; ///< m; at the start
    bool far_;
    double start_largest_;   ///< m
    double made_for_volume_; ///< mean volume of particles when tiles were made
    TileGrid grid_;
    Partition partition_;
    std::optional<LocalTiles> tiles_;
    ContactLists lists_;
    std::vector<std::uint64_t> first_history_;
    double skin_ = 0, largest_skin_ = 0;
};

} // namespace tamp
