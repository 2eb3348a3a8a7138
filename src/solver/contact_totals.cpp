#include "tamp/solver/contact_totals.hpp"

#include <algorithm>

#include "wall_impulse.hpp"

namespace tamp {

TotalsOverRanks::TotalsOverRanks(const Communicator& communicator, Profile& profile)
    : communicator_(communicator), profile_(profile), residual_part_(profile.part("residual")),
      reduction_part_(profile.part("reductions")) {}

/// Into sums_. Returns the largest residual of this rank's contacts.
double TotalsOverRanks::add_contacts(const SolveTask& task, std::span<const WallState> walls) {
    const Profile::Scope scope(profile_, residual_part_);
    const std::size_t walls_end = static_cast<std::size_t>(sum_count) + walls.size();
    sums_.assign(walls_end + slabs_.sum_count(), ExactSum{});
    const std::span<ExactSum> slab_sums = std::span(sums_).subspan(walls_end);
    double largest = 0;
    const auto add = [&](int slot, const ResidualSums& tile) {
        slabs_.add(slot, tile, slab_sums);
        sums_[residual_sum].add(tile.residual);
        sums_[normal_sum].add(tile.normal);
        sums_[loaded_sum].add(tile.loaded);
        for (int axis = 0; axis < 3; ++axis)
            sums_[static_cast<std::size_t>(stress_sum + axis)].add(tile.stress[axis]);
        largest = std::max(largest, tile.largest);
    };
    ContactSet& contacts = task.contacts;
    for (const int slot : task.exchange.tile_order()) {
        add(slot, residual(task.bodies, contacts.batches(slot), task.laws, contacts.law_batches(slot)));
        add(slot, residual_walls(task.bodies, contacts.wall_batches(slot), walls, task.laws,
                                 contacts.wall_law_batches(slot)));
        for (const WallBatch& batch : contacts.wall_batches(slot)) {
            const auto w = static_cast<std::size_t>(batch.wall);
            sums_[static_cast<std::size_t>(sum_count) + w].add(normal_impulse(batch, walls[w].normal));
        }
    }
    return largest;
}

const ContactTotals& TotalsOverRanks::collect(const SolveTask& task, std::span<const WallState> walls) {
    const double largest = add_contacts(task, walls);
    const Profile::Scope scope(profile_, reduction_part_);
    communicator_.sum(std::span<ExactSum>(sums_));
    totals_.largest = communicator_.max(largest);
    totals_.residual = sums_[residual_sum].value();
    totals_.normal = sums_[normal_sum].value();
    totals_.loaded = sums_[loaded_sum].value();
    totals_.forces.clear();
    const std::size_t walls_end = static_cast<std::size_t>(sum_count) + walls.size();
    for (std::size_t i = stress_sum; i < walls_end; ++i)
        totals_.forces.push_back(sums_[i].value());
    totals_.missing.reset();
    if (slabs_.loaded())
        totals_.missing =
            slabs_.error(std::span(sums_).subspan(walls_end), std::span(totals_.forces).subspan(3));
    return totals_;
}

} // namespace tamp
