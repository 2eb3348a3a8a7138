// A number that is remembered of contacts, or an attribute of particles, is declared in one place: here
// beside what the rigid engine needs. It must then be there after searches, on other ranks, in files and
// after a restart, without a word about it anywhere else.

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "cases.hpp"
#include "folder_test.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/io/reader.hpp"
#include "tamp/io/snapshot_file.hpp"
#include "tamp/io/world_state.hpp"

namespace tamp::test {
namespace {

/// How many steps a pair has been under force, and where it was first: what no law of ours needs.
EngineNeeds with_made_up_columns(EngineNeeds needs) {
    needs.history.push_back({.name = "steps_touched", .kind = WordKind::signed_integer});
    needs.history.push_back({.name = "first_normal", .width = 3, .description = "When it was touched first"});
    needs.attributes.push_back({.name = "steps_alive", .kind = WordKind::signed_integer});
    needs.attributes.push_back({.name = "start", .width = 3, .unit = "m", .description = "Where it began"});
    return needs;
}

/// A run that counts in the made-up columns.
class Counting {
public:
    Counting(const Communicator& communicator, const RankCase& settings)
        : world_(communicator, settings.setup, needs(settings), settings.grains),
          engine_(world_, settings.setup) {
        ParticleStore& particles = world_.particles;
        const std::span<Vec3> start = particles.attributes.vectors(1);
        for (std::size_t i = 0; i < particles.owned; ++i)
            start[i] = particles.sphere[i].centre;
    }
    Counting(const Communicator& communicator, const RankCase& settings, const Checkpoint& from)
        : world_(communicator, settings.setup, needs(settings), from.world),
          engine_(world_, settings.setup, from.engine) {}

    void step() {
        engine_.step(1e9);
        for (std::int64_t& alive : world_.particles.attributes.integers(0)) // copies as their owners
            ++alive;
        count(world_.lists().pair_history);
        count(world_.lists().wall_history);
    }

    const World& world() const { return world_; }
    View look() const { return view(world_, engine_.forces()); }

    Checkpoint save() const {
        Checkpoint checkpoint;
        checkpoint.world = world_.save();
        checkpoint.engine = engine_.save();
        return checkpoint;
    }

private:
    static EngineNeeds needs(const RankCase& settings) {
        return with_made_up_columns(RigidEngine::needs(
            settings.setup, settings.setup, start_sizes(settings.grains, settings.setup.box.dimension)));
    }

    static void count(ColumnTable& history) {
        const std::size_t touched = *history.find("steps_touched"), first = *history.find("first_normal");
        for (std::size_t c = 0; c < history.rows(); ++c)
            if (const Vec3 impulse = history.vectors(0)[c]; impulse != Vec3{0, 0, 0}) {
                if (history.integers(touched)[c]++ == 0)
                    history.vectors(first)[c] = impulse * (1 / norm(impulse));
            }
    }

    World world_;
    RigidEngine engine_;
};

RankCase settings() {
    RankCase result = falling();
    result.steps = 60;
    return result;
}

class DeclaredColumns : public FolderTest {
protected:
    std::string checkpoint() const { return folder_ + "/" + checkpoint_name(1); }
};

TEST_F(DeclaredColumns, FollowTheirOwnersThroughSearchesRanksAndRestarts) {
    const RankCase run = settings();
    StateHash expected;
    if (world_.rank() == 0) {
        const Communicator alone(MPI_COMM_SELF);
        Counting counting(alone, run);
        for (int step = 0; step < run.steps; ++step)
            counting.step();
        expected = state_hash(counting.world());
        EXPECT_GT(counting.world().totals.searches, 3);
    }
    auto words = expected.words();
    world_.broadcast(std::span<std::uint64_t>(words));

    std::optional<Counting> counting(std::in_place, world_, run);
    for (int step = 0; step < run.steps; ++step) {
        if (step == 35) { // stops, and goes on from a file on other ranks
            write_checkpoint(world_, checkpoint(), counting->save());
            counting.reset();
            if (world_.rank() == 0) { // on one of them
                const Communicator alone(MPI_COMM_SELF);
                Counting other(alone, run, read_checkpoint(alone, checkpoint()));
                for (int k = step; k < run.steps; ++k)
                    other.step();
                EXPECT_EQ(state_hash(other.world()).words(), words);
            }
            world_.barrier();
            counting.emplace(world_, run, read_checkpoint(world_, checkpoint()));
        }
        counting->step();
    }
    EXPECT_EQ(state_hash(counting->world()).words(), words);

    const ParticleStore& particles = counting->world().particles;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        EXPECT_EQ(particles.attributes.integers(0)[i], run.steps);
        EXPECT_EQ(particles.attributes.vectors(1)[i], run.grains[particles.id[i]].position);
    }
}

/// The hash sees the columns: two states that differ in nothing else differ.
TEST_F(DeclaredColumns, AreInTheStateHash) {
    Counting counting(world_, settings());
    for (int step = 0; step < 30; ++step)
        counting.step();
    StateTables tables = state_of(counting.world());
    const StateHash hash = table_hash(tables);
    for (WordTable* table : {&tables.particles, &tables.contacts}) {
        EXPECT_TRUE(world_.any(!table->words.empty()));
        if (!table->words.empty()) {
            table->words.back() ^= 1;
            EXPECT_NE(table_hash(tables), hash);
            table->words.back() ^= 1;
        }
    }
    EXPECT_EQ(table_hash(tables), hash);
}

TEST_F(DeclaredColumns, AreInStateFilesAndSnapshots) {
    Counting counting(world_, settings());
    for (int step = 0; step < 30; ++step)
        counting.step();
    const std::string path = folder_ + "/state.h5";
    write_state(world_, path, {.stage = "fall", .input = ""}, state_of(counting.world()), {});
    SnapshotFile(world_, folder_, {"a title", "", 7, 1}, {.compression = 0})
        .write(counting.look(), {}, "fall");
    if (world_.rank() != 0)
        GTEST_SKIP() << "one process reads; all have written";
    const State state = read_state(path);
    EXPECT_EQ(state.tables.particles.columns.back().name, "start");
    EXPECT_EQ(state.tables.contacts.columns.back().name, "first_normal");
    const std::vector<Grain> grains = grains_of(state.tables.particles);
    const std::size_t alive = *offset_of(state.tables.particles.columns, "steps_alive");
    for (std::size_t i = 0; i < grains.size(); ++i)
        EXPECT_EQ(state.tables.particles.row(i)[alive], 30u);

    const Reader snapshot(folder_ + "/snapshots/00000030.h5");
    EXPECT_EQ(snapshot.column<std::int64_t>("particles/steps_alive", WordKind::signed_integer),
              std::vector<std::int64_t>(grains.size(), 30));
    EXPECT_EQ(snapshot.unit("particles/start"), "m");
    const auto touched = snapshot.column<std::int64_t>("contacts/steps_touched", WordKind::signed_integer);
    ASSERT_GT(touched.size(), 10u);
    for (const std::int64_t steps : touched) { // a snapshot has the contacts that bear a force
        EXPECT_GE(steps, 1);
        EXPECT_LE(steps, 30);
    }
    EXPECT_NE(bytes_of(folder_ + "/snapshots.xmf").find("first_normal"), std::string::npos);
}

} // namespace
} // namespace tamp::test
