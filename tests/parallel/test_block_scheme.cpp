// The block scheme depends on the number of ranks, but not on anything else; it conserves momentum, and what
// it converges to is what the phases converge to.

#include <gtest/gtest.h>

#include <map>

#include "cases.hpp"
#include "cloud.hpp"
#include "tamp/io/world_state.hpp"

namespace tamp::test {
namespace {

constexpr double for_ever = 1e9;

RankCase with_scheme(RankCase settings, SweepScheme scheme = SweepScheme::block) {
    settings.setup.solver.scheme = scheme;
    return settings;
}

/// The momentum of all particles, and what it would be if they all went the same way.
struct Momentum {
    Vec3 sum;
    double scale;
};

Momentum momentum_of(const RigidRun& engine) {
    std::array<ExactSum, 4> sums;
    const ParticleStore& store = engine.store();
    for (std::size_t i = 0; i < store.owned; ++i) {
        const Vec3 momentum = store.mass(i) * store.body[i].velocity;
        for (int axis = 0; axis < 3; ++axis)
            sums[static_cast<std::size_t>(axis)].add(momentum[axis]);
        sums[3].add(norm(momentum));
    }
    engine.communicator().sum(std::span<ExactSum>(sums));
    return {{sums[0].value(), sums[1].value(), sums[2].value()}, sums[3].value()};
}

/// The grains of all ranks, on every rank.
std::vector<Grain> all_grains(const RigidRun& engine) {
    std::map<int, std::vector<Grain>> to;
    for (int rank = 0; rank < engine.communicator().size(); ++rank)
        to[rank] = owned_grains(engine);
    std::vector<Grain> all;
    for (const auto& [rank, grains] : sparse_exchange(engine.communicator(), to))
        all.insert(all.end(), grains.begin(), grains.end());
    std::ranges::sort(all, {}, &Grain::id);
    return all;
}

/// All holders of a particle have its velocity, to the bit.
void expect_copies_like_owners(const RigidRun& engine) {
    using Held = std::array<double, 7>;
    const Communicator& communicator = engine.communicator();
    const ParticleStore& store = engine.store();
    std::vector<Held> mine;
    for (std::size_t i = 0; i < store.size(); ++i) {
        const auto& [v, m, w, r] = store.body[i];
        mine.push_back({static_cast<double>(store.id[i]), v.x, v.y, v.z, w.x, w.y, w.z});
    }
    const auto owned = static_cast<std::size_t>(communicator.sum(static_cast<std::int64_t>(store.owned)));
    std::vector<Held> all = gather_sorted(communicator, mine);
    if (communicator.rank() > 0)
        return;
    EXPECT_EQ(all.size() > owned, communicator.size() > 1) << "no copies";
    all.erase(std::unique(all.begin(), all.end()), all.end());
    EXPECT_EQ(all.size(), owned) << "holders differ after " << engine.totals().steps << " steps";
}

/// A cluster that falls together in open space, or fills a periodic box; with plain friction or all laws.
RankCase cluster(std::uint64_t number) {
    Random random(21, number, Purpose::test);
    const bool flat = number % 4 == 3;
    const Boundary sides = number % 2 == 0 ? open : periodic;
    const Box box = flat ? make_box(24, 24, 0, {sides, sides, open})
                         : make_box(random.uniform(8, 11), 9, 8, {sides, sides, sides});
    RankCase result = number < 4 ? start_case(box, 30) : all_laws(box, 1);
    if (number >= 4)
        result.grains.clear(); // no fixed floor: it would take up momentum
    result.setup.gravity = {0, 0, 0};
    result.setup.walls.clear();
    result.setup.seed = number;
    GeneratorSettings settings = spheres(box, flat ? 150 : 130, 0.3);
    for (int axis = 0; axis < box.dimension; ++axis) { // none leaves an open box
        settings.lower[axis] += 0.15 * box.length(axis);
        settings.upper[axis] -= 0.15 * box.length(axis);
    }
    fill(result, settings);
    const Vec3 middle = 0.5 * (box.lower + box.upper);
    for (Grain& grain : result.grains)
        grain.velocity += 150.0 * (middle - grain.position);
    result.steps = 40;
    return result;
}

class BlockSchemeOfClusters : public testing::TestWithParam<std::tuple<int, SweepMethod>> {};

TEST_P(BlockSchemeOfClusters, ConserveMomentum) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = with_scheme(cluster(static_cast<std::uint64_t>(std::get<int>(GetParam()))));
    settings.setup.solver.method = std::get<SweepMethod>(GetParam());
    RigidRun engine(world, settings.setup, settings.grains);
    const Momentum before = momentum_of(engine);
    std::int64_t contacts = 0;
    int sharers = 1;
    for (int step = 0; step < settings.steps; ++step) {
        contacts += engine.step(for_ever).contacts;
        sharers = std::max(sharers, engine.engine.exchange().block()->most_sharers());
        expect_copies_like_owners(engine);
    }
    const Momentum after = momentum_of(engine);
    EXPECT_GT(contacts, 1000);
    EXPECT_EQ(engine.totals().lost, 0);
    EXPECT_LT(norm(after.sum - before.sum), 1e-13 * before.scale);
    const std::int64_t most = world.max(std::int64_t{sharers});
    if (world.size() > 1) {
        EXPECT_GE(most, 2);
    }
    if (world.size() >= 4) {
        EXPECT_GT(most, 2) << "nothing was damped";
    }
}

INSTANTIATE_TEST_SUITE_P(Random, BlockSchemeOfClusters,
                         testing::Combine(testing::Range(0, 8),
                                          testing::Values(SweepMethod::plain, SweepMethod::ratio)));

std::string run(const Communicator& communicator, const RankCase& settings) {
    RigidRun engine(communicator, settings.setup, settings.grains);
    for (int step = 0; step < settings.steps; ++step) {
        if (settings.before_step)
            settings.before_step(step, engine.walls());
        engine.step(for_ever);
    }
    return state_hash(engine.world).text();
}

/// Tiles change hands in `falling`: by what is counted, since a clock would make every run another one.
TEST(BlockScheme, GivesTheSameBitsWhenRunTwice) {
    const Communicator world(MPI_COMM_WORLD);
    for (RankCase (*make)() : {random_order, all_laws_of_spheres, falling, with_ratio<all_laws_of_spheres>,
                               with_nesterov<random_order>}) {
        const RankCase settings = with_scheme(make());
        EXPECT_EQ(run(world, settings), run(world, settings));
    }
}

TEST(BlockScheme, IsThatOfPhasesOnOneRank) {
    if (Communicator(MPI_COMM_WORLD).rank() > 0)
        GTEST_SKIP() << "rank 0 runs it alone";
    const Communicator self(MPI_COMM_SELF);
    for (RankCase (*make)() : {random_order, symmetric_order, stages, all_laws_of_discs,
                               with_ratio<symmetric_order>, with_nesterov<all_laws_of_discs>})
        EXPECT_EQ(run(self, with_scheme(make())), run(self, make()));
}

TEST(BlockScheme, DependsOnTheNumberOfRanks) {
    const Communicator world(MPI_COMM_WORLD);
    if (world.size() == 1)
        GTEST_SKIP() << "one rank has nothing to compare itself with";
    const RankCase settings = with_scheme(stages());
    const std::string all = run(world, settings);
    if (world.rank() == 0) {
        EXPECT_NE(run(Communicator(MPI_COMM_SELF), settings), all)
            << "the test does not see what the report warns of";
    }
}

/// Without friction the velocities at the end of a step are the solution of a convex problem: there is only
/// one, whatever the way to it.
TEST(BlockScheme, FindsTheOnlySolutionWithoutFriction) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = start_case(make_box(7, 7, 9, {periodic, periodic, walled}));
    settings.setup.materials = MaterialTable({{"glass", 2500, 0.0}, {"steel", 7800, 0.0}});
    fill(settings, spheres(settings.setup.box, 210, 0.5, 0, 0.9));
    settings.setup.walls.push_back(piston(8.7, 0.2));
    {
        RigidRun engine(world, settings.setup, settings.grains);
        for (int step = 0; step < 150; ++step)
            engine.step(for_ever);
        settings.grains = all_grains(engine);
        settings.setup.walls.assign(engine.walls().begin(), engine.walls().end());
    }
    settings.setup.solver.tolerance = 1e-11;
    settings.setup.solver.force_tolerance = 1e-9;
    settings.setup.solver.max_sweeps = 20000;

