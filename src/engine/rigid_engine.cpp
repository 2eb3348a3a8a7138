#include "tamp/engine/rigid_engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory_resource>
#include <utility>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"
#include "tamp/contacts/memory.hpp"
#include "tamp/domain/migrate.hpp"

namespace tamp {
namespace {

StartSizes sizes_of(std::span<const Grain> grains, int dimension) {
    StartSizes sizes{.count = static_cast<std::int64_t>(grains.size())};
    for (const Grain& grain : grains) {
        sizes.smallest = std::min(sizes.smallest, 2 * grain.radius);
        sizes.largest = std::max(sizes.largest, 2 * grain.radius);
        sizes.mean += 2 * grain.radius / static_cast<double>(grains.size());
        sizes.mean_volume += grain_volume(grain.radius, dimension) / static_cast<double>(grains.size());
    }
    return sizes;
}

/// The largest gap over which a bond may last: its range, or what a held one may have, see cohesion.hpp.
double cohesion_reach(const RigidSetup& setup, const StartSizes& sizes) {
    if (!rigid::laws_used(setup.materials, setup.box.dimension).set.cohesion)
        return 0;
    return std::max(rigid::held_gap * 0.5 * sizes.largest,
                    rigid::longest_range(setup.materials, 0.5 * sizes.smallest, setup.box.dimension,
                                         norm(setup.gravity)));
}

TileGrid make_grid(const RigidSetup& setup, const StartSizes& sizes) {
    const double wanted = setup.neighbours.tile > 0
                              ? setup.neighbours.tile
                              : suitable_tile_edge(sizes.count, sizes.mean_volume, setup.box.dimension);
    return TileGrid(setup.box, wanted,
                    sizes.largest + std::max({setup.neighbours.skin, 0.1 * sizes.largest,
                                              2.1 * cohesion_reach(setup, sizes)}));
}

/// Before anything is measured, a particle costs the same everywhere.
Partition first_partition(const TileGrid& grid, std::span<const Grain> grains, int ranks) {
    std::vector<std::int64_t> costs(static_cast<std::size_t>(grid.count()), 0);
    for (const Grain& grain : grains)
        ++costs[static_cast<std::size_t>(grid.number(grid.tile_of(grid.box().wrapped(grain.position))))];
    return Partition(costs, ranks);
}

constexpr int searches_between_balances = 20;

} // namespace

RigidEngine::RigidEngine(const Communicator& communicator, const RigidSetup& setup, const StartSizes& sizes)
    : communicator_(communicator), setup_(setup), walls_(setup.walls), sizes_(sizes),
      store_(setup.materials, setup.box.dimension), grid_(make_grid(setup, sizes)),
      partition_(std::vector<std::int64_t>(static_cast<std::size_t>(grid_.count()), 0), communicator.size()),
      relaxation_(communicator_, setup_.solver, setup.box.dimension, setup.seed, profile_),
      search_part_(profile_.part("neighbours")), geometry_part_(profile_.part("geometry")),
      move_part_(profile_.part("move")), solve_part_(profile_.part("solve")),
      energy_part_(profile_.part("energy")), sweep_part_(profile_.part("sweeps")),
      residual_part_(profile_.part("residual")) {
    laws_ = rigid::laws_used(setup.materials, setup.box.dimension);
    cohesion_range_ = cohesion_reach(setup, sizes);
    largest_skin_ = std::min(0.4 * sizes.mean, grid_.shortest_edge() - sizes.largest);
    if (cohesion_range_ > 0.5 * largest_skin_)
        throw InputError(
            fmt::format("cohesion reaches over gaps of {:.3g} m, and the neighbour search follows no more "
                        "than {:.3g} m; give "
                        "less cohesion_energy, a larger force, a shorter cohesion_range, or larger tiles",
                        cohesion_range_, 0.5 * largest_skin_));
}

RigidEngine::RigidEngine(const Communicator& communicator, const RigidSetup& setup,
                         std::span<const Grain> grains)
    : RigidEngine(communicator, setup, sizes_of(grains, setup.box.dimension)) {
    partition_ = first_partition(grid_, grains, communicator.size());
    std::vector<Traveller> mine;
    mine.reserve(grains.size()); // memory that is never touched costs nothing, growing by doubling does
    double speed = 0;
    for (const Grain& grain : grains) {
        Grain wrapped = grain;
        wrapped.position = grid_.box().wrapped(grain.position);
        speed = std::max(speed, norm(grain.velocity));
        if (partition_.owner(grid_.number(grid_.tile_of(wrapped.position))) == communicator_.rank())
            mine.push_back(store_.traveller(wrapped));
    }
    store_.resize(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
        store_.set(i, mine[i]);
    store_.owned = mine.size();
    local_speed_ = speed;
}

StepReport RigidEngine::step(double end_time) {
    StepReport report;
    choose_time_step(end_time);
    if (neighbours_are_stale()) {
        const Profile::Scope scope(profile_, search_part_);
        search_neighbours();
        report.searched = true;
    }
    {
        const Profile::Scope scope(profile_, geometry_part_);
        contacts_.update(setup_.box, store_, setup_.materials, walls_, pairs_, wall_candidates_,
                         {.time_step = time_step_,
                          .margin = margin_,
                          .impulse_scale = last_time_step_ > 0 ? time_step_ / last_time_step_ : 1.0,
                          .gravity = norm(setup_.gravity)},
                         exchange_->tile_order());
    }
    if (setup_.energy_budget) {
        const Profile::Scope scope(profile_, energy_part_);
        energy_.begin_step(store_, walls_);
    }
    add_free_velocity();
    {
        const Profile::Scope scope(profile_, solve_part_);
        report.solve =
            relaxation_.solve(store_.body, contacts_, *exchange_, *tiles_, walls_, time_step_, totals_.steps);
    }
    if (setup_.energy_budget) {
        const Profile::Scope scope(profile_, energy_part_);
        energy_.end_step(store_, *tiles_, contacts_, walls_, setup_.gravity, time_step_);
    }
    {
        const Profile::Scope scope(profile_, geometry_part_);
        contacts_.remember(pairs_, wall_candidates_, walls_);
    }
    move();
    time_ = end_time - time_ - time_step_ < 1e-9 * time_step_ ? end_time : time_ + time_step_;
    last_time_step_ = time_step_;
    has_stepped_ = true;

    report.time_step = time_step_;
    report.contacts = communicator_.sum(contacts_.pair_count() + contacts_.wall_count());
    report.overlap = communicator_.max(contacts_.largest_overlap());
    ++totals_.steps;
    totals_.sweeps += report.solve.sweeps;
    totals_.capped_steps += report.solve.capped ? 1 : 0;
    totals_.contact_updates += static_cast<double>(report.contacts) * report.solve.sweeps;
    totals_.largest_overlap = std::max(totals_.largest_overlap, report.overlap);
    totals_.largest_residual = std::max(totals_.largest_residual, report.solve.residual);
    totals_.residual_sum += report.solve.residual;
    return report;
}

/// The displacement bound: no particle and no wall moves further than a share of the smallest diameter.
void RigidEngine::choose_time_step(double end_time) {
    double extremes[2] = {local_speed_, local_displacement_};
    communicator_.max(std::span<double>(extremes));
    displacement_ = std::max(extremes[1], wall_displacement_);

    double speed = extremes[0], acceleration = norm(setup_.gravity);
    for (const Wall& wall : walls_) {
        speed = std::max(speed, norm(wall.velocity));
        if (wall.motion == WallMotion::piston)
            acceleration = std::max(acceleration, std::abs(wall.force) / wall.mass);
    }
    if (!std::isfinite(speed))
        throw NumericalError(fmt::format("velocities are no longer finite after step {} (t = {:.6g} s)",
                                         totals_.steps, time_));
    const TimeSettings& settings = setup_.time;
    time_step_ = settings.step;
    // What the neighbour search can follow bounds the displacement too.
    const double bound = std::min(settings.displacement * sizes_.smallest, 0.49 * largest_skin_);
    if (settings.step == 0) {
        // speed dt + acceleration dt^2 = bound
        time_step_ =
            std::min(settings.max_step,
                     2 * bound / (speed + std::sqrt(speed * speed + 4 * acceleration * bound) + 1e-300));
    }
    // Never a tiny last step: its impulses would drown in the velocity errors of the step before.
    const double left = end_time - time_;
    if (left < time_step_ * (1 + 1e-9))
        time_step_ = left;
    else if (left < 2 * time_step_)
        time_step_ = 0.5 * left;
    if (speed * time_step_ > 1.001 * bound)
        ++totals_.fast_steps;
    margin_ = std::max(
        {2 * (speed + acceleration * time_step_) * time_step_, 1e-4 * sizes_.smallest, cohesion_range_});
}

bool RigidEngine::neighbours_are_stale() const { return !tiles_ || margin_ + 2 * displacement_ > skin_; }

void RigidEngine::search_neighbours() {
    if (margin_ > largest_skin_)
        throw NumericalError(
            fmt::format("particles or walls move up to {:.2g} mean diameters in step {}, more than the "
                        "neighbour search can follow; choose a smaller time.step, or leave it out so "
                        "that the step adapts",
                        0.5 * margin_ / sizes_.mean, totals_.steps));
    // Room for about eight steps at the present speed.
    skin_ = setup_.neighbours.skin > 0 ? std::max(setup_.neighbours.skin, margin_)
                                       : std::min(std::max(9 * margin_, 0.05 * sizes_.mean), largest_skin_);
    if (totals_.searches > 0 && totals_.searches % searches_between_balances == 0)
        rebalance();
    if (laws_.set.torques || laws_.set.cohesion)
        search_with_memory<LawMemoryRecord>();
    else
        search_with_memory<MemoryRecord>();
    plan_exchange();
    walls_at_search_ = walls_;
    displacement_ = local_displacement_ = wall_displacement_ = 0;
    totals_.skin_sum += skin_;
    ++totals_.searches;
}

void RigidEngine::plan_exchange() {
    exchange_.reset(); // its requests go before others are made
    exchange_.emplace(communicator_, grid_, partition_, *tiles_, store_, pairs_, wall_candidates_,
                      setup_.solver.scheme == SweepScheme::block ? ExchangeRhythm::sweep
                                                                 : ExchangeRhythm::phase);
}

template <class Record>
void RigidEngine::search_with_memory() {
    // What is remembered, and the table to find it, lies where the batches were: only these had an impulse.
    // An eighth more for those that arrive.
    const std::span<std::byte> lent = contacts_.lend();
    std::pmr::monotonic_buffer_resource room(lent.data(), lent.size());
    std::pmr::vector<Record> memory(&room);
    memory.reserve(static_cast<std::size_t>(contacts_.pair_count() + contacts_.wall_count()) * 9 / 8);
    if (tiles_)
        memory = carry_memory<Record>(communicator_, grid_, partition_, store_, pairs_, wall_candidates_,
                                      std::move(memory));
    std::vector<Vec3> impulse = std::move(pairs_.impulse);
    pairs_ = {};
    if (setup_.energy_budget)
        book_leavers();
    grid_.set_cells(sizes_.largest + skin_);
    const std::int64_t lost = migrate(communicator_, grid_, partition_, store_);
    fetch_copies(communicator_, grid_, partition_, store_);
    tiles_.emplace(grid_, partition_, communicator_.rank(), store_);
    pairs_ = find_pairs(grid_, *tiles_, store_, skin_, std::move(impulse));
    wall_candidates_ = find_wall_contacts(*tiles_, store_, walls_, skin_);
    pairs_.remember_for(laws_.set);
    wall_candidates_.remember_for(laws_.set);
    recall_memory(memory, store_, pairs_, wall_candidates_);
    totals_.lost += communicator_.sum(lost);
}

/// Those that `migrate` is about to drop take their energy with them.
void RigidEngine::book_leavers() {
    for (std::size_t i = 0; i < store_.owned; ++i)
        if (grid_.outside(setup_.box.wrapped(store_.sphere[i].centre)))
            energy_.leave(store_.kinetic_energy(i));
}

std::optional<EnergyFlows> RigidEngine::energy_flows() const {
    return setup_.energy_budget ? std::optional(energy_.flows(communicator_)) : std::nullopt;
}

BalanceCost RigidEngine::balance_cost() const {
    // A block sweep depends on who owns what: with a clock in it no run could be repeated.
    const bool by_clock = setup_.neighbours.balance == BalanceCost::measured;
    return by_clock && setup_.solver.scheme == SweepScheme::block ? BalanceCost::counted
                                                                  : setup_.neighbours.balance;
}

/// Without the search and what is exchanged: there ranks wait.
BusySeconds RigidEngine::busy_seconds() const {
    return {profile_.seconds(sweep_part_) + profile_.seconds(residual_part_),
            profile_.seconds(geometry_part_) + profile_.seconds(move_part_) + profile_.seconds(energy_part_)};
}

/// By the batches of the last step; those who count take contacts that bear a force, which a run that goes on
/// from a file knows as well. A batch of wall contacts is half the work of another: it has half as many
/// bodies.
std::vector<TileWork> RigidEngine::work_of_tiles() const {
    const auto loaded = [](const auto& candidates, std::size_t slot) {
        const auto at = [&](std::int32_t c) { return candidates.impulse.begin() + c; };
        const auto begin = at(candidates.tile_begin[slot]), end = at(candidates.tile_begin[slot + 1]);
        return static_cast<double>(end - begin - std::count(begin, end, Vec3{0, 0, 0})) / lanes;
    };
    std::vector<TileWork> work;
    for (int slot = 0; slot < tiles_->owned(); ++slot) {
        const auto s = static_cast<std::size_t>(slot);
        const double batches = balance_cost() == BalanceCost::counted
                                   ? loaded(pairs_, s) + 0.5 * loaded(wall_candidates_, s)
                                   : static_cast<double>(contacts_.batch_count(slot)) +
                                         0.5 * static_cast<double>(contacts_.wall_batch_count(slot));
        work.push_back(
            {tiles_->tile(slot), batches, static_cast<double>(tiles_->end(slot) - tiles_->begin(slot))});
    }
    return work;
}

/// Tiles change hands when the cost of the ranks differs. Changes no bit of any result, but for block sweeps.
void RigidEngine::rebalance() {
    const BalanceCost cost = balance_cost();
    const BusySeconds now = busy_seconds(), since = now - std::exchange(busy_at_balance_, now);
    if (cost == BalanceCost::never || (cost == BalanceCost::measured && !has_stepped_))
        return; // the latter: a run that goes on from a file has nothing measured yet
    const std::vector<TileWork> work = work_of_tiles();
    const double sweeps_a_step =
        static_cast<double>(totals_.sweeps) / static_cast<double>(std::max<std::int64_t>(1, totals_.steps));
    const std::vector<std::int64_t> costs =
        tile_costs(communicator_, grid_.count(), work,
                   cost == BalanceCost::counted ? expected_seconds(work, sweeps_a_step) : since);
    const Partition better(costs, communicator_.size());
    const BalanceRecord::Change change{partition_.imbalance(costs), better.imbalance(costs)};
    if (change.before > 1.05 * change.after) {
        partition_ = better;
        ++totals_.balances;
        balance_.add(change);
    }
}

void RigidEngine::add_free_velocity() {
    const Profile::Scope scope(profile_, move_part_);
    const Vec3 kick = setup_.gravity * time_step_;
    for (std::size_t i = 0; i < store_.size(); ++i)
        if (!store_.is_fixed(i))
            store_.body[i].velocity += kick;
}

/// Copies move as their owners do: the same numbers, hence no exchange.
void RigidEngine::move() {
    const Profile::Scope scope(profile_, move_part_);
    double speed = 0, displacement = 0; // squared
    bool finite = true;
    for (std::size_t i = 0; i < store_.size(); ++i) {
        const Vec3& velocity = store_.body[i].velocity;
        store_.sphere[i].centre += velocity * time_step_;
        if (i < store_.owned) {
            const Vec3 moved = store_.sphere[i].centre - store_.reference[i];
            speed = std::max(speed, dot(velocity, velocity));
            displacement = std::max(displacement, dot(moved, moved));
            finite &= std::isfinite(dot(velocity, velocity)); // a maximum may step over a NaN
        }
    }
    local_speed_ = finite ? std::sqrt(speed) : HUGE_VAL;
    local_displacement_ = std::sqrt(displacement);
    double wall_move = 0;
    for (Wall& wall : walls_) {
        wall.point += wall.velocity * time_step_;
        wall_move = std::max(wall_move, norm(wall.velocity) * time_step_);
    }
    wall_displacement_ += wall_move;
}

double RigidEngine::imbalance() const {
    const std::int64_t most = communicator_.max(contacts_.batch_count());
    const std::int64_t total = communicator_.sum(contacts_.batch_count());
    return total > 0 ? static_cast<double>(most) * communicator_.size() / static_cast<double>(total) : 1.0;
}

} // namespace tamp
