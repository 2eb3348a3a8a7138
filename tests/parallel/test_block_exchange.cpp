// One exchange a sweep: whatever several ranks did to a body, all holders have the sum of it, to the bit.

#include <gtest/gtest.h>

#include <set>

#include "cloud.hpp"
#include "tamp/solver/phase_exchange.hpp"

namespace tamp::test {
namespace {

/// Velocity and surface velocity of a body, with its id.
using Held = std::array<double, 7>;

Held held(const ParticleStore& store, std::size_t i) {
    const auto& [v, m, w, r] = store.body[i];
    return {static_cast<double>(store.id[i]), v.x, v.y, v.z, w.x, w.y, w.z};
}

std::vector<Held> all_held(const Communicator& world, const ParticleStore& store) {
    std::vector<Held> mine;
    for (std::size_t i = 0; i < store.size(); ++i)
        mine.push_back(held(store, i));
    return gather_sorted(world, mine);
}

/// The bodies that this rank's contacts may change.
std::set<std::int32_t> pushed(const Cloud& cloud) {
    std::set<std::int32_t> result(cloud.lists.pairs.first.begin(), cloud.lists.pairs.first.end());
    result.insert(cloud.lists.pairs.second.begin(), cloud.lists.pairs.second.end());
    result.insert(cloud.lists.walls.body.begin(), cloud.lists.walls.body.end());
    return result;
}

class BlockExchangeOfClouds : public testing::TestWithParam<int> {};

TEST_P(BlockExchangeOfClouds, HoldersHaveTheSumOfAllChanges) {
    const Communicator world(MPI_COMM_WORLD);
    const auto number = static_cast<std::uint64_t>(GetParam());
    Random random(8, number, Purpose::test);
    const double largest = random.uniform(0.4, 1.0), skin = 0.1;
    const Box box = random_box(random, 2.4, 9);
    const TileGrid grid(box, random.uniform(0.1, 3), largest + skin);
    const auto grains = random_grains(random, box, 1 + random.below(250), 0.2 * largest, 0.5 * largest);
    Cloud cloud(world, grid, random_partition(random, grid, world.size()), grains);
    const std::vector<Wall> walls{{.name = "a", .point = 0.5 * (box.lower + box.upper), .normal = {1, 0, 0}}};
    cloud.search(largest, skin, walls);
    PhaseExchange exchange(world, cloud.grid, cloud.partition, *cloud.tiles, cloud.store, cloud.lists.pairs,
                           cloud.lists.walls, ExchangeRhythm::sweep);
    ASSERT_NE(exchange.block(), nullptr);
    ASSERT_EQ(exchange.phases(), 1 << box.dimension);
    BlockExchange& block = *exchange.block();
    std::vector<Body>& bodies = cloud.store.body;
    for (std::size_t i = 0; i < cloud.store.size(); ++i) {
        Random start(9, cloud.store.id[i], Purpose::test);
        bodies[i].velocity = {start.uniform(-1, 1), start.uniform(-1, 1), start.uniform(-1, 1)};
    }
    block.begin(bodies);
    const std::set<std::int32_t> changed = pushed(cloud);
    std::map<std::uint64_t, double> before;
    for (int sweep = 0; sweep < 3; ++sweep) {
        for (std::size_t i = 0; i < cloud.store.size(); ++i)
            before[cloud.store.id[i]] = bodies[i].velocity.x;
        std::vector<std::array<double, 2>> changes; // by id
        for (const std::int32_t i : changed) {
            Body& body = bodies[static_cast<std::size_t>(i)];
            const double old = body.velocity.x;
            body.velocity.x += random.uniform(-1, 1) + 10 * world.rank();
            body.surface.y -= 1 + world.rank();
            changes.push_back(
                {static_cast<double>(cloud.store.id[static_cast<std::size_t>(i)]), body.velocity.x - old});
        }
        block.start(bodies);
        block.wait();
        block.take(bodies);

        std::vector<Held> all = all_held(world, cloud.store);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::map<std::uint64_t, double> sum, count;
        for (const auto& [id, change] : gather_sorted(world, changes)) {
            sum[static_cast<std::uint64_t>(id)] += change;
            ++count[static_cast<std::uint64_t>(id)];
        }
        if (world.rank() == 0) {
            EXPECT_EQ(all.size(), grains.size()) << "holders disagree after sweep " << sweep;
            for (std::size_t i = 0; i < cloud.store.size(); ++i) {
                const std::uint64_t id = cloud.store.id[i];
                EXPECT_NEAR(bodies[i].velocity.x, before[id] + sum[id], 1e-12) << "body " << id;
                EXPECT_EQ(block.sharers(static_cast<std::int32_t>(i)), std::max(1.0, count[id]))
                    << "body " << id;
            }
        }
    }
    if (world.size() == 1) {
        EXPECT_EQ(block.most_sharers(), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Random, BlockExchangeOfClouds, testing::Range(0, 30));

/// What the scheme is for: a message to each neighbour a sweep, and none more.
TEST(BlockExchange, SendsOneMessageToEachNeighbour) {
    const Communicator world(MPI_COMM_WORLD);
    Random random(6, 0, Purpose::test);
    const Box box{.upper = {9, 9, 9}, .boundary = {Boundary::periodic, Boundary::wall, Boundary::open}};
    const TileGrid grid(box, 1.5, 1.2);
    Cloud cloud(world, grid, random_partition(random, grid, world.size()),
                random_grains(random, box, 400, 0.2, 0.5));
    cloud.search(1, 0.2);
    const auto plan = [&](ExchangeRhythm rhythm) {
        return PhaseExchange(world, cloud.grid, cloud.partition, *cloud.tiles, cloud.store, cloud.lists.pairs,
                             cloud.lists.walls, rhythm);
    };
    const PhaseExchange phases = plan(ExchangeRhythm::phase), block = plan(ExchangeRhythm::sweep);
    EXPECT_EQ(phases.block(), nullptr);
    const std::int64_t messages = world.sum(block.messages());
    EXPECT_LE(block.messages(), world.size() - 1);
    EXPECT_LE(block.bytes(), phases.bytes());
    EXPECT_EQ(messages > 0, world.size() > 1);
    if (world.size() > 1) {
        EXPECT_GT(world.sum(phases.messages()), 3 * messages);
    }
    for (int phase = 0; phase < phases.phases(); ++phase) {
        EXPECT_TRUE(std::ranges::equal(block.boundary_tiles(phase), phases.boundary_tiles(phase)));
        EXPECT_TRUE(std::ranges::equal(block.interior_tiles(phase), phases.interior_tiles(phase)));
    }
}

} // namespace
} // namespace tamp::test
