#include "tamp/solver/sweeper.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "tamp/base/random.hpp"

namespace tamp {

Sweeper::Sweeper(std::uint64_t seed, Profile& profile, int full_sharers)
    : seed_(seed), full_sharers_(full_sharers), profile_(profile), sweep_part_(profile.part("sweeps")),
      exchange_part_(profile.part("exchange")), waiting_part_(profile.part("waiting")) {}

void Sweeper::begin(const SolveTask& task) {
    task_ = &task;
    step_key_ = mix(static_cast<std::uint64_t>(task.step) + 1);
    prepare_damping();
    if (BlockExchange* block = task.exchange.block())
        block->begin(task.bodies);
    list_pushed();
}

/// Where nobody pushes a body, its velocity stays. What is sent to others must be what they have themselves;
/// and in the block scheme all holders add up changes, so that none may be left out.
void Sweeper::list_pushed() {
    pushed_.clear();
    const PhaseExchange& exchange = task_->exchange;
    is_pushed_.assign(task_->bodies.size(), exchange.block() ? 1 : 0);
    for (int phase = 0; phase < exchange.phases() && !exchange.block(); ++phase)
        for (const NeighbourExchange::Message& message : exchange.outgoing(phase))
            for (const std::int32_t body : message.items)
                is_pushed_[static_cast<std::size_t>(body)] = 1;
    for (const ContactBatch& batch : task_->contacts.batches(exchange.tile_order()))
        for (int lane = 0; lane < lanes; ++lane) {
            is_pushed_[static_cast<std::size_t>(batch.first[lane])] = 1;
            is_pushed_[static_cast<std::size_t>(batch.second[lane])] = 1;
        }
    for (const WallBatch& batch : task_->wall_batches())
        for (int lane = 0; lane < lanes; ++lane)
            is_pushed_[static_cast<std::size_t>(batch.body[lane])] = 1;
    for (std::size_t i = 0; i < is_pushed_.size(); ++i)
        if (is_pushed_[i])
            pushed_.push_back(static_cast<std::int32_t>(i));
}

/// The rows that the sweeper keeps beside `batches`, which lie in `all`.
template <class Batch>
LawBatches Sweeper::with_rows_beside(LawBatches rows, std::span<Batch> batches, std::span<Batch> all,
                                     Beside& beside) {
    if (batches.empty())
        return rows;
    const auto first = static_cast<std::size_t>(&batches[0] - &all[0]);
    if (first < beside.damping.size())
        rows.damping = beside.damping.data() + first;
    if (with_momentum_) {
        rows.earlier = beside.impulses.data() + first;
        if (task_->laws.set.torques)
            rows.earlier_torque = beside.torques.data() + first;
    }
    return rows;
}

/// All holders of a body do the same to it.
void Sweeper::begin_momentum(double momentum) {
    const Profile::Scope scope(profile_, sweep_part_);
    const auto make_room = [](auto& rows, std::size_t count) {
        if (rows.size() < count) // what is in there before the first sweep is never used
            rows.resize(count + count / 8);
    };
    const std::size_t pairs = task_->contacts.batches(task_->exchange.tile_order()).size(),
                      walls = task_->wall_batches().size();
    make_room(beside_pairs_.impulses, pairs);
    make_room(beside_walls_.impulses, walls);
    if (task_->laws.set.torques) {
        make_room(beside_pairs_.torques, pairs);
        make_room(beside_walls_.torques, walls);
    }
    make_room(earlier_bodies_, task_->bodies.size());
    advance(task_->bodies, earlier_bodies_, pushed_, momentum);
    if (BlockExchange* block = task_->exchange.block(); block && momentum != 0)
        block->begin(task_->bodies); // others did the same to their copies: no change to tell
}

ExactSum Sweeper::sweep_with_momentum(SweepPass pass, int number, std::span<const WallState> walls,
                                      double momentum) {
    with_momentum_ = true;
    momentum_ = momentum;
    change_ = {};
    begin_momentum(momentum);
    sweep(pass, number, walls);
    with_momentum_ = false;
    return change_;
}

void Sweeper::sweep(SweepPass pass, int number, std::span<const WallState> walls) {
    walls_ = walls;
    sweep_key_ = mix(step_key_ + static_cast<std::uint64_t>(number));
    std::array<int, 8> phases{};
    const auto count = static_cast<std::size_t>(task_->exchange.phases());
    const std::span order(phases.data(), count);
    std::iota(order.begin(), order.end(), 0);
    if (pass == SweepPass::backward)
        std::reverse(order.begin(), order.end());
    if (pass == SweepPass::shuffled) {
        Random random(seed_, sweep_key_, Purpose::order);
        for (std::size_t i = count; i > 1; --i)
            std::swap(phases[i - 1], phases[random.below(i)]);
    }
    if (task_->exchange.block())
        sweep_block(order, pass);
    else
        for (const int phase : order)
            run_phase(phase, pass);
}

/// Boundary tiles first, whatever the pass: messages travel while the interior is relaxed. On one rank all
/// tiles are interior, and the sweep is that of phases.
void Sweeper::sweep_block(std::span<const int> phases, SweepPass pass) {
    PhaseExchange& exchange = task_->exchange;
    BlockExchange& block = *exchange.block();
    {
        const Profile::Scope scope(profile_, sweep_part_);
        for (const int phase : phases)
            relax_tiles(exchange.boundary_tiles(phase), pass);
    }
    {
        const Profile::Scope scope(profile_, exchange_part_);
        block.start(task_->bodies);
    }
    {
        const Profile::Scope scope(profile_, sweep_part_);
        for (const int phase : phases)
            relax_tiles(exchange.interior_tiles(phase), pass);
    }
    const Profile::Scope scope(profile_, exchange_part_);
    {
        const Profile::Scope waiting(profile_, waiting_part_);
        block.wait();
    }
    block.take(task_->bodies);
}

void Sweeper::run_phase(int phase, SweepPass pass) {
    PhaseExchange& exchange = task_->exchange;
    {
        const Profile::Scope scope(profile_, sweep_part_);
        relax_tiles(exchange.boundary_tiles(phase), pass);
    }
    {
        const Profile::Scope scope(profile_, exchange_part_);
        exchange.start(phase, task_->bodies);
    }
    {
        const Profile::Scope scope(profile_, sweep_part_);
        relax_tiles(exchange.interior_tiles(phase), pass);
    }
    const Profile::Scope scope(profile_, exchange_part_);
    {
        const Profile::Scope waiting(profile_, waiting_part_);
        exchange.wait(phase);
    }
    exchange.take(phase, task_->bodies);
}

/// Rows beside the batches of boundary tiles, if a body has more sharers than may push it in full.
void Sweeper::prepare_damping() {
    beside_pairs_.damping.clear();
    beside_walls_.damping.clear();
    const PhaseExchange& exchange = task_->exchange;
    const BlockExchange* block = exchange.block();
    if (!block || block->most_sharers() <= full_sharers_)
        return;
    const auto share = [&](std::int32_t body) { // a body that never moves is no tie between its contacts
        return task_->bodies[static_cast<std::size_t>(body)].inverse_mass > 0
                   ? std::min(1.0, static_cast<double>(full_sharers_) / block->sharers(body))
                   : 1.0;
    };
    for (int phase = 0; phase < exchange.phases(); ++phase)
        for (const int slot : exchange.boundary_tiles(phase)) {
            for (const ContactBatch& batch : task_->contacts.batches(slot)) {
                DampingBatch& row = beside_pairs_.damping.emplace_back();
                for (int lane = 0; lane < lanes; ++lane)
                    row.share[lane] = std::min(share(batch.first[lane]), share(batch.second[lane]));
            }
            for (const WallBatch& batch : task_->contacts.wall_batches(slot)) {
                DampingBatch& row = beside_walls_.damping.emplace_back();
                for (int lane = 0; lane < lanes; ++lane)
                    row.share[lane] = share(batch.body[lane]);
            }
        }
}

/// The tiles share no body, so their batches may be taken as one row; but sums go tile by tile, so that they
/// do not depend on which tiles a rank has.
void Sweeper::relax_tiles(std::span<const int> slots, SweepPass pass) {
    if (!with_momentum_) {
        relax_run(slots, pass);
        return;
    }
    for (std::size_t i = 0; i < slots.size(); ++i)
        change_.add(relax_run(slots.subspan(i, 1), pass));
}

/// Returns |change|^2 where there is momentum.
double Sweeper::relax_run(std::span<const int> slots, SweepPass pass) {
    const std::span<Body> bodies = task_->bodies;
    ContactSet& contacts = task_->contacts;
    KernelLaws laws = task_->laws;
    laws.momentum = momentum_;
    const std::span<ContactBatch> batches = contacts.batches(slots);
    const std::span<WallBatch> wall_batches = contacts.wall_batches(slots);
    const std::span<ContactBatch> all = contacts.batches(task_->exchange.tile_order());
    const LawBatches rows = with_rows_beside(contacts.law_batches(slots), batches, all, beside_pairs_);
    const LawBatches wall_rows = with_rows_beside(contacts.wall_law_batches(slots), wall_batches,
                                                  task_->wall_batches(), beside_walls_);
    double change = 0;
    switch (pass) {
    case SweepPass::apply:
        apply(bodies, batches, laws, rows);
        apply_walls(bodies, wall_batches, laws, wall_rows);
        return 0;
    case SweepPass::forward:
        change = relax(bodies, batches, laws, rows);
        break;
    case SweepPass::backward: // the forward pass from its end to its beginning
        change = relax_walls_backward(bodies, wall_batches, walls_, laws, wall_rows);
        return change + relax_backward(bodies, batches, laws, rows);
    case SweepPass::shuffled:
        for (const int slot : slots) {
            const std::span<ContactBatch> one = contacts.batches(slot);
            shuffle_batches(slot, one.size());
            change += relax_in_order(bodies, one, order_, laws,
                                     with_rows_beside(contacts.law_batches(slot), one, all, beside_pairs_));
        }
        break;
    }
    return change + relax_walls(bodies, wall_batches, walls_, laws, wall_rows);
}

void Sweeper::shuffle_batches(int slot, std::size_t count) {
    Random random(seed_, sweep_key_ + 1 + static_cast<std::uint64_t>(task_->tiles.tile(slot)),
                  Purpose::order);
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    for (std::size_t i = count; i > 1; --i)
        std::swap(order_[i - 1], order_[random.below(i)]);
}

} // namespace tamp
