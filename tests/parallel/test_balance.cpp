// Tiles are dealt out by what they cost; that makes ranks equal and changes no bit.

#include <gtest/gtest.h>

#include "cases.hpp"
#include "tamp/io/world_state.hpp"
#include "tamp/world/load_balance.hpp"

namespace tamp::test {
namespace {

/// Tiles of a rank, each with the same batches and particles.
std::vector<TileWork> equal_tiles(const Partition& partition, int rank) {
    std::vector<TileWork> work;
    for (int tile = partition.begin(rank); tile < partition.end(rank); ++tile)
        work.push_back({tile, 10, 100});
    return work;
}

TEST(TileCosts, AddUpToTheTimeOfTheirRank) {
    const Communicator world(MPI_COMM_WORLD);
    const int tiles = 12 * world.size();
    const Partition equal(std::vector<std::int64_t>(static_cast<std::size_t>(tiles), 1), world.size());
    const std::vector<TileWork> work = equal_tiles(equal, world.rank());
    const BusySeconds seconds{1e-3 * (1 + world.rank()), 2e-3};
    const std::vector<std::int64_t> costs = tile_costs(world, tiles, work, seconds);
    ASSERT_EQ(costs.size(), static_cast<std::size_t>(tiles));
    for (int rank = 0; rank < world.size(); ++rank)
        for (int tile = equal.begin(rank); tile < equal.end(rank); ++tile)
            EXPECT_NEAR(static_cast<double>(costs[static_cast<std::size_t>(tile)]),
                        (1e6 * (1 + rank) + 2e6) / 12, 1);
    EXPECT_NEAR(equal.imbalance(costs), imbalance_of(world, seconds), 1e-5);
}

/// A node at a third of the speed of the others: its tiles cost three times as much wherever it has measured
/// them, so it gives away tiles until all need the same time.
TEST(TileCosts, MoveWorkAwayFromASlowRank) {
    const Communicator world(MPI_COMM_WORLD);
    if (world.size() == 1)
        GTEST_SKIP() << "one rank has nobody to give tiles to";
    const int tiles = 60 * world.size();
    Partition partition(std::vector<std::int64_t>(static_cast<std::size_t>(tiles), 1), world.size());
    const auto busy = [&] { // as the clock would show
        const double slow = world.rank() == 0 ? 3 : 1;
        const auto mine = static_cast<double>(partition.end(world.rank()) - partition.begin(world.rank()));
        return BusySeconds{slow * mine * 1e-3, slow * mine * 1e-3};
    };
    const double before = imbalance_of(world, busy());
    EXPECT_NEAR(before, 3.0 * world.size() / (world.size() + 2), 1e-9);
    for (int round = 0; round < 8; ++round)
        partition =
            Partition(tile_costs(world, tiles, equal_tiles(partition, world.rank()), busy()), world.size());
    EXPECT_LT(imbalance_of(world, busy()), 1.1);
}

TEST(TileCosts, RanksWithoutTilesOrTimeAreNoProblem) {
    const Communicator world(MPI_COMM_WORLD);
    EXPECT_EQ(tile_costs(world, 3, {}, {1, 1}), std::vector<std::int64_t>(3, 0));
    EXPECT_EQ(imbalance_of(world, {}), 1.0);
    EXPECT_EQ(expected_seconds({}, 10).sum(), 0.0);
    const std::vector<TileWork> no_contacts{{1, 0, 5}};
    const std::vector<std::int64_t> costs = tile_costs(Communicator(MPI_COMM_SELF), 3, no_contacts, {1, 1});
    EXPECT_EQ(costs, (std::vector<std::int64_t>{0, 2'000'000'000, 0}));
}

/// All particles are in one corner of a box that is cut into many more tiles, and fly to the other one.
RankCase corner() {
    RankCase result = start_case(make_box(24, 24, 24, {walled, walled, walled}), 12);
    GeneratorSettings settings = spheres(result.setup.box, 400, 0.1);
    settings.upper = {9 * diameter, 9 * diameter, 12 * diameter};
    settings.velocity = {1.2, 0.8, 0.5};
    fill(result, settings);
    result.steps = 160;
    return result;
}

struct Outcome {
    std::string hash;
    LoadBalanceRecord balance;
    std::int64_t sweeps;
};

Outcome run(const Communicator& communicator, RankCase settings, LoadCost cost) {
    settings.setup.neighbours.load_balance = cost;
    settings.setup.neighbours.skin = 0.1 * diameter; // many searches
    RigidRun engine(communicator, settings.setup, settings.grains);
    for (int step = 0; step < settings.steps; ++step)
        engine.step(1e9);
    EXPECT_EQ(engine.world.load_balance().count, engine.totals().balances);
    return {state_hash(engine.world).text(), engine.world.load_balance(), engine.totals().sweeps};
}

class BalanceOfCases : public testing::TestWithParam<RankCase (*)()> {};

TEST_P(BalanceOfCases, ChangesNoBit) {
    const Communicator world(MPI_COMM_WORLD);
    const RankCase settings = GetParam()();
    const Outcome never = run(world, settings, LoadCost::never);
    const Outcome counted = run(world, settings, LoadCost::counted);
    const Outcome measured = run(world, settings, LoadCost::measured);
    EXPECT_EQ(never.balance.count, 0);
    EXPECT_EQ(counted.hash, never.hash);
    EXPECT_EQ(measured.hash, never.hash);
    EXPECT_EQ(counted.sweeps, never.sweeps);
    EXPECT_EQ(counted.balance.count > 0, world.size() > 1) << "one rank has nobody to give tiles to";
}

/// Of what is counted: no clock decides about this test.
TEST_P(BalanceOfCases, EvensOut) {
    const Communicator world(MPI_COMM_WORLD);
    if (world.size() == 1)
        GTEST_SKIP() << "one rank has nobody to give tiles to";
    const Outcome counted = run(world, GetParam()(), LoadCost::counted);
    ASSERT_GT(counted.balance.count, 0);
    for (const auto& change : {counted.balance.first, counted.balance.last}) {
        EXPECT_GT(change.before, 1.05 * change.after);
        EXPECT_GE(change.after, 1.0);
    }
    if (world.size() <= 4) { // more ranks than these few tiles can be dealt out to evenly
        EXPECT_LT(counted.balance.first.after, 1.5);
    }
}

INSTANTIATE_TEST_SUITE_P(Uneven, BalanceOfCases, testing::Values(corner, falling),
                         [](const auto& one) { return one.index == 0 ? "corner" : "falling"; });

TEST(Balance, OfABlockRunIsCounted) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = corner();
    EXPECT_EQ(RigidRun(world, settings.setup, settings.grains).world.load_cost(), LoadCost::measured);
    settings.setup.solver.scheme = SweepScheme::block;
    EXPECT_EQ(RigidRun(world, settings.setup, settings.grains).world.load_cost(), LoadCost::counted);
    settings.setup.neighbours.load_balance = LoadCost::never;
    EXPECT_EQ(RigidRun(world, settings.setup, settings.grains).world.load_cost(), LoadCost::never);
}

} // namespace
} // namespace tamp::test
