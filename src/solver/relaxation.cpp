#include "tamp/solver/relaxation.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "tamp/base/random.hpp"

namespace tamp {
namespace {

double normal_impulse(const WallBatch& batch, const Vec3& normal) {
    return sum_lanes(Pack::load(batch.impulse[0]) * Pack(normal.x) +
                     Pack::load(batch.impulse[1]) * Pack(normal.y) +
                     Pack::load(batch.impulse[2]) * Pack(normal.z));
}

/// Boundary tiles lie first in memory, and `damping` has a row for each of their batches.
template <class Batch>
LawRows damped_rows(LawRows rows, std::span<Batch> batches, std::span<Batch> all,
                    const std::vector<DampingBatch>& damping) {
    const auto first = batches.empty() ? damping.size() : static_cast<std::size_t>(&batches[0] - &all[0]);
    if (first < damping.size())
        rows.damping = damping.data() + first;
    return rows;
}

} // namespace

Relaxation::Relaxation(const Communicator& communicator, const SolverSettings& settings, int dimension,
                       std::uint64_t seed, Profile& profile)
    : communicator_(communicator), settings_(settings), laws_(inertia_ratio(dimension)), seed_(seed),
      profile_(profile), sweep_part_(profile.part("sweeps")), exchange_part_(profile.part("exchange")),
      waiting_part_(profile.part("waiting")), residual_part_(profile.part("residual")),
      reduction_part_(profile.part("reductions")) {}

SolveReport Relaxation::solve(std::span<Body> bodies, ContactSet& contacts, PhaseExchange& exchange,
                              const LocalTiles& tiles, std::span<Wall> walls, double time_step,
                              std::int64_t step) {
    bodies_ = bodies;
    contacts_ = &contacts;
    laws_ = KernelLaws(laws_.kappa, contacts.laws().set, contacts.laws().options);
    exchange_ = &exchange;
    tiles_ = &tiles;
    walls_ = walls;
    step_key_ = mix(static_cast<std::uint64_t>(step) + 1);

    std::vector<std::int64_t> contacts_of_wall = contacts.contacts_of_wall();
    pistons_.clear();
    for (std::size_t w = 0; w < walls.size(); ++w)
        if (walls[w].motion == WallMotion::piston)
            pistons_.push_back(static_cast<std::int32_t>(w));
    if (!pistons_.empty())
        communicator_.sum(std::span<std::int64_t>(contacts_of_wall));
    wall_states_.clear();
    free_speed_.clear();
    for (std::size_t w = 0; w < walls.size(); ++w) {
        WallState state{walls[w].normal, walls[w].velocity, 0.0};
        free_speed_.push_back(0.0);
        if (walls[w].motion == WallMotion::piston) {
            free_speed_[w] =
                dot(walls[w].velocity, walls[w].normal) + time_step * walls[w].force / walls[w].mass;
            state.velocity = free_speed_[w] * walls[w].normal;
            state.inverse_share = static_cast<double>(contacts_of_wall[w]) / walls[w].mass;
        }
        wall_states_.push_back(state);
    }

    SolveReport report;
    std::int64_t loads = contacts.pair_count() + contacts.wall_count();
    if (communicator_.sum(loads) > 0) {
        prepare_damping();
        if (BlockExchange* block = exchange.block())
            block->begin(bodies);
        sweep(Pass::apply);

        BalanceEstimate balance;
        // Where the last step took many sweeps, looking at the first few is wasted.
        Look look{.sweeps = std::min(last_sweeps_ / 8, 6)};
        int check = next_look(look, {});
        while (true) {
            sweep_key_ = mix(step_key_ + static_cast<std::uint64_t>(report.sweeps));
            sweep(settings_.order == SweepOrder::random                                ? Pass::shuffled
                  : settings_.order == SweepOrder::symmetric && report.sweeps % 2 == 1 ? Pass::backward
                                                                                       : Pass::forward);
            ++report.sweeps;
            const bool last = report.sweeps >= settings_.max_sweeps;
            if (report.sweeps < check && !last)
                continue;
            if (converged(report, balance) && report.sweeps >= settings_.min_sweeps)
                break;
            const double unbalanced = balance.known() ? report.balance / settings_.balance : 0.0;
            const Look before = look;
            look = {report.sweeps, std::max(report.residual / settings_.tolerance, unbalanced)};
            check = next_look(look, before);
            if (last) {
                report.capped = true;
                break;
            }
        }
    }
    last_sweeps_ = report.sweeps;
    const std::vector<double> impulses = wall_impulses();
    for (std::size_t w = 0; w < walls.size(); ++w) {
        walls[w].reaction =
            Vec3{impulses[3 * w], impulses[3 * w + 1], impulses[3 * w + 2]} * (-1.0 / time_step);
        walls[w].velocity = wall_states_[w].velocity;
    }
    return report;
}

void Relaxation::sweep(Pass pass) {
    std::array<int, 8> phases{};
    const auto count = static_cast<std::size_t>(exchange_->phases());
    std::iota(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(count), 0);
    if (pass == Pass::backward)
        std::reverse(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(count));
    if (pass == Pass::shuffled) {
        Random random(seed_, sweep_key_, Purpose::order);
        for (std::size_t i = count; i > 1; --i)
            std::swap(phases[i - 1], phases[random.below(i)]);
    }
    const std::span order(phases.data(), count);
    if (exchange_->block())
        sweep_block(order, pass);
    else
        for (const int phase : order)
            run_phase(phase, pass);
    update_pistons();
}

/// Boundary tiles first, whatever the pass: messages travel while the interior is relaxed. On one rank all
/// tiles are interior, and the sweep is that of phases.
void Relaxation::sweep_block(std::span<const int> phases, Pass pass) {
    BlockExchange& block = *exchange_->block();
    {
        const Profile::Scope scope(profile_, sweep_part_);
        for (const int phase : phases)
            relax_tiles(exchange_->boundary_tiles(phase), pass);
    }
    {
        const Profile::Scope scope(profile_, exchange_part_);
        block.start(bodies_);
    }
    {
        const Profile::Scope scope(profile_, sweep_part_);
        for (const int phase : phases)
            relax_tiles(exchange_->interior_tiles(phase), pass);
    }
    const Profile::Scope scope(profile_, exchange_part_);
    {
        const Profile::Scope waiting(profile_, waiting_part_);
        block.wait();
    }
    block.take(bodies_);
}

void Relaxation::run_phase(int phase, Pass pass) {
    {
        const Profile::Scope scope(profile_, sweep_part_);
        relax_tiles(exchange_->boundary_tiles(phase), pass);
    }
    {
        const Profile::Scope scope(profile_, exchange_part_);
        exchange_->start(phase, bodies_);
    }
    {
        const Profile::Scope scope(profile_, sweep_part_);
        relax_tiles(exchange_->interior_tiles(phase), pass);
    }
    const Profile::Scope scope(profile_, exchange_part_);
    {
        const Profile::Scope waiting(profile_, waiting_part_);
        exchange_->wait(phase);
    }
    exchange_->take(phase, bodies_);
}

/// Rows beside the batches of boundary tiles, if a body has more than two sharers.
void Relaxation::prepare_damping() {
    damping_.clear();
    wall_damping_.clear();
    const BlockExchange* block = exchange_->block();
    if (!block || block->most_sharers() <= 2)
        return;
    const auto share = [&](std::int32_t body) { // a body that never moves is no tie between its contacts
        return bodies_[static_cast<std::size_t>(body)].inverse_mass > 0
                   ? std::min(1.0, 2.0 / block->sharers(body))
                   : 1.0;
    };
    for (int phase = 0; phase < exchange_->phases(); ++phase)
        for (const int slot : exchange_->boundary_tiles(phase)) {
            for (const ContactBatch& batch : contacts_->batches(slot)) {
                DampingBatch& row = damping_.emplace_back();
                for (int lane = 0; lane < lanes; ++lane)
                    row.share[lane] = std::min(share(batch.first[lane]), share(batch.second[lane]));
            }
            for (const WallBatch& batch : contacts_->wall_batches(slot)) {
                DampingBatch& row = wall_damping_.emplace_back();
                for (int lane = 0; lane < lanes; ++lane)
                    row.share[lane] = share(batch.body[lane]);
            }
        }
}

/// The tiles share no body, so their batches may be taken as one row.
void Relaxation::relax_tiles(std::span<const int> slots, Pass pass) {
    const std::span<ContactBatch> batches = contacts_->batches(slots);
    const std::span<WallBatch> wall_batches = contacts_->wall_batches(slots);
    const std::span<const int> order = exchange_->tile_order();
    const LawRows rows =
        damped_rows(contacts_->law_rows(slots), batches, contacts_->batches(order), damping_);
    const LawRows wall_rows = damped_rows(contacts_->wall_law_rows(slots), wall_batches,
                                          contacts_->wall_batches(order), wall_damping_);
    switch (pass) {
    case Pass::apply:
        apply(bodies_, batches, laws_, rows);
        return apply_walls(bodies_, wall_batches, wall_states_, laws_, wall_rows);
    case Pass::forward:
        relax(bodies_, batches, laws_, rows);
        break;
    case Pass::backward: // the forward pass from its end to its beginning
        relax_walls_backward(bodies_, wall_batches, wall_states_, laws_, wall_rows);
        return relax_backward(bodies_, batches, laws_, rows);
    case Pass::shuffled:
        for (const int slot : slots) {
            const std::span<ContactBatch> one = contacts_->batches(slot);
            shuffle_batches(slot, one.size());
            relax_in_order(bodies_, one, order_, laws_,
                           damped_rows(contacts_->law_rows(slot), one, contacts_->batches(order), damping_));
        }
        break;
    }
    relax_walls(bodies_, wall_batches, wall_states_, laws_, wall_rows);
}

void Relaxation::shuffle_batches(int slot, std::size_t count) {
    Random random(seed_, sweep_key_ + 1 + static_cast<std::uint64_t>(tiles_->tile(slot)), Purpose::order);
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t i = count; i > 1; --i)
        std::swap(order_[i - 1], order_[random.below(i)]);
}

