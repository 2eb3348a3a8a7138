#include "tamp/world/neighbours.hpp"

#include <algorithm>
#include <memory_resource>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/domain/migrate.hpp"

namespace tamp {
namespace {

double least_edge(const NeighbourSettings& settings, const StartSizes& sizes, double reach) {
    return sizes.largest + std::max({settings.skin, 0.1 * sizes.largest, 2.1 * reach});
}

TileGrid make_grid(const Box& box, const NeighbourSettings& settings, const StartSizes& sizes, double reach) {
    const double wanted =
        settings.tile > 0 ? settings.tile : suitable_tile_edge(sizes.count, sizes.mean_volume, box.dimension);
    return TileGrid(box, wanted, least_edge(settings, sizes, reach), grid_limits(sizes.count));
}

/// `far`: m, what contacts that reach far add to the usual skin.
double skin_within(const TileGrid& grid, const StartSizes& sizes, double far) {
    return std::min(0.4 * sizes.mean + far, grid.shortest_edge() - sizes.largest);
}

} // namespace

double largest_skin(const Box& box, const NeighbourSettings& settings, const StartSizes& sizes,
                    const EngineNeeds& needs) {
    return skin_within(make_grid(box, settings, sizes, needs.reach), sizes,
                       needs.reaches_far ? needs.reach : 0);
}

double longest_reach(double skin, const StartSizes& sizes, const EngineNeeds& needs) {
    return needs.reaches_far ? skin - 0.1 * sizes.mean : 0.5 * skin;
}

Neighbours::Neighbours(const Communicator& communicator, const Box& box, const NeighbourSettings& settings,
                       const StartSizes& sizes, const EngineNeeds& needs)
    : settings_(settings), sizes_(sizes), reach_(needs.reach), far_(needs.reaches_far),
      start_largest_(sizes.largest), made_for_volume_(sizes.mean_volume),
      grid_(make_grid(box, settings, sizes, needs.reach)),
      partition_(std::vector<std::int64_t>(static_cast<std::size_t>(grid_.count()), 0), communicator.size()),
      lists_(needs.history), largest_skin_(skin_within(grid_, sizes, far_ ? reach_ : 0)) {
    if (const double longest = longest_reach(largest_skin_, sizes, needs); needs.reach > longest)
        throw InputError(
            fmt::format("{} reaches over gaps of {:.3g} m, and the neighbour search follows no more "
                        "than {:.3g} m; give {}",
                        needs.what_reaches, needs.reach, longest, needs.shorter_reach));
}

void Neighbours::set_sizes(const StartSizes& sizes) {
    sizes_ = sizes;
    largest_skin_ = skin_within(grid_, sizes, far_ ? reach() : 0);
}

double Neighbours::reach() const {
    return sizes_.largest == start_largest_ ? reach_ : reach_ * sizes_.largest / start_largest_;
}

double Neighbours::least_tile_edge() const { return least_edge(settings_, sizes_, reach()); }

bool Neighbours::tiles_fit() const {
    // Twice as large particles fill a tile with half as many of them.
    return grid_.shortest_edge() >= least_tile_edge() &&
           (settings_.tile > 0 || sizes_.mean_volume <= 2 * made_for_volume_);
}

void Neighbours::make_tiles(const StartSizes& sizes) {
    sizes_ = sizes;
    grid_ = make_grid(grid_.box(), settings_, sizes, reach());
    made_for_volume_ = sizes.mean_volume;
    set_sizes(sizes);
}

void Neighbours::choose_skin(double margin, double wanted) {
    if (wanted == 0) // room for about eight steps at the present speed
        wanted = std::max(9 * margin, 0.05 * sizes_.mean);
    skin_ = settings_.skin > 0 ? std::max(settings_.skin, margin) : std::min(wanted, largest_skin_);
}

void Neighbours::restore_skin(double skin) {
    skin_ = skin;
    grid_.set_cells(sizes_.largest + skin_);
}

std::int64_t Neighbours::search(const Communicator& communicator, ParticleStore& particles,
                                std::span<const Wall> walls, const SearchRequest& request) {
    // History, and the index to find it, lie in the spare memory. An eighth more for those that arrive.
    std::pmr::monotonic_buffer_resource room(request.spare.data(), request.spare.size());
    HistoryRows rows(&room);
    rows.reserve(request.loaded * 9 / 8 * (history_key_words + lists_.pair_history.row_words()));
    if (tiles_)
        rows = carry_history(communicator, grid_, partition_, particles, lists_, std::move(rows));
    else
        rows.assign(first_history_.begin(), first_history_.end());
    std::vector<std::uint64_t>().swap(first_history_);
    lists_.pairs = {};
    lists_.pair_history.release_after_first(); // all that it held is in the rows
    if (request.leaving)
        for (std::size_t i = 0; i < particles.owned; ++i)
            if (grid_.outside(grid_.box().wrapped(particles.sphere[i].centre)))
                request.leaving(i);
    grid_.set_cells(sizes_.largest + skin_);
    const std::int64_t lost = migrate(communicator, grid_, partition_, particles);
    fetch_copies(communicator, grid_, partition_, particles);
    make_lists(communicator.rank(), particles, walls);
    recall_history(rows, particles, lists_);
    return lost;
}

void Neighbours::repeat_search(int rank, ParticleStore& particles, std::span<const Wall> walls) {
    make_lists(rank, particles, walls);
    lists_.reset_history();
}

void Neighbours::make_lists(int rank, ParticleStore& particles, std::span<const Wall> walls) {
    tiles_.emplace(grid_, partition_, rank, particles);
    lists_.pairs = find_pairs(grid_, *tiles_, particles, skin_);
    lists_.walls = find_wall_contacts(*tiles_, particles, walls, skin_);
}

} // namespace tamp
