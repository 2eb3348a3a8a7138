// The promise of tamp: the same bits on any number of ranks. Every case of the table runs on all ranks, and
// on rank 0 alone; what comes out must be equal, so all numbers of ranks agree with one another.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "look.hpp"

namespace tamp::test {
namespace {

Vec3 momentum_of(const EngineRun& engine) {
    std::array<ExactSum, 3> sums;
    const ParticleStore& store = engine.store();
    for (std::size_t i = 0; i < store.owned; ++i)
        for (int axis = 0; axis < 3; ++axis)
            sums[static_cast<std::size_t>(axis)].add(store.mass(i) * store.body[i].velocity[axis]);
    engine.communicator().sum(std::span<ExactSum>(sums));
    return {sums[0].value(), sums[1].value(), sums[2].value()};
}

/// A run and, on the side, what it went through.
struct Trace {
    std::vector<Look> looks;
    std::int64_t travelled = 0, balances = 0, particles = 0, idle_ranks = 0, contacts = 0;
    Vec3 momentum_before{0, 0, 0}, momentum_after{0, 0, 0};
    int tiles_before = 0, tiles_after = 0;
};

Trace run(const Communicator& communicator, const RankCase& settings) {
    Trace trace;
    StateHash reports;
    std::set<std::uint64_t> known;
    std::int64_t travelled = 0;
    EngineRun engine(communicator, settings.setup, settings.grains);
    trace.momentum_before = momentum_of(engine);
    trace.tiles_before = engine.world.neighbours.grid().count();
    for (int step = 0; step < settings.steps; ++step) {
        const StepReport report = make_step(engine, settings, step, reports);
        trace.contacts = std::max(trace.contacts, report.contacts);
        const ParticleStore& store = engine.store();
        if (report.searched) {
            const std::set<std::uint64_t> before = std::exchange(
                known, {store.id.begin(), store.id.begin() + static_cast<std::ptrdiff_t>(store.owned)});
            if (engine.totals().searches > 1)
                for (const std::uint64_t id : known)
                    travelled += before.contains(id) ? 0 : 1;
        }
        if (is_looked_at(step, settings))
            trace.looks.push_back(look_at(engine, reports));
    }
    trace.travelled = communicator.sum(travelled);
    trace.balances = engine.totals().balances;
    trace.particles = communicator.sum(static_cast<std::int64_t>(engine.store().owned));
    trace.idle_ranks = communicator.sum(std::int64_t{engine.store().owned == 0});
    trace.momentum_after = momentum_of(engine);
    trace.tiles_after = engine.world.neighbours.grid().count();
    return trace;
}

/// Stops at the first difference: what follows differs too.
void expect_same(const std::vector<Look>& looks, const std::vector<Look>& expected, int ranks) {
    ASSERT_EQ(looks.size(), expected.size());
    for (std::size_t i = 0; i < looks.size(); ++i)
        ASSERT_EQ(looks[i], expected[i])
            << "on " << ranks << " ranks, look " << i << " (every " << steps_between_looks << " steps)";
}

class RankInvariance : public testing::TestWithParam<NamedCase> {};

TEST_P(RankInvariance, SameBitsAsOnOneRank) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = GetParam().make();
    settings.setup.energy_budget = settings.follows_energy;
    const Trace trace = run(world, settings);
    expect_same(trace.looks, reference(world, GetParam(), settings), world.size());