void Relaxation::update_pistons() {
    if (pistons_.empty())
        return;
    sums_.assign(pistons_.size(), ExactSum{});
    for (const int slot : exchange_->tile_order())
        for (const WallBatch& batch : contacts_->wall_batches(slot))
            for (std::size_t k = 0; k < pistons_.size(); ++k)
                if (batch.wall == pistons_[k])
                    sums_[k].add(normal_impulse(batch, walls_[static_cast<std::size_t>(batch.wall)].normal));
    sum_over_ranks();
    for (std::size_t k = 0; k < pistons_.size(); ++k) {
        const auto w = static_cast<std::size_t>(pistons_[k]);
        const double speed = free_speed_[w] - sums_[k].value() / walls_[w].mass;
        wall_states_[w].velocity = speed * walls_[w].normal;
    }
}

std::vector<double> Relaxation::wall_impulses() {
    std::vector<double> result(3 * walls_.size(), 0.0);
    if (result.empty())
        return result;
    sums_.assign(result.size(), ExactSum{});
    for (const int slot : exchange_->tile_order())
        for (const WallBatch& batch : contacts_->wall_batches(slot))
            for (std::size_t axis = 0; axis < 3; ++axis)
                sums_[3 * static_cast<std::size_t>(batch.wall) + axis].add(
                    sum_lanes(Pack::load(batch.impulse[axis])));
    sum_over_ranks();
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = sums_[i].value();
    return result;
}

