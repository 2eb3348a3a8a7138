#include "tamp/solver/contact_totals.hpp"

#include <algorithm>
#include <array>

#include "wall_impulse.hpp"

namespace tamp {

TotalsOverRanks::TotalsOverRanks(const Communicator& communicator, Profile& profile)
    : communicator_(communicator), profile_(profile), residual_part_(profile.part("residual")),
      reduction_part_(profile.part("reductions")) {}

void TotalsOverRanks::begin(const SolveTask& task) {
    free_.clear();
    const int owned = task.tiles.owned();
    if (!slabs_.loaded() || owned == 0)
        return;
    for (const Body& body : task.bodies.first(static_cast<std::size_t>(task.tiles.end(owned - 1))))
        free_.push_back({body.velocity, body.inverse_mass > 0 ? 1 / body.inverse_mass : 0.0});
}

TileChange TotalsOverRanks::change_of(int slot, const SolveTask& task) const {
    TileChange change;
    if (free_.empty())
        return change;
    for (auto i = static_cast<std::size_t>(task.tiles.begin(slot)),
              end = static_cast<std::size_t>(task.tiles.end(slot));
         i < end; ++i) {
        const auto& [velocity, mass] = free_[i];
        const Vec3 gained = task.bodies[i].velocity - velocity, momentum = mass * gained;
        change.mass += mass;
        change.momentum += momentum;
        change.energy += dot(momentum, gained);
    }
    return change;
}

/// Into sums_, and the largest of this rank into totals_.
void TotalsOverRanks::add_contacts(const SolveTask& task, std::span<const WallState> walls) {
    const Profile::Scope scope(profile_, residual_part_);
    const std::size_t walls_end = static_cast<std::size_t>(sum_count) + walls.size();
    sums_.assign(walls_end + slabs_.sum_count(), ExactSum{});
    const std::span<ExactSum> slab_sums = std::span(sums_).subspan(walls_end);
    totals_.largest = totals_.approach = 0;
    const auto add = [&](int slot, const ResidualSums& tile) {
        slabs_.add(slot, tile, slab_sums);
        sums_[residual_sum].add(tile.residual);
        sums_[normal_sum].add(tile.normal);
        sums_[loaded_sum].add(tile.loaded);
        sums_[fast_sum].add(tile.fast);
        for (int axis = 0; axis < 3; ++axis)
            sums_[static_cast<std::size_t>(stress_sum + axis)].add(tile.stress[axis]);
        totals_.largest = std::max(totals_.largest, tile.largest);
        totals_.approach = std::max(totals_.approach, tile.approach);
    };
    ContactSet& contacts = task.contacts;
    for (const int slot : task.exchange.tile_order()) {
        add(slot, residual(task.bodies, contacts.batches(slot), task.laws, contacts.law_batches(slot)));
        add(slot, residual_walls(task.bodies, contacts.wall_batches(slot), walls, task.laws,
                                 contacts.wall_law_batches(slot)));
        slabs_.add(slot, change_of(slot, task), slab_sums); // while its bodies are at hand
        for (const WallBatch& batch : contacts.wall_batches(slot)) {
            const auto w = static_cast<std::size_t>(batch.wall);
            sums_[static_cast<std::size_t>(sum_count) + w].add(normal_impulse(batch, walls[w].normal));
        }
    }
}

const ContactTotals& TotalsOverRanks::collect(const SolveTask& task, std::span<const WallState> walls) {
    add_contacts(task, walls);
    const Profile::Scope scope(profile_, reduction_part_);
    communicator_.sum(std::span<ExactSum>(sums_));
    std::array largest{totals_.largest, totals_.approach};
    communicator_.max(largest);
    totals_.largest = largest[0], totals_.approach = largest[1];
    totals_.residual = sums_[residual_sum].value();
    totals_.normal = sums_[normal_sum].value();
    totals_.loaded = sums_[loaded_sum].value();
    totals_.fast = sums_[fast_sum].value();
    totals_.forces.clear();
    const std::size_t walls_end = static_cast<std::size_t>(sum_count) + walls.size();
    for (std::size_t i = stress_sum; i < walls_end; ++i)
        totals_.forces.push_back(sums_[i].value());
    totals_.missing.reset();
    totals_.pressing = 0;
    if (slabs_.loaded()) {
        const auto slabs = std::span(sums_).subspan(walls_end);
        const auto wall_impulses = std::span(totals_.forces).subspan(3);
        totals_.missing = slabs_.error(slabs, wall_impulses);
        totals_.pressing = slabs_.pressing(slabs);
    }
    return totals_;
}

} // namespace tamp
