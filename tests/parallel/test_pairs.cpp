// Every pair within the cut-off is found by exactly one rank: migration, copies and search against brute
// force.

#include <gtest/gtest.h>

#include "cloud.hpp"

namespace tamp::test {
namespace {

using IdPair = std::array<std::uint64_t, 2>;

std::vector<IdPair> brute_force(const Box& box, const std::vector<Grain>& grains, double skin) {
    std::vector<IdPair> pairs;
    for (std::size_t i = 0; i < grains.size(); ++i)
        for (std::size_t j = i + 1; j < grains.size(); ++j) {
            const Vec3 d = box.nearest(grains[j].position - grains[i].position);
            if (norm(d) < grains[i].radius + grains[j].radius + skin)
                pairs.push_back({grains[i].id, grains[j].id});
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// A random cloud with a grid that suits it; the same on every rank.
struct Setting {
    explicit Setting(std::uint64_t number)
        : random(99, number, Purpose::test), largest(random.uniform(0.5, 1.0)),
          skin(random.uniform(0.01, 0.3)), box(random_box(random, 2.7, 9)),
          grid(box, random.uniform(0.1, 4), largest + skin),
          grains(random_grains(random, box, 1 + random.below(300), 0.1 * largest, 0.5 * largest)) {}

    Random random;
    double largest, skin;
    Box box;
    TileGrid grid;
    std::vector<Grain> grains;
};

constexpr std::uint64_t settings_tried = 60;

TEST(Pairs, FoundOnceByOneRankAndInTheSameOrder) {
    const Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
    for (std::uint64_t number = 0; number < settings_tried; ++number) {
        SCOPED_TRACE(number);
        Setting setting(number);
        Cloud cloud(world, setting.grid, random_partition(setting.random, setting.grid, world.size()),
                    setting.grains);
        EXPECT_EQ(world.sum(cloud.search(setting.largest, setting.skin)), 0);
        const std::vector<PairRecord> found = gather_sorted(world, pair_records(cloud));
        if (world.rank() > 0)
            continue;

        std::vector<IdPair> ids;
        for (const PairRecord& record : found) {
            EXPECT_LT(record[2], record[3]) << "side 1 has the smaller id";
            ids.push_back({record[2], record[3]});
        }
        std::sort(ids.begin(), ids.end());
        EXPECT_EQ(ids, brute_force(setting.box, setting.grains, setting.skin));

        Cloud alone(self, setting.grid, random_partition(setting.random, setting.grid, 1), setting.grains);
        alone.search(setting.largest, setting.skin);
        EXPECT_EQ(found, pair_records(alone)) << "the list of a tile depends on the ranks";
    }
}

TEST(Migration, KeepsEveryParticleOnceAtTheOwnerOfItsTile) {
    const Communicator world(MPI_COMM_WORLD);
    for (std::uint64_t number = 0; number < settings_tried; ++number) {
        SCOPED_TRACE(number);
        Setting setting(number);
        Cloud cloud(world, setting.grid, random_partition(setting.random, setting.grid, world.size()),
                    setting.grains);
        cloud.search(setting.largest, setting.skin);

        // All move, some by more than a tile, and the tiles change hands.
        for (std::size_t i = 0; i < cloud.store.owned; ++i) {
            Random random(number, cloud.store.id[i], Purpose::position);
            for (int axis = 0; axis < setting.box.dimension; ++axis)
                cloud.store.sphere[i].centre[axis] += random.uniform(-3, 3);
            cloud.store.body[i].velocity = {random.uniform(), random.uniform(), random.uniform()};
            cloud.store.body[i].surface = {random.uniform(), random.uniform(), random.uniform()};
        }
        std::vector<std::array<double, 8>> before;
        const auto state_of = [&](std::size_t i) -> std::array<double, 8> {
            const Body& body = cloud.store.body[i];
            return {static_cast<double>(cloud.store.id[i]),
                    cloud.store.sphere[i].radius,
                    body.inverse_mass,
                    body.inverse_radius,
                    body.velocity.x,
                    body.velocity.z,
                    body.surface.y,
                    body.surface.z};
        };
        for (std::size_t i = 0; i < cloud.store.owned; ++i)
            if (!setting.grid.outside(setting.box.wrapped(cloud.store.sphere[i].centre)))
                before.push_back(state_of(i));
        cloud.partition = random_partition(setting.random, setting.grid, world.size());
        const std::int64_t lost = world.sum(cloud.search(setting.largest, setting.skin));

        std::vector<std::array<double, 8>> after;
        for (std::size_t i = 0; i < cloud.store.owned; ++i) {
            after.push_back(state_of(i));
            const int tile = cloud.grid.number(cloud.grid.tile_of(cloud.store.sphere[i].centre));
            EXPECT_EQ(cloud.partition.owner(tile), world.rank());
            EXPECT_EQ(cloud.store.reference[i], cloud.store.sphere[i].centre);
        }
        const auto all_before = gather_sorted(world, before), all_after = gather_sorted(world, after);
        if (world.rank() == 0) {
            EXPECT_EQ(all_after, all_before) << "lost, doubled or altered on the way";
            EXPECT_EQ(all_after.size() + static_cast<std::size_t>(lost), setting.grains.size());
        }
    }
}

TEST(Copies, AreExactAndThoseThatHoldersTell) {
    const Communicator world(MPI_COMM_WORLD);
    for (std::uint64_t number = 0; number < settings_tried; ++number) {
        SCOPED_TRACE(number);
        Setting setting(number);
        Cloud cloud(world, setting.grid, random_partition(setting.random, setting.grid, world.size()),
                    setting.grains);
        cloud.search(setting.largest, setting.skin);

        std::vector<std::uint64_t> expected, held(cloud.store.id);
        const Holders holders(cloud.grid, cloud.partition);
        for (const Grain& grain : setting.grains) {
            const Int3 tile = cloud.grid.tile_of(grain.position);
            std::vector<int> ranks;
            holders.each(tile, cloud.grid.cell_of(grain.position, tile),
                         [&](int rank) { ranks.push_back(rank); });
            EXPECT_EQ(ranks.front(), cloud.partition.owner(cloud.grid.number(tile)));
            if (std::find(ranks.begin(), ranks.end(), world.rank()) != ranks.end())
                expected.push_back(grain.id);
        }
        std::sort(held.begin(), held.end());
        EXPECT_EQ(held, expected); // grains come in the order of their ids
        EXPECT_EQ(cloud.store.body.size(), cloud.store.size() + 1) << "one body at rest behind the last";
        for (std::size_t i = 0; i < cloud.store.size(); ++i) {
            const Grain& grain = setting.grains[cloud.store.id[i] / 3];
            EXPECT_EQ(cloud.store.sphere[i].centre, grain.position);
            EXPECT_EQ(cloud.store.sphere[i].radius, grain.radius);
        }
    }
}

} // namespace
} // namespace tamp::test
