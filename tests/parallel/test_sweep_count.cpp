// The communication that is counted without ranks is the one that real ranks ask of MPI.

#include <gtest/gtest.h>

#include <map>

#include "cloud.hpp"
#include "mpi_listener.hpp"
#include "rigid_run.hpp"
#include "scaling_model/sweep_count.hpp"

namespace tamp::test {
namespace {

constexpr int first_tag = 100; // of phase 0

/// Messages that `rank` sends to others, as MPI would hear them, phase by phase.
std::vector<MpiListener::Message> sends_of(const RankLoad& load) {
    std::vector<MpiListener::Message> result;
    for (std::size_t phase = 0; phase < load.size(); ++phase)
        for (const PhaseLoad::Message& message : load[phase].sends)
            result.push_back(
                {message.to, first_tag + static_cast<int>(phase), SweepPlan::body_bytes * message.bodies});
    return result;
}

/// What `rank` receives if all others send what was counted.
std::vector<MpiListener::Message> receipts_of(const SweepLoad& load, int rank) {
    std::vector<MpiListener::Message> result;
    for (std::size_t phase = 0; phase < load.front().size(); ++phase)
        for (std::size_t source = 0; source < load.size(); ++source)
            for (const PhaseLoad::Message& message : load[source][phase].sends)
                if (message.to == rank)
                    result.push_back({static_cast<int>(source), first_tag + static_cast<int>(phase),
                                      SweepPlan::body_bytes * message.bodies});
    return result;
}

/// Counts every rank in this process and compares with what one sweep of `exchange` makes of MPI.
void expect_counted(const Communicator& world, const CountedPacking& packing, const Partition& partition,
                    PhaseExchange& exchange, std::span<Body> bodies, ContactSet& contacts) {
    SweepLoad load;
    for (int rank = 0; rank < world.size(); ++rank)
        load.push_back(count_sweep(packing, partition, rank));
    const RankLoad& mine = load[static_cast<std::size_t>(world.rank())];

    const MpiListener heard;
    for (int phase = 0; phase < exchange.phases(); ++phase) {
        exchange.start(phase, bodies);
        exchange.wait(phase);
        exchange.take(phase, bodies);
    }
    EXPECT_EQ(heard.sent, sends_of(mine));
    EXPECT_EQ(heard.received, receipts_of(load, world.rank()));

    std::int64_t messages = 0, bytes = 0;
    for (const PhaseLoad& phase : mine) {
        messages += static_cast<std::int64_t>(phase.sends.size());
        bytes += phase.bytes();
    }
    EXPECT_EQ(exchange.messages(), messages);
    EXPECT_EQ(exchange.bytes(), bytes);
    EXPECT_EQ(planned_load(exchange, contacts), mine); // batches too

    // Nothing is lost on the way, and what one process counted is what all ranks report together.
    std::int64_t sent = 0, received = 0;
    for (const auto& message : heard.sent)
        sent += message.bytes;
    for (const auto& message : heard.received)
        received += message.bytes;
    EXPECT_EQ(world.sum(sent), world.sum(received));
    const SweepLoad gathered =
        gather_loads(world, {{world.rank(), planned_load(exchange, contacts)}}, world.size());
    if (world.rank() == 0) {
        EXPECT_EQ(gathered, load);
    }
}

TEST(SweepCount, IsWhatMpiHearsOfRandomClouds) {
    const Communicator world(MPI_COMM_WORLD);
    std::int64_t messages = 0;
    for (std::uint64_t number = 0; number < 30; ++number) {
        SCOPED_TRACE(number);
        Random random(15, number, Purpose::test);
        const double largest = random.uniform(0.4, 1.0), skin = 0.1;
        const Box box = random_box(random, 2.4, 9);
        const TileGrid grid(box, random.uniform(0.1, 3), largest + skin);
        const auto grains = random_grains(random, box, 1 + random.below(250), 0.2 * largest, 0.5 * largest);
        Cloud cloud(world, grid, random_partition(random, grid, world.size()), grains);
        const Vec3 middle = 0.5 * (box.lower + box.upper);
        const std::vector<Wall> walls{{.name = "a", .point = middle, .normal = {1, 0, 0}}};
        cloud.search(largest, skin, walls);
        PhaseExchange exchange(world, cloud.grid, cloud.partition, *cloud.tiles, cloud.store,
                               cloud.lists.pairs, cloud.lists.walls);
        const MaterialTable materials({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}});
        ContactSet contacts;
        contacts.update(box, cloud.store, materials, walls, {}, cloud.lists, {.time_step = 1, .margin = 0.02},
                        exchange.tile_order());
        messages += world.sum(exchange.messages());
        expect_counted(world,
                       {cloud.grid, materials, walls, skin, 0.02, particles_by_tile(cloud.grid, grains)},
                       cloud.partition, exchange, cloud.store.body, contacts);
    }
    EXPECT_EQ(messages > 0, world.size() > 1);
}

/// A bed between a floor and pistons, six tiles high.
RigidSetup pressed(int pistons, SweepMethod method) {
    RigidSetup setup;
    setup.solver.method = method;
    setup.box = {.upper = {6, 6, 9}, .boundary = {Boundary::periodic, Boundary::wall, Boundary::open}};
    setup.gravity = {0, 0, -9.81};
    setup.materials = MaterialTable({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}});
    setup.walls = {{.name = "floor"}, {.name = "side", .normal = {0, 1, 0}}};
    for (int i = 0; i < pistons; ++i)
        setup.walls.push_back({.name = "piston",
                               .point = {0, 6.0 * i, 8.5},
                               .normal = {0, 0, -1},
                               .motion = WallMotion::piston,
                               .mass = 5000,
                               .force = -2e5});
    setup.neighbours.tile = 1.5;
    setup.solver.max_sweeps = 9;
    setup.solver.tolerance = 1e-9;
    return setup;
}

