// After every phase of a sweep all ranks that hold a body agree on it.

#include <algorithm>
#include <gtest/gtest.h>

#include <set>

#include "cloud.hpp"
#include "tamp/solver/phase_exchange.hpp"

namespace tamp::test {
namespace {

/// The phase that relaxes a tile's pairs, or all its contacts with walls, as the solver would: but what it
/// writes tells who wrote it and when.
class FakeSolver {
public:
    FakeSolver(const Communicator& communicator, Cloud& cloud, PhaseExchange& exchange)
        : communicator_(communicator), cloud_(cloud), exchange_(exchange) {}

    void run_phase(int phase) {
        written_.clear();
        for (const int slot : exchange_.boundary_tiles(phase))
            relax(slot, phase);
        exchange_.start(phase, cloud_.store.body);
        for (const int slot : exchange_.interior_tiles(phase))
            relax(slot, phase);
        exchange_.wait(phase);
        exchange_.take(phase, cloud_.store.body);
    }

    std::vector<std::uint64_t> written() const {
        std::vector<std::uint64_t> ids;
        for (const std::int32_t body : written_)
            ids.push_back(cloud_.store.id[static_cast<std::size_t>(body)]);
        return ids;
    }

private:
    void relax(int slot, int phase) {
        const auto s = static_cast<std::size_t>(slot);
        ++round_;
        EXPECT_EQ(cloud_.grid.parity(cloud_.grid.tile(cloud_.tiles->tile(slot))), phase);
        for (auto c = cloud_.lists.pairs.tile_begin[s]; c < cloud_.lists.pairs.tile_begin[s + 1]; ++c) {
            write(cloud_.lists.pairs.first[static_cast<std::size_t>(c)]);
            write(cloud_.lists.pairs.second[static_cast<std::size_t>(c)]);
        }
        for (auto c = cloud_.lists.walls.tile_begin[s]; c < cloud_.lists.walls.tile_begin[s + 1]; ++c)
            write(cloud_.lists.walls.body[static_cast<std::size_t>(c)]);
    }

    void write(std::int32_t index) {
        Body& body = cloud_.store.body[static_cast<std::size_t>(index)];
        const double mark = round_ + 0.001 * communicator_.rank();
        body.velocity = {mark, body.velocity.x, body.velocity.y};
        body.surface = {-mark, body.surface.x, body.surface.y};
        written_.insert(index);
    }

    const Communicator& communicator_;
    Cloud& cloud_;
    PhaseExchange& exchange_;
    double round_ = 0;
    std::set<std::int32_t> written_;
};

/// Two walls across the cloud: they touch particles of many tiles.
std::vector<Wall> walls_through(const Box& box) {
    const Vec3 middle = 0.5 * (box.lower + box.upper);
    return {{.name = "a", .point = middle, .normal = {1, 0, 0}},
            {.name = "b", .point = middle, .normal = {0, -1, 0}}};
}

TEST(PhaseExchange, AllHoldersAgreeAfterEveryPhase) {
    const Communicator world(MPI_COMM_WORLD);
    for (std::uint64_t number = 0; number < 40; ++number) {
        SCOPED_TRACE(number);
        Random random(5, number, Purpose::test);
        const double largest = random.uniform(0.4, 1.0), skin = 0.1;
        const Box box = random_box(random, 2.4, 9);
        const TileGrid grid(box, random.uniform(0.1, 3), largest + skin);
        const auto grains = random_grains(random, box, 1 + random.below(250), 0.2 * largest, 0.5 * largest);
        Cloud cloud(world, grid, random_partition(random, grid, world.size()), grains);
        const std::vector<Wall> walls = walls_through(box);
        cloud.search(largest, skin, walls);
        PhaseExchange exchange(world, cloud.grid, cloud.partition, *cloud.tiles, cloud.store,
                               cloud.lists.pairs, cloud.lists.walls);
        ASSERT_EQ(exchange.phases(), 1 << box.dimension);

        std::set<int> relaxed;
        FakeSolver solver(world, cloud, exchange);
        for (int sweep = 0; sweep < 2; ++sweep)
            for (int phase = 0; phase < exchange.phases(); ++phase) {
                solver.run_phase(phase);
                const auto written = gather_sorted(world, solver.written());
                EXPECT_EQ(std::adjacent_find(written.begin(), written.end()), written.end())
                    << "two ranks write a body in phase " << phase;

                std::vector<std::array<double, 7>> held;
                for (std::size_t i = 0; i < cloud.store.size(); ++i) {
                    const auto& [v, m, w, r] = cloud.store.body[i];
                    held.push_back({static_cast<double>(cloud.store.id[i]), v.x, v.y, v.z, w.x, w.y, w.z});
                }
                auto all = gather_sorted(world, held);
                all.erase(std::unique(all.begin(), all.end()), all.end());
                if (world.rank() == 0) {
                    EXPECT_EQ(all.size(), grains.size()) << "holders disagree after phase " << phase;
                }
            }
    }
}

TEST(PhaseExchange, EveryTileWithContactsIsRelaxedInOnePhase) {
    const Communicator world(MPI_COMM_WORLD);
    Random random(6, 0, Purpose::test);
    const Box box{.upper = {9, 9, 9}, .boundary = {Boundary::periodic, Boundary::wall, Boundary::open}};
    const TileGrid grid(box, 1.5, 1.2);
    Cloud cloud(world, grid, random_partition(random, grid, world.size()),
                random_grains(random, box, 400, 0.2, 0.5));
    const std::vector<Wall> walls = walls_through(box);
    cloud.search(1, 0.2, walls);
    const PhaseExchange exchange(world, cloud.grid, cloud.partition, *cloud.tiles, cloud.store,
                                 cloud.lists.pairs, cloud.lists.walls);
    std::vector<int> visits(static_cast<std::size_t>(cloud.tiles->owned()), 0), order;
    for (int phase = 0; phase < exchange.phases(); ++phase)
        for (const auto tiles : {exchange.boundary_tiles(phase), exchange.interior_tiles(phase)})
            for (const int slot : tiles) {
                ++visits[static_cast<std::size_t>(slot)];
                order.push_back(slot);
            }
    const auto has = [](const std::vector<std::int32_t>& begin, std::size_t s) {
        return begin[s] < begin[s + 1];
    };
    for (std::size_t s = 0; s < visits.size(); ++s)
        EXPECT_EQ(visits[s],
                  has(cloud.lists.pairs.tile_begin, s) || has(cloud.lists.walls.tile_begin, s) ? 1 : 0);
    EXPECT_TRUE(std::ranges::equal(order, exchange.tile_order()));
    EXPECT_EQ(exchange.messages() > 0, world.size() > 1);
    EXPECT_EQ(exchange.bytes() > 0, world.size() > 1);
}

} // namespace
} // namespace tamp::test