    const Promise& promise = GetParam().promise;
    const Look& last = trace.looks.back();
    EXPECT_GT(trace.contacts, 0);
    EXPECT_GT(last.searches, promise.searches);
    EXPECT_EQ(last.lost > 0, promise.loss) << last.lost;
    EXPECT_EQ(trace.particles, static_cast<std::int64_t>(settings.grains.size()) - last.lost);
    const bool parallel = world.size() > 1;
    EXPECT_TRUE(trace.travelled > 0 || !(promise.travel && parallel)) << "no particle changed its rank";
    EXPECT_TRUE(trace.balances > 0 || !(promise.balance && parallel)) << "no tile changed its rank";
    EXPECT_TRUE(trace.idle_ranks > 0 || !(promise.idle && world.size() > 5)) << "every rank owns a particle";
    EXPECT_EQ(trace.tiles_after < trace.tiles_before, promise.tiles)
        << trace.tiles_before << " tiles at the start, " << trace.tiles_after << " at the end";
    if (promise.closed) {
        double scale = 0; // of all momenta, were they to point the same way
        for (const Grain& grain : settings.grains)
            scale += grain_volume(grain.radius, settings.setup.box.dimension) * 2500 * norm(grain.velocity);
        EXPECT_LT(norm(trace.momentum_after - trace.momentum_before), 1e-13 * scale);
    }
}

/// Other numbers of ranks at the same time, whose ranks do not follow one another: 3 and 5 of 8.
TEST_P(RankInvariance, SameBitsOnPartsOfTheRanks) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = GetParam().make();
    settings.setup.energy_budget = settings.follows_energy;
    if (world.size() < 3)
        GTEST_SKIP() << "of fewer than 3 ranks, every part is one rank";
    if (settings.grains.size() > 600)
        GTEST_SKIP()
            << "more than 600 particles: takes too long here, and the other test runs it on all ranks";
    MPI_Comm raw = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank() % 3 == 0, world.rank(), &raw);
    {
        const Communicator part(raw);
        expect_same(run(part, settings).looks, reference(world, GetParam(), settings), part.size());
    }
    MPI_Comm_free(&raw);
}

INSTANTIATE_TEST_SUITE_P(Cases, RankInvariance, testing::ValuesIn(rank_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

/// The hash sees what it should: these are different runs, and must not look alike.
TEST(RankInvarianceItself, SeesOtherSeedAndOtherPosition) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = random_order();
    settings.steps = 30;
    const Look first = run(world, settings).looks.back();
    EXPECT_EQ(run(world, settings).looks.back(), first);
    settings.setup.seed += 1;
    EXPECT_NE(run(world, settings).looks.back().state, first.state) << "another order of contacts";
    settings.setup.seed -= 1;
    settings.grains[3].position.x = std::nextafter(settings.grains[3].position.x, 1.0);
    EXPECT_NE(run(world, settings).looks.back().state, first.state) << "one bit of one position";
}

TEST(RankInvarianceItself, FollowingTheEnergyChangesNoBit) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = random_order();
    settings.steps = 30;
    const Look plain = run(world, settings).looks.back();
    settings.setup.energy_budget = true;
    const Look followed = run(world, settings).looks.back();
    EXPECT_EQ(followed.state, plain.state);
    EXPECT_EQ(followed.reports, plain.reports);
    EXPECT_NE(followed.energy, plain.energy);
}

/// Soft contacts remember more while their energy is followed, so that hashes of the state differ.
TEST(RankInvarianceItself, FollowingTheEnergyMovesNoSoftGrain) {
    const Communicator alone(MPI_COMM_SELF); // so that particles keep their places
    for (const auto make : {soft_grains<stages>, soft_laws_of<all_laws_of_spheres>, far_laws}) {
        std::vector<std::vector<Grain>> ends;
        for (const bool follow : {false, true}) {
            RankCase settings = make();
            settings.setup.energy_budget = follow;
            EngineRun run(alone, settings.setup, settings.grains);
            for (int step = 0; step < 100; ++step)
                run.step(1e9);
            std::vector<Grain> grains;
            for (std::size_t i = 0; i < run.store().owned; ++i)
                grains.push_back(run.store().grain(i));
            ends.push_back(grains);
        }
        ASSERT_EQ(ends[0].size(), ends[1].size());
        for (std::size_t i = 0; i < ends[0].size(); ++i) {
            EXPECT_EQ(ends[0][i].position, ends[1][i].position);
            EXPECT_EQ(ends[0][i].velocity, ends[1][i].velocity);
            EXPECT_EQ(ends[0][i].spin, ends[1][i].spin);
        }
    }
}

} // namespace
} // namespace tamp::test