/// All particles, where the last search for neighbours found them; on every rank.
std::vector<Grain> searched_grains(const Communicator& world, const ParticleStore& store) {
    std::vector<Grain> mine;
    for (std::size_t i = 0; i < store.owned; ++i) {
        mine.push_back(store.grain(i));
        mine.back().position = store.reference[i];
    }
    std::map<int, std::vector<Grain>> to;
    for (int rank = 0; rank < world.size(); ++rank)
        to[rank] = mine;
    std::vector<Grain> all;
    for (const auto& [rank, grains] : sparse_exchange(world, to))
        all.insert(all.end(), grains.begin(), grains.end());
    return all;
}

TEST(SweepCount, IsWhatMpiHearsOfARun) {
    const Communicator world(MPI_COMM_WORLD);
    for (const auto& [pistons, method] : {std::pair{0, SweepMethod::plain},
                                          {1, SweepMethod::plain},
                                          {2, SweepMethod::plain},
                                          {0, SweepMethod::ratio},
                                          {2, SweepMethod::nesterov}}) {
        SCOPED_TRACE(testing::Message() << pistons << ", method " << static_cast<int>(method));
        const RigidSetup setup = pressed(pistons, method);
        const bool with_momentum = method != SweepMethod::plain;
        Random random(16, 0, Purpose::test);
        std::vector<Grain> grains;
        for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 6; ++y)
                for (int x = 0; x < 6; ++x)
                    grains.push_back({.id = grains.size(),
                                      .position = {x + 0.5, y + 0.5, z + 0.5},
                                      .radius = random.uniform(0.4, 0.5),
                                      .velocity = {random.uniform(-1, 1), 0, 0}});
        RigidRun engine(world, setup, grains);
        const ProfilePart residual = engine.world.profile.part("residual");
        const int wall_count = static_cast<int>(setup.walls.size());
        RankLoad counted;
        int searches = 0, others = 0;
        std::int64_t all_looks = 0;
        for (int step = 0; step < 30; ++step) {
            const std::vector<Wall> walls(engine.walls().begin(), engine.walls().end());
            const double skins = engine.totals().skin_sum;
            const auto looks_before = engine.world.profile.calls(residual);
            const MpiListener heard;
            const StepReport report = engine.step(1e9);
            const auto looks = engine.world.profile.calls(residual) - looks_before;
            if (report.searched) {
                const auto found = searched_grains(world, engine.store());
                const CountedPacking packing{engine.world.neighbours.grid(),
                                             setup.materials,
                                             walls,
                                             engine.totals().skin_sum - skins,
                                             0,
                                             particles_by_tile(engine.world.neighbours.grid(), found)};
                counted = count_sweep(packing, engine.world.neighbours.partition(), world.rank());
            }

            // The impulses to start from are applied in one sweep more.
            const int sweeps = report.solve.sweeps + 1;
            std::vector<MpiListener::Message> sent;
            for (int sweep = 0; sweep < sweeps; ++sweep) {
                const auto more = sends_of(counted);
                sent.insert(sent.end(), more.begin(), more.end());
            }
            EXPECT_EQ(heard.sent, sent);
            if (report.searched) {
                ++searches; // which reduces too, not by the sweep
                continue;
            }
            ++others;
            // Speed and displacement, contacts, overlap; and torques on walls.
            constexpr auto exact_sum_bytes = static_cast<std::int64_t>(8 * ExactSum::word_count);
            const Reductions of_step =
                Reductions{3, 2 * 8 + 8 + 8} +
                (wall_count > 0 ? Reductions{1, 3 * wall_count * exact_sum_bytes} : Reductions{});
            const Reductions expected = of_step + solve_reductions(wall_count, pistons) +
                                        sweep_reductions(pistons) +
                                        sweep_reductions(pistons, with_momentum) * report.solve.sweeps +
                                        look_reductions(wall_count, with_momentum ? 6 : 0) * looks;
            EXPECT_EQ((Reductions{heard.reductions, heard.reduced_bytes}), expected);
            EXPECT_GE(looks, 1);
            all_looks += looks;
        }
        EXPECT_GT(searches, 1);
        EXPECT_GT(others, 10);
        EXPECT_GT(all_looks, others) << "a step may have several";
    }
}

} // namespace
} // namespace tamp::test
