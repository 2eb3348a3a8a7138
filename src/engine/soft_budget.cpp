#include "tamp/engine/soft_budget.hpp"

#include <algorithm>
#include <bit>

#include "tamp/base/errors.hpp"
#include "tamp/boundaries/wall_motion.hpp"
#include "tamp/particles/body.hpp"

namespace tamp {

void SoftBudget::fall(const ParticleStore& store, const Vec3& acceleration, double moved_for) {
    if (acceleration == Vec3{0, 0, 0})
        return;
    for (std::size_t i = 0; i < store.owned; ++i)
        sums_[gravity].add(store.mass(i) * dot(acceleration, store.body[i].velocity) * moved_for);
}

void SoftBudget::push_walls(std::span<const Wall> walls, double moved_for) {
    walls_.resize(walls.size());
    noted_.resize(walls.size());
    for (std::size_t w = 0; w < walls.size(); ++w)
        walls_[w] -= 0.5 * moved_for *
                     (dot(noted_[w].reaction + walls[w].reaction, noted_[w].velocity) +
                      (noted_[w].moment + turning_moment(walls[w])) * noted_[w].turn_speed);
}

void SoftBudget::note_walls(std::span<const Wall> walls) {
    for (std::size_t w = 0; w < walls.size(); ++w)
        noted_[w] = {walls[w].reaction, walls[w].velocity, turning_moment(walls[w]), walls[w].rotation.speed};
}

void SoftBudget::begin_kick(const ParticleStore& store) {
    before_.assign(store.body.begin(), store.body.begin() + static_cast<std::ptrdiff_t>(store.owned));
}

void SoftBudget::end_kick(const ParticleStore& store, const SoftSettings& settings, double kick) {
    const double per_kappa = 1 / inertia_ratio(store.dimension());
    sums_[ahead] = {};
    for (std::size_t i = 0; i < store.owned; ++i) {
        if (store.is_fixed(i))
            continue;
        const Body &then = before_[i], &now = store.body[i];
        const Vec3 velocity = then.velocity + now.velocity,
                   surface = then.surface + now.surface; // means, x 2
        const double gain = 0.5 * store.mass(i) *
                            (dot(velocity, now.velocity - then.velocity) +
                             per_kappa * dot(surface, now.surface - then.surface));
        const double drag = 0.5 * kick *
                            (settings.background_viscosity * dot(then.velocity, velocity) +
                             settings.background_rotation_viscosity * dot(then.surface, surface));
        if (drag != 0)
            sums_[background].add(drag);
        sums_[ahead].add(0.5 * (gain + drag));
    }
}

void SoftBudget::add_kinetic(const ParticleStore& store, double sign) {
    for (std::size_t i = 0; i < store.owned; ++i)
        heats_[soft::growth].add(sign * store.kinetic_energy(i));
}

std::vector<ExactSum> SoftBudget::sums_over_ranks(const Communicator& communicator) const {
    std::vector<ExactSum> all(heats_.begin(), heats_.end());
    all.insert(all.end(), sums_.begin(), sums_.end());
    communicator.sum(std::span<ExactSum>(all));
    return all;
}

EnergyFlows SoftBudget::flows(const Communicator& communicator) const {
    const std::vector<ExactSum> all = sums_over_ranks(communicator);
    const auto heat = [&](soft::Heat which) { return all[which].value(); };
    const auto sum = [&](std::size_t which) { return all[soft::heat_count + which].value(); };
    EnergyFlows flows;
    flows.soft = true;
    flows.elastic = heat(soft::elastic);
    flows.dashpots = heat(soft::dashpots);
    flows.hysteresis = heat(soft::hysteresis);
    flows.friction = heat(soft::sliding);
    flows.rolling = heat(soft::rolling);
    flows.torsion = heat(soft::torsion);
    flows.growth = heat(soft::growth);
    flows.gravity = sum(gravity);
    flows.background = sum(background);
    flows.left = sum(left);
    flows.ahead = sum(ahead);
    flows.walls = walls_;
    return flows;
}

std::vector<std::int64_t> SoftBudget::words(const Communicator& communicator) const {
    std::vector<std::int64_t> words;
    for (ExactSum& sum : sums_over_ranks(communicator)) {
        const std::span<const std::int64_t> digits = sum.digits();
        words.insert(words.end(), digits.begin(), digits.end());
    }
    const auto add = [&](double value) { words.push_back(std::bit_cast<std::int64_t>(value)); };
    for (std::size_t w = 0; w < walls_.size(); ++w) {
        add(walls_[w]);
        for (const Vec3& vector : {noted_[w].reaction, noted_[w].velocity})
            add(vector.x), add(vector.y), add(vector.z);
        add(noted_[w].moment), add(noted_[w].turn_speed);
    }
    return words;
}

void SoftBudget::restore(const Communicator& communicator, std::span<const std::int64_t> words,
                         std::size_t walls) {
    constexpr std::size_t heats = soft::heat_count, exact = heats + std::size_t{sum_count},
                          words_of_a_wall = 9;
    constexpr std::size_t exact_words = exact * ExactSum::word_count;
    if (words.size() < exact_words)
        return;                   // nothing was followed
    if (communicator.rank() == 0) // sums over ranks count it once
        for (std::size_t k = 0; k < exact; ++k)
            (k < heats ? heats_[k] : sums_[k - heats]) =
                ExactSum(words.subspan(k * ExactSum::word_count, ExactSum::word_count));
    words = words.subspan(exact_words);
    if (words.empty())
        return; // there was no step yet
    if (words.size() != walls * words_of_a_wall)
        throw FileError(
            "the energy budget of the checkpoint is of an earlier version, which knew nothing of walls "
            "that turn; go on with --set measure.energy_budget=false, or start the run again");
    walls_.resize(walls);
    noted_.resize(walls_.size());
    auto word = words.begin();
    const auto next = [&] { return std::bit_cast<double>(*word++); };
    for (std::size_t w = 0; w < walls_.size(); ++w) {
        walls_[w] = next();
        for (Vec3* vector : {&noted_[w].reaction, &noted_[w].velocity})
            vector->x = next(), vector->y = next(), vector->z = next();
        noted_[w].moment = next(), noted_[w].turn_speed = next();
    }
}

} // namespace tamp
