#include "tamp/solver/sweeper.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bed.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

struct Sweeps {
    Profile profile;
    Sweeper sweeper{7, profile};

    void run(Bed& bed, std::initializer_list<SweepPass> passes, std::int64_t step = 0) {
        const SolveTask task = bed.task(step);
        const std::vector<WallState> walls = bed.wall_states();
        sweeper.begin(task);
        int number = 0;
        for (const SweepPass pass : passes)
            sweeper.sweep(pass, number++, walls);
    }
};

/// The tiles of a phase, one after the other.
template <class Action>
void by_hand(Bed& bed, std::vector<int> phases, Action&& action) {
    const SolveTask task = bed.task();
    for (const int phase : phases) {
        for (const int slot : task.exchange.boundary_tiles(phase))
            action(task, slot);
        for (const int slot : task.exchange.interior_tiles(phase))
            action(task, slot);
    }
}

TEST(Sweeper, ForwardTakesPhaseByPhaseAndWallsLast) {
    Bed bed, expected;
    ASSERT_GT(bed.contacts.pair_count(), 300);
    ASSERT_GT(bed.contacts.wall_count(), 20);
    Sweeps().run(bed, {SweepPass::forward});
    const std::vector<WallState> walls = expected.wall_states();
    by_hand(expected, {0, 1, 2, 3, 4, 5, 6, 7}, [&](const SolveTask& task, int slot) {
        relax(task.bodies, task.contacts.batches(slot), task.laws);
        relax_walls(task.bodies, task.contacts.wall_batches(slot), walls, task.laws);
    });
    EXPECT_TRUE(same_bits(bed, expected));
}

TEST(Sweeper, BackwardIsForwardFromItsEnd) {
    Bed bed, expected, forward;
    Sweeps().run(bed, {SweepPass::backward});
    const std::vector<WallState> walls = expected.wall_states();
    by_hand(expected, {7, 6, 5, 4, 3, 2, 1, 0}, [&](const SolveTask& task, int slot) {
        relax_walls_backward(task.bodies, task.contacts.wall_batches(slot), walls, task.laws);
        relax_backward(task.bodies, task.contacts.batches(slot), task.laws);
    });
    EXPECT_TRUE(same_bits(bed, expected));
    Sweeps().run(forward, {SweepPass::forward});
    EXPECT_FALSE(same_bits(bed, forward));
}

TEST(Sweeper, ApplyGivesBodiesTheImpulsesAndNoMore) {
    Bed bed;
    const auto momentum = [&] {
        Vec3 sum{0, 0, 0};
        for (const Body& body : bed.bodies)
            if (body.inverse_mass > 0)
                sum += body.velocity * (1 / body.inverse_mass);
        return sum;
    };
    Vec3 expected = momentum();
    for (const WallBatch& batch : bed.task().wall_batches()) // those of pairs cancel
        for (int lane = 0; lane < lanes; ++lane)
            expected += lane_of(batch.impulse, lane);
    Bed before;
    Sweeps().run(bed, {SweepPass::apply});
    EXPECT_LT(norm(momentum() - expected), 1e-9 * norm(expected));
    EXPECT_FALSE(same_bits(bed, before));
    before.bodies = bed.bodies;
    EXPECT_TRUE(same_bits(bed, before)) << "impulses stay";
}

TEST(Sweeper, ShufflesByStepAndSweep) {
    Bed one, again, other_step, other_sweep, in_order;
    Sweeps().run(one, {SweepPass::shuffled});
    Sweeps().run(again, {SweepPass::shuffled});
    EXPECT_TRUE(same_bits(one, again));
    Sweeps().run(other_step, {SweepPass::shuffled}, 1);
    EXPECT_FALSE(same_bits(one, other_step));
    Sweeps().run(in_order, {SweepPass::forward});
    EXPECT_FALSE(same_bits(one, in_order));

    Sweeps sweeps; // from the same state as sweep 0, but as sweep 1
    const SolveTask task = other_sweep.task();
    sweeps.sweeper.begin(task);
    sweeps.sweeper.sweep(SweepPass::shuffled, 1, other_sweep.wall_states());
    EXPECT_FALSE(same_bits(one, other_sweep));
}

TEST(Sweeper, BlockRhythmOnOneRankIsThatOfPhases) {
    using enum SweepPass;
    Bed phases, block(ExchangeRhythm::sweep);
    ASSERT_NE(block.task().exchange.block(), nullptr);
    Sweeps one, two;
    one.run(phases, {apply, forward, backward, shuffled});
    two.run(block, {apply, forward, backward, shuffled});
    EXPECT_TRUE(same_bits(phases, block));
    EXPECT_TRUE(two.sweeper.damping().empty()) << "nobody shares a body";
}

TEST(Sweeper, SweepsConverge) {
    Bed bed;
    Sweeps sweeps;
    const SolveTask task = bed.task();
    const std::vector<WallState> walls = bed.wall_states();
    const std::span<const int> order = task.exchange.tile_order();
    sweeps.sweeper.begin(task);
    sweeps.sweeper.sweep(SweepPass::apply, 0, walls);
    const auto distance = [&] {
        return residual(task.bodies, task.contacts.batches(order), task.laws).residual +
               residual_walls(task.bodies, task.wall_batches(), walls, task.laws).residual;
    };
    const double before = distance();
    for (int i = 0; i < 300; ++i)
        sweeps.sweeper.sweep(SweepPass::forward, i, walls);
    EXPECT_LT(distance(), 1e-3 * before);
}

} // namespace