void Relaxation::sum_over_ranks() {
    const Profile::Scope scope(profile_, reduction_part_);
    communicator_.sum(std::span<ExactSum>(sums_));
}

/// Into sums_: what `converged` looks at. Returns the largest residual of this rank's contacts.
double Relaxation::add_residuals() {
    const Profile::Scope scope(profile_, residual_part_);
    sums_.assign(static_cast<std::size_t>(sum_count) + walls_.size(), ExactSum{});
    double largest = 0;
    const auto add = [&](const ResidualSums& tile) {
        sums_[residual_sum].add(tile.residual);
        sums_[normal_sum].add(tile.normal);
        sums_[loaded_sum].add(tile.loaded);
        for (int axis = 0; axis < 3; ++axis)
            sums_[static_cast<std::size_t>(stress_sum + axis)].add(tile.stress[axis]);
        largest = std::max(largest, tile.largest);
    };
    for (const int slot : exchange_->tile_order()) {
        add(residual(bodies_, contacts_->batches(slot), laws_, contacts_->law_rows(slot)));
        add(residual_walls(bodies_, contacts_->wall_batches(slot), wall_states_, laws_,
                           contacts_->wall_law_rows(slot)));
        for (const WallBatch& batch : contacts_->wall_batches(slot)) {
            const auto w = static_cast<std::size_t>(batch.wall);
            sums_[static_cast<std::size_t>(sum_count) + w].add(normal_impulse(batch, walls_[w].normal));
        }
    }
    return largest;
}

bool Relaxation::converged(SolveReport& report, BalanceEstimate& balance) {
    double largest = add_residuals();
    sum_over_ranks();
    {
        const Profile::Scope scope(profile_, reduction_part_);
        largest = communicator_.max(largest);
    }
    std::vector<double> values;
    for (const ExactSum& sum : sums_)
        values.push_back(sum.value());
    const double normal = values[normal_sum];
    report.normal_impulse = values[stress_sum] + values[stress_sum + 1] + values[stress_sum + 2];
    balance.record(report.sweeps, std::span(values).subspan(stress_sum));
    // Tension and pressure may cancel in the sums; without tension they are at least a third of `normal`.
    report.balance = balance.error(0.1 * normal);
    report.residual = normal > 0 ? values[residual_sum] / normal : values[residual_sum] > 0 ? 1.0 : 0.0;
    report.largest = normal > 0 ? largest * values[loaded_sum] / normal : report.residual;
    if (normal == 0 && values[residual_sum] == 0)
        return true; // nothing touches
    return report.residual <= settings_.tolerance && report.balance <= settings_.balance;
}

} // namespace tamp
