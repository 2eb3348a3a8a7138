#include <gtest/gtest.h>

#include <cmath>

#include "chain.hpp"
#include "scaling_model/sweep_model.hpp"

namespace tamp::test {
namespace {

const WaitingRhythm every_sweep{.sweeps_a_look = 1, .walls = 0};

Machine silent() {
    return {.latency = 0,
            .bandwidth = HUGE_VAL,
            .inner_latency = 0,
            .inner_bandwidth = HUGE_VAL,
            .message_overhead = 0,
            .body_seconds = 0};
}

/// Every rank has the same work in every phase, and writes to the next.
SweepLoad ring(int ranks, std::int64_t boundary, std::int64_t interior, std::int64_t bodies) {
    SweepLoad load(static_cast<std::size_t>(ranks), RankLoad(8, {boundary, interior, {}}));
    for (int rank = 0; rank < ranks && ranks > 1; ++rank)
        for (PhaseLoad& phase : load[static_cast<std::size_t>(rank)])
            phase.sends = {{(rank + 1) % ranks, bodies}};
    return load;
}

TEST(SweepModel, PerfectBalanceAndFreeMessagesLoseNothing) {
    for (const int ranks : {2, 64, 100}) {
        const SweepTime time = predict_sweep(ring(ranks, 30, 70, 500), silent(), {});
        EXPECT_NEAR(time.efficiency(), 1.0, 1e-14) << ranks;
        EXPECT_NEAR(time.total(), 8 * 100 * 100e-9, 1e-18) << ranks;
    }
}

TEST(SweepModel, OneRankLosesNothing) {
    const SweepTime time = predict_sweep(ring(1, 0, 100, 0), Machine{}, {.walls = 3, .pistons = 2});
    EXPECT_NEAR(time.efficiency(), 1.0, 1e-14);
    EXPECT_NEAR(time.total(), 8 * 100 * 100e-9, 1e-18);
    EXPECT_DOUBLE_EQ(phase_imbalance(ring(1, 0, 100, 0)), 1.0);
}

TEST(SweepModel, TwoRanksByHand) {
    constexpr double batch = 100e-9, latency = 3e-6, bandwidth = 1e8, overhead = 2e-7, body = 3e-8;
    const Machine machine{.batch_seconds = {{1, batch}},
                          .ranks_a_node = 1,
                          .latency = latency,
                          .bandwidth = bandwidth,
                          .message_overhead = overhead,
                          .body_seconds = body};
    // Phase 0: the second rank relaxes, packs and sends; the first one was ready long before.
    const double first = 2 * batch + overhead + 2 * body + latency + 96 / bandwidth + 2 * body;
    // Phase 1: the first rank relaxes, packs and sends the sphere back.
    const double second = first + 2 * batch + overhead + body + latency + 48 / bandwidth + body;
    // Then they look: seven sums of 560 bytes and two maxima go through one stage.
    const double look = 2 * (latency + 2 * overhead) + (7 * 560 + 2 * 8) / bandwidth;
    const SweepTime time = predict_sweep(chain_on_two_ranks(), machine, every_sweep);
    EXPECT_NEAR(time.total(), second + look, 1e-16);
    EXPECT_NEAR(time.reductions, look, 1e-16);
    EXPECT_NEAR(time.computing, 3.5 * batch, 1e-18);
    // With free messages the second rank still waits for tile 1, which takes two batches.
    EXPECT_NEAR(time.imbalance, 0.5 * batch, 1e-18);
    EXPECT_NEAR(phase_imbalance(chain_on_two_ranks()), 4 / 3.5, 1e-15);
}

TEST(SweepModel, InteriorTilesCoverTransfers) {
    constexpr double batch = 1e-6;
    Machine machine = silent();
    machine.batch_seconds = {{1, batch}};
    machine.ranks_a_node = 4;
    machine.inner_latency = 5e-6;
    EXPECT_NEAR(predict_sweep(ring(4, 1, 5, 1), machine, every_sweep).exchange, 0, 1e-16);
    EXPECT_NEAR(predict_sweep(ring(4, 1, 3, 1), machine, every_sweep).exchange, 8 * 2e-6, 1e-16);
    machine.overlap = 0;
    EXPECT_NEAR(predict_sweep(ring(4, 1, 5, 1), machine, every_sweep).exchange, 8 * 5e-6, 1e-16);
    machine.overlap = 0.6;
    EXPECT_NEAR(predict_sweep(ring(4, 1, 5, 1), machine, every_sweep).exchange, 8 * 2e-6, 1e-16);
}

TEST(SweepModel, RanksOfANodeShareItsLink) {
    Machine machine = silent();
    machine.batch_seconds = {{1, 0.0}};
    machine.ranks_a_node = 2;
    machine.bandwidth = 96e6;
    machine.inner_bandwidth = 480e6;
    // The door of a node passes 48 bytes in 0.5 us, eight times a sweep; inside they take 0.1 us.
    EXPECT_NEAR(predict_sweep(ring(4, 1, 0, 1), machine, every_sweep).exchange, 8 * 0.5e-6, 1e-15);
    SweepLoad across(4, RankLoad(8));
    across[0][3].sends = {{2, 1}};
    across[1][3].sends = {{3, 1}}; // the second through the door
    EXPECT_NEAR(predict_sweep(across, machine, every_sweep).exchange, 2 * 0.5e-6, 1e-15);
    machine.ranks_a_node = 1; // a door each
    EXPECT_NEAR(predict_sweep(across, machine, every_sweep).exchange, 0.5e-6, 1e-15);
    machine.ranks_a_node = 4; // nobody leaves the node
    EXPECT_NEAR(predict_sweep(ring(4, 1, 0, 1), machine, every_sweep).exchange, 8e-7, 1e-15);
}

/// Without messages in between, ranks that are late in different phases do not wait for each other before the
/// next reduction: only pistons make them, once a sweep.
TEST(SweepModel, RanksWaitForAllOnlyWhereTheyReduce) {
    SweepLoad load(2, RankLoad(8));
    load[0][0].interior_batches = 10;
    load[1][5].interior_batches = 10;
    EXPECT_NEAR(predict_sweep(load, silent(), {.sweeps_a_look = 4}).efficiency(), 1, 1e-14);
    EXPECT_DOUBLE_EQ(phase_imbalance(load), 2);
    // A message from the first rank before phase 5 makes the second one wait for it in every sweep.
    load[0][0].sends = {{1, 1}};
    EXPECT_NEAR(predict_sweep(load, silent(), {.sweeps_a_look = 1}).efficiency(), 1, 1e-14); // sent before
    load[0][0] = {10, 0, {{1, 1}}};
    EXPECT_NEAR(predict_sweep(load, silent(), {.sweeps_a_look = 1}).efficiency(), 0.5, 1e-14);
    // Later sweeps of the first rank run while the second relaxes.
    EXPECT_NEAR(predict_sweep(load, silent(), {.sweeps_a_look = 4}).efficiency(), 4 / 5.0, 1e-14);
    EXPECT_NEAR(predict_sweep(load, silent(), {.sweeps_a_look = 4, .pistons = 1}).efficiency(), 0.5, 1e-14);
}

TEST(SweepModel, ReductionsAreTreesOfNodes) {
    const Machine machine{.ranks_a_node = 64,
                          .latency = 2,
                          .bandwidth = 8,
                          .inner_latency = 1,
                          .inner_bandwidth = 4,
                          .message_overhead = 0.5};
    const double inner = 1 + 1 + 8 / 4.0, outer = 2 + 1 + 8 / 8.0;
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(1, 8), 0);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(2, 8), inner);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(33, 8), 6 * inner);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(64, 8), 6 * inner);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(65, 8), 6 * inner + outer);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(4096, 8), 6 * inner + 6 * outer);
    EXPECT_DOUBLE_EQ(machine.reduction_seconds(100'000, 8), 6 * inner + 11 * outer);
}

TEST(SweepModel, CachesMakeSmallSharesFaster) {
    const Machine machine{.batch_seconds = {{100, 1.0}, {10'000, 3.0}}};
    EXPECT_DOUBLE_EQ(machine.seconds_of_batches(2, 10), 2 * 1.0);
    EXPECT_DOUBLE_EQ(machine.seconds_of_batches(2, 100), 2 * 1.0);
    EXPECT_NEAR(machine.seconds_of_batches(2, 1000), 2 * 2.0, 1e-12);
    EXPECT_DOUBLE_EQ(machine.seconds_of_batches(2, 1'000'000), 2 * 3.0);
}

TEST(SweepModel, ExtrapolatesLines) {
    EXPECT_DOUBLE_EQ(extrapolate({{1, 3}, {2, 5}, {4, 9}}, 10), 21);
    EXPECT_DOUBLE_EQ(extrapolate({{1, 3}}, 10), 3);
    EXPECT_DOUBLE_EQ(extrapolate({{0, 0}, {1, 1}, {2, 0}}, 7), 1.0 / 3);
}

} // namespace
} // namespace tamp::test