    std::vector<std::map<std::uint64_t, Vec3>> velocities;
    std::vector<Vec3> floor, lid;
    for (const auto& [scheme, method] : {std::pair{SweepScheme::phases, SweepMethod::plain},
                                         {SweepScheme::block, SweepMethod::plain},
                                         {SweepScheme::phases, SweepMethod::ratio},
                                         {SweepScheme::block, SweepMethod::ratio},
                                         {SweepScheme::block, SweepMethod::nesterov}}) {
        RankCase one = with_scheme(settings, scheme);
        one.setup.solver.method = method;
        RigidRun engine(world, one.setup, one.grains);
        for (int step = 0; step < 3; ++step) {
            const StepReport report = engine.step(for_ever);
            EXPECT_FALSE(report.solve.capped);
            EXPECT_LE(report.solve.residual, 1e-11);
            EXPECT_GT(report.contacts, 400);
        }
        std::map<std::uint64_t, Vec3>& mine = velocities.emplace_back();
        for (std::size_t i = 0; i < engine.store().owned; ++i)
            mine.emplace(engine.store().id[i], engine.store().body[i].velocity);
        floor.push_back(engine.walls()[0].reaction);
        lid.push_back(engine.walls().back().reaction);
    }
    for (std::size_t way = 1; way < velocities.size(); ++way) {
        for (const auto& [id, velocity] : velocities[0]) {
            const auto found = velocities[way].find(id);
            ASSERT_NE(found, velocities[way].end());
            EXPECT_LT(norm(found->second - velocity), 1e-8) << id; // of speeds up to 0.5 m/s
        }
        EXPECT_NEAR(floor[way].z, floor[0].z, 1e-6 * norm(floor[0]));
        EXPECT_NEAR(lid[way].z, lid[0].z, 1e-6 * norm(lid[0]));
    }
}

