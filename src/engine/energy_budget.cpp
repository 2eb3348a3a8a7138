#include "tamp/engine/energy_budget.hpp"

#include <algorithm>

#include "tamp/solver/work.hpp"

namespace tamp {

void EnergyBudget::begin_step(const ParticleStore& store, std::span<const Wall> walls) {
    before_.assign(store.body.begin(), store.body.end());
    wall_before_.clear();
    for (const Wall& wall : walls)
        wall_before_.push_back({.before = wall.velocity, .turn_before = wall.rotation.speed});
    walls_.resize(walls.size());
}

void EnergyBudget::end_step(const ParticleStore& store, const LocalTiles& tiles, ContactSet& contacts,
                            std::span<const Wall> walls, const Vec3& gravity_vector, double time_step) {
    std::vector<WallVelocities> velocities = wall_before_;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        velocities[w].after = walls[w].velocity;
        velocities[w].axis = walls[w].rotation.axis;
        velocities[w].turn_after = walls[w].rotation.speed;
    }
    const auto add = [this](const ContactWork& tile) {
        sums_[pushing].add(tile.pushing);
        sums_[pulling].add(tile.pulling);
        sums_[sliding].add(tile.sliding);
        sums_[rolling].add(tile.rolling);
        sums_[torsion].add(tile.torsion);
    };
    std::vector<double> by_wall(walls.size());
    for (int slot = 0; slot < contacts.tiles(); ++slot) {
        add(work(before_, store.body, contacts.batches(slot), contacts.law_batches(slot)));
        if (!contacts.wall_batches(slot).empty()) {
            std::ranges::fill(by_wall, 0.0);
            add(work_of_walls(before_, store.body, contacts.wall_batches(slot), velocities,
                              contacts.wall_law_batches(slot), by_wall));
            for (std::size_t w = 0; w < walls.size(); ++w)
                walls_[w].add(by_wall[w]);
        }
        // Gravity gives m g.(v+ + v-)/2 dt to the velocities, but particles move, and fall, by v+ dt.
        double power = 0, gain = 0;
        for (std::int32_t i = tiles.begin(slot); i < tiles.end(slot); ++i) {
            const auto k = static_cast<std::size_t>(i);
            const Vec3& velocity = store.body[k].velocity;
            power += store.mass(k) * dot(velocity, gravity_vector);
            gain += store.mass(k) * dot(velocity - before_[k].velocity, gravity_vector);
        }
        sums_[gravity].add(power * time_step);
        sums_[integration].add(0.5 * gain * time_step);
    }
}

std::vector<ExactSum> EnergyBudget::sums_over_ranks(const Communicator& communicator) const {
    std::vector<ExactSum> all(sums_.begin(), sums_.end());
    all.insert(all.end(), walls_.begin(), walls_.end());
    communicator.sum(std::span<ExactSum>(all));
    return all;
}

std::vector<std::int64_t> EnergyBudget::words(const Communicator& communicator) const {
    std::vector<std::int64_t> words;
    for (ExactSum& sum : sums_over_ranks(communicator)) {
        const std::span<const std::int64_t> digits = sum.digits();
        words.insert(words.end(), digits.begin(), digits.end());
    }
    return words;
}

void EnergyBudget::restore(const Communicator& communicator, std::span<const std::int64_t> words) {
    std::vector<ExactSum> all;
    for (; words.size() >= ExactSum::word_count; words = words.subspan(ExactSum::word_count))
        all.emplace_back(words.first(ExactSum::word_count));
    if (all.size() < sum_count)
        return; // nothing was followed
    walls_.resize(all.size() - sum_count);
    if (communicator.rank() == 0) { // sums over ranks count it once
        std::copy_n(all.begin(), std::size_t{sum_count}, sums_.begin());
        std::copy(all.begin() + sum_count, all.end(), walls_.begin());
    }
}

EnergyFlows EnergyBudget::flows(const Communicator& communicator) const {
    const std::vector<ExactSum> all = sums_over_ranks(communicator);
    EnergyFlows flows;
    flows.collisions = 0.0 - all[pushing].value();
    flows.cohesion = 0.0 - all[pulling].value();
    flows.friction = 0.0 - all[sliding].value();
    flows.rolling = 0.0 - all[rolling].value();
    flows.torsion = 0.0 - all[torsion].value();
    flows.gravity = all[gravity].value();
    flows.integration = all[integration].value();
    flows.left = all[left].value();
    for (std::size_t w = 0; w < walls_.size(); ++w)
        flows.walls.push_back(all[sum_count + w].value());
    return flows;
}

} // namespace tamp
