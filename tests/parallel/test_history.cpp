// What is remembered of contacts outlives a search for neighbours, whoever owns the contact before and after;
// and so do the attributes of particles. Both are columns that somebody declares: these are made up.

#include <gtest/gtest.h>

#include <cmath>

#include "cloud.hpp"
#include "tamp/base/state_hash.hpp"
#include "tamp/contacts/history.hpp"

namespace tamp::test {
namespace {

const std::vector<ColumnInfo> history{{.name = "spring", .width = 3, .unit = "m"},
                                      {.name = "wear", .unit = "J"},
                                      {.name = "touches", .kind = WordKind::signed_integer}};
const std::vector<ColumnInfo> attributes{{.name = "charge", .width = 2, .unit = "C"},
                                         {.name = "birth", .kind = WordKind::signed_integer}};

/// Numbers that tell whose they are.
std::vector<std::uint64_t> row_of(std::uint64_t first, std::uint64_t second, std::size_t words) {
    Random random(first, second, Purpose::test);
    std::vector<std::uint64_t> row(words);
    for (std::uint64_t& word : row)
        word = StateHash::bits(random.uniform());
    return row;
}

void mark(Cloud& cloud) {
    const auto mark_rows = [&](ColumnTable& table, std::size_t c, std::uint64_t first, std::uint64_t second) {
        table.write_row(c, row_of(first, second, table.row_words()));
    };
    const PairList& pairs = cloud.lists.pairs;
    for (std::size_t c = 0; c < pairs.size(); ++c)
        mark_rows(cloud.lists.pair_history, c, cloud.store.id[static_cast<std::size_t>(pairs.first[c])],
                  cloud.store.id[static_cast<std::size_t>(pairs.second[c])]);
    const WallList& walls = cloud.lists.walls;
    for (std::size_t c = 0; c < walls.size(); ++c)
        mark_rows(cloud.lists.wall_history, c, cloud.store.id[static_cast<std::size_t>(walls.body[c])],
                  wall_partner(walls.wall[c]));
    for (std::size_t i = 0; i < cloud.store.owned; ++i)
        mark_rows(cloud.store.attributes, i, cloud.store.id[i], 0);
}

/// Owned particles and copies alike.
void expect_attributes(const Cloud& cloud) {
    const ColumnTable& table = cloud.store.attributes;
    ASSERT_EQ(table.rows(), cloud.store.size());
    std::vector<std::uint64_t> row(table.row_words());
    for (std::size_t i = 0; i < cloud.store.size(); ++i) {
        table.read_row(i, row);
        EXPECT_EQ(row, row_of(cloud.store.id[i], 0, row.size())) << "particle " << cloud.store.id[i];
    }
}

using Key = std::array<std::uint64_t, 2>;

std::vector<Key> keys_of(const Cloud& cloud) {
    std::vector<Key> keys;
    for (const PairRecord& record : pair_records(cloud))
        keys.push_back({record[2], record[3]});
    for (std::size_t c = 0; c < cloud.lists.walls.size(); ++c)
        keys.push_back({cloud.store.id[static_cast<std::size_t>(cloud.lists.walls.body[c])],
                        wall_bit + static_cast<std::uint64_t>(cloud.lists.walls.wall[c])});
    return keys;
}

/// Marks all contacts, moves the particles, changes the owners, searches anew; then every contact that was
/// there before must have its own history again, and every other none. `move(id, position)` is for copies as
/// for their owners.
template <class Move>
void expect_kept(const Communicator& world, Cloud& cloud, const Partition& next, std::span<const Wall> walls,
                 double largest, double skin, Move&& move) {
    mark(cloud);
    std::vector<Key> known = gather_sorted(world, keys_of(cloud));
    auto count = static_cast<std::int64_t>(known.size());
    world.broadcast(std::span<std::int64_t>(&count, 1));
    known.resize(static_cast<std::size_t>(count));
    world.broadcast(std::span<Key>(known));

    for (std::size_t i = 0; i < cloud.store.size(); ++i)
        move(cloud.store.id[i], cloud.store.sphere[i].centre);
    const HistoryRows rows = carry_history(world, cloud.grid, next, cloud.store, cloud.lists);
    cloud.partition = next;
    cloud.search(largest, skin, walls);
    recall_history(rows, cloud.store, cloud.lists);
    expect_attributes(cloud);

    const std::vector<Key> keys = keys_of(cloud);
    std::int64_t recalled = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::size_t pairs = cloud.lists.pairs.size();
        const bool was_known = std::binary_search(known.begin(), known.end(), keys[k]);
        recalled += was_known ? 1 : 0;
        std::vector<std::uint64_t> row(cloud.lists.pair_history.row_words());
        if (k < pairs)
            cloud.lists.pair_history.read_row(k, row);
        else
            cloud.lists.wall_history.read_row(k - pairs, row);
        EXPECT_EQ(row, was_known ? row_of(keys[k][0], keys[k][1], row.size())
                                 : std::vector<std::uint64_t>(row.size(), 0))
            << "contact " << keys[k][0] << " " << keys[k][1];
    }
    recalled = world.sum(recalled);
    EXPECT_TRUE(recalled > 0 || known.empty());
}

TEST(History, FollowsContactsToTheirNewOwners) {
    const Communicator world(MPI_COMM_WORLD);
    for (std::uint64_t number = 0; number < 40; ++number) {
        SCOPED_TRACE(number);
        Random random(8, number, Purpose::test);
        const double largest = random.uniform(0.5, 1), skin = 0.2;
        const Box box = random_box(random, 2.5, 8);
        const TileGrid grid(box, random.uniform(0.1, 3), largest + skin);
        Cloud cloud(world, grid, random_partition(random, grid, world.size()),
                    random_grains(random, box, 2 + random.below(250), 0.2 * largest, 0.5 * largest), history,
                    attributes);
        const std::vector<Wall> walls{
            {.name = "a", .point = 0.5 * (box.lower + box.upper), .normal = {1, 0, 0}}};
        cloud.search(largest, skin, walls);
        for (std::uint64_t round = 0; round < 3; ++round)
            expect_kept(world, cloud, random_partition(random, cloud.grid, world.size()), walls, largest,
                        skin, [&](std::uint64_t id, Vec3& position) {
                            Random any(10 * number + round, id, Purpose::velocity);
                            for (int axis = 0; axis < box.dimension; ++axis)
                                position[axis] += any.uniform(-0.1, 0.1);
                        });
    }
}

/// Columns of particles on a periodic face: rounding moves some of them to the other side, and then their
/// distance along the axis may be below what a difference of positions can show.
TEST(History, IsKeptForColumnsOnPeriodicFaces) {
    const Communicator world(MPI_COMM_WORLD);
    for (const auto& [lower, upper] :
         {std::pair{0.0, 8.0}, {-7.0, 1.0}, {-4.1, 4.1}, {-4.3, 4.3}, {-4.4, 4.4}, {-4.7, 4.7}}) {
        SCOPED_TRACE(lower);
        Box box{.lower = {lower, 0, 0}, .upper = {upper, 8, 8}};
        box.boundary = {Boundary::periodic, Boundary::wall, Boundary::wall};
        const TileGrid grid(box, 2, 1.2);
        std::vector<Grain> grains;
        for (std::size_t i = 0; i < 64; ++i)
            grains.push_back(
                {.id = i,
                 .position = {lower, 0.5 + static_cast<double>(i / 8), 0.5 + static_cast<double>(i % 8)},
                 .radius = 0.5});
        const std::vector<std::int64_t> equal(static_cast<std::size_t>(grid.count()), 1);
        Cloud cloud(world, grid, Partition(equal, world.size()), grains, history, attributes);
        cloud.search(1, 0.2);
        for (const double target : {-1e9, 1e9})
            expect_kept(world, cloud, cloud.partition, {}, 1, 0.2, [&](std::uint64_t id, Vec3& position) {
                position.x = mix(id) % 2 ? lower : std::nextafter(target < 0 ? lower : upper, target);
            });
    }
}

} // namespace
} // namespace tamp::test