/// A bed under gravity and a piston that comes to rest.
TEST(BlockScheme, FloorBearsWeightAndPiston) {
    const Communicator world(MPI_COMM_WORLD);
    RankCase settings = with_scheme(start_case(make_box(5, 5, 10, {periodic, periodic, walled}), 2000));
    fill(settings, spheres(settings.setup.box, 150, 0.0, 0, 0.9));
    const double force = 0.05;
    settings.setup.walls.push_back(piston(9.6, force));
    settings.setup.walls.back().mass = 3e-5;
    settings.setup.solver.tolerance = 1e-4;
    settings.setup.solver.force_tolerance = 1e-3;
    settings.setup.time.max_step = 5e-4;
    double weight = 0;
    for (const Grain& grain : settings.grains)
        weight += 9.81 * 2500 * grain_volume(grain.radius, 3);

    double height = 0; // settled by rank 0 alone: there are more ranks than cores
    if (world.rank() == 0) {
        const Communicator self(MPI_COMM_SELF);
        RigidRun engine(self, settings.setup, settings.grains);
        while (engine.time() < 0.06)
            engine.step(for_ever);
        settings.grains = all_grains(engine);
        height = engine.walls().back().point.z;
    }
    world.broadcast(std::span<Grain>(settings.grains));
    settings.setup.walls.back().point.z = world.max(height);
    RigidRun engine(world, settings.setup, settings.grains);
    for (int step = 0; step < 20; ++step)
        engine.step(for_ever);
    double seconds = 0;
    Vec3 floor{0, 0, 0}, lid{0, 0, 0}; // impulses; single rattlers still fall
    for (int step = 0; step < 20; ++step) {
        const StepReport report = engine.step(for_ever);
        EXPECT_FALSE(report.solve.capped);
        EXPECT_LE(report.solve.residual, 1e-4);
        seconds += report.time_step;
        floor += engine.walls()[0].reaction * report.time_step;
        lid += engine.walls().back().reaction * report.time_step;
    }
    EXPECT_NEAR(-floor.z / seconds, weight + force, 1e-3 * (weight + force));
    EXPECT_NEAR(lid.z / seconds, force, 1e-3 * (weight + force));
    EXPECT_LT(engine.totals().largest_overlap, 1e-2 * diameter);
}

} // namespace
} // namespace tamp::test
