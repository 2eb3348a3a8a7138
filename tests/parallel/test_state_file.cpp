#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "folder_test.hpp"
#include "state_records.hpp"
#include "tamp/base/random.hpp"
#include "tamp/io/series.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

Vec3 random_vector(Random& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// A state that every rank knows in full.
struct Truth {
    StateHeader header;
    std::vector<Grain> grains;
    std::vector<ContactRecord> contacts;
    std::vector<Wall> walls;
};

Truth random_truth(std::uint64_t seed, std::size_t grains, std::size_t contacts, std::size_t walls) {
    Truth truth;
    Random random(seed, 0, Purpose::test);
    truth.header = {random.uniform(),
                    17,
                    seed % 2 ? 2 : 3,
                    "compact é",
                    std::string(seed * 9000, '#') + "[x]\n",
                    random.bits(),
                    1,
                    1e-4,
                    random_vector(random),
                    random_vector(random),
                    {"glass", "of stone é"}};
    std::uint64_t id = seed % 3 == 0 ? 0 : random.bits() >> 2; // ids need not begin at 0, nor be dense
    for (std::size_t i = 0; i < grains; ++i, id += 1 + (seed % 3) * random.below(1000))
        truth.grains.push_back({id, random_vector(random), random.uniform(), random_vector(random),
                                random_vector(random), static_cast<std::int64_t>(random.below(4))});
    for (std::size_t i = 0; i < contacts && grains > 0; ++i) {
        const auto first = truth.grains[i * grains / contacts].id;
        const auto second = random.below(5) == 0 ? wall_bit | i : first + 1 + i;
        truth.contacts.push_back({first, second, random_vector(random), random.uniform(-1e-6, 1e-6),
                                  random.below(3) ? random_vector(random) : Vec3{0, -0.0, 0},
                                  random.below(3) ? random_vector(random) : Vec3{0, 0, 0},
                                  static_cast<std::int64_t>(random.below(2))});
    }
    std::ranges::sort(truth.contacts, {}, [](const auto& c) { return std::pair(c.first, c.second); });
    for (std::size_t i = 0; i < walls; ++i)
        truth.walls.push_back({"wall " + std::to_string(i), random_vector(random), random_vector(random), 1,
                               WallMotion::piston, random_vector(random), 2, -3, 4, random_vector(random),
                               random_vector(random)});
    return truth;
}

/// The records that the dice give to this rank, in an order that is not that of the file.
template <class Record>
std::vector<Record> share(const Communicator& world, const std::vector<Record>& records, std::uint64_t dice) {
    std::vector<Record> own;
    for (std::size_t i = records.size(); i-- > 0;) {
        Random random(dice, i, Purpose::test);
        const auto ranks = static_cast<std::uint64_t>(world.size());
        const auto owner = dice % 4 == 0 ? ranks - 1 : random.below(ranks); // sometimes one rank has all
        if (owner == static_cast<std::uint64_t>(world.rank()))
            own.push_back(records[i]);
    }
    return own;
}

/// For the fixtures that follow.
template <class Folder>
class WithStates : public Folder {
protected:
    using Folder::world_;

    void write(const std::string& path, const Truth& truth, std::uint64_t dice) const {
        write_state(world_, path, truth.header,
                    tables_of(share(world_, truth.grains, dice), share(world_, truth.contacts, dice + 1000)),
                    truth.walls);
    }

    std::string error_of_write(const std::string& path, const Truth& truth) const {
        return this->error_of([&] { write(path, truth, 1); });
    }

    void expect_same(const std::string& path, const Truth& truth) const {
        if (world_.rank() != 0)
            return;
        const auto state = read_state(path);
        EXPECT_EQ(state.header, truth.header);
        EXPECT_EQ(grains_of(state.tables.particles), truth.grains);
        EXPECT_EQ(contacts_of(state.tables.contacts), truth.contacts);
        EXPECT_EQ(state.hash, state_hash(truth.header, truth.grains, truth.contacts, truth.walls));
        ASSERT_EQ(state.walls.size(), truth.walls.size());
        for (std::size_t i = 0; i < truth.walls.size(); ++i) {
            const auto &wall = state.walls[i], &expected = truth.walls[i];
            EXPECT_EQ(wall.name, expected.name);
            EXPECT_EQ(wall.point, expected.point);
            EXPECT_EQ(wall.normal, expected.normal);
            EXPECT_EQ(wall.velocity, expected.velocity);
            EXPECT_EQ(wall.reaction, expected.reaction);
            EXPECT_EQ(wall.torque, expected.torque);
            EXPECT_EQ(
                std::tuple(wall.material, wall.motion, wall.mass, wall.force, wall.area),
                std::tuple(expected.material, expected.motion, expected.mass, expected.force, expected.area));
        }
    }
};

using StateFileTest = WithStates<FolderTest>;

TEST_F(StateFileTest, random_states_come_back) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Random random(seed, 1, Purpose::test);
        const auto count = [&](std::uint64_t most) { return static_cast<std::size_t>(random.below(most)); };
        const auto truth =
            random_truth(seed, seed == 0 ? 0 : count(seed == 5 ? 20000 : 300), count(900), count(4));
        const auto path = folder_ + "/state-" + std::to_string(seed) + ".h5";
        write(path, truth, seed);
        expect_same(path, truth);
        // Not only the data: all bytes are those that one rank alone would have written.
        if (world_.rank() == 0) {
            const auto alone = path + "-alone";
            write_state(Communicator(MPI_COMM_SELF), alone, truth.header,
                        tables_of(truth.grains, truth.contacts), truth.walls);
            EXPECT_TRUE(bytes_of(path) == bytes_of(alone)) << "seed " << seed;
        }
    }
    world_.barrier();
    EXPECT_EQ(files_in(folder_), 24u);
}

TEST_F(StateFileTest, hash_does_not_depend_on_the_distribution) {
    const auto truth = random_truth(3, 500, 1500, 2);
    const auto expected = state_hash(truth.header, truth.grains, truth.contacts, truth.walls);
    for (std::uint64_t dice = 0; dice < 8; ++dice)
        EXPECT_EQ(
            state_hash(world_,
                       tables_of(share(world_, truth.grains, dice), share(world_, truth.contacts, dice + 9)),
                       truth.header, truth.walls),
            expected);
    // A contact without impulse is no part of the state.
    auto contacts = truth.contacts;
    contacts.push_back({1, 2, {1, 0, 0}, 0.1, {0, 0, 0}});
    EXPECT_EQ(table_hash(truth.grains, contacts), table_hash(truth.grains, truth.contacts));
    contacts.back().impulse.x = 1e-300;
    EXPECT_NE(table_hash(truth.grains, contacts), table_hash(truth.grains, truth.contacts));
}

TEST_F(StateFileTest, hash_covers_the_whole_state) {
    const auto truth = random_truth(3, 50, 150, 2);
    const auto hash_of = [](const Truth& state) {
        return state_hash(state.header, state.grains, state.contacts, state.walls);
    };
    const auto expect_other = [&](const char* what, auto&& change) {
        Truth other = truth;
        change(other);
        EXPECT_NE(hash_of(other), hash_of(truth)) << what;
    };
    const auto nudge = [](double& number) { number = std::nextafter(number, 9.0); };
    expect_other("position", [&](Truth& t) { nudge(t.grains[7].position.z); });
    expect_other("radius", [&](Truth& t) { nudge(t.grains[7].radius); });
    expect_other("velocity", [&](Truth& t) { nudge(t.grains[7].velocity.x); });
    expect_other("spin", [&](Truth& t) { nudge(t.grains[7].spin.y); });
    expect_other("material", [&](Truth& t) { ++t.grains[7].material; });
    expect_other("a lost particle", [&](Truth& t) { t.grains.pop_back(); });
    expect_other("impulse", [&](Truth& t) { nudge(t.contacts[7].impulse.x); });
    expect_other("bond", [&](Truth& t) { ++t.contacts[7].bond; });
    expect_other("wall's point", [&](Truth& t) { nudge(t.walls[1].point.z); });
    expect_other("wall's velocity", [&](Truth& t) { nudge(t.walls[1].velocity.z); });
    expect_other("wall's force", [&](Truth& t) { nudge(t.walls[1].force); });
    expect_other("wall's mass", [&](Truth& t) { nudge(t.walls[1].mass); });
    expect_other("walls exchanged", [&](Truth& t) { std::swap(t.walls[0], t.walls[1]); });
    expect_other("a wall less", [&](Truth& t) { t.walls.pop_back(); });
    expect_other("time", [&](Truth& t) { nudge(t.header.time); });
    expect_other("step", [&](Truth& t) { ++t.header.step; });
    expect_other("time step", [&](Truth& t) { nudge(t.header.time_step); });
    expect_other("box", [&](Truth& t) { nudge(t.header.upper.y); });
    // Nor is a box without particles no state.
    EXPECT_NE(state_hash({}, {}, {}, {}), StateHash());
}

TEST_F(StateFileTest, replaces_an_earlier_file) {
    const auto path = folder_ + "/state.h5";
    write(path, random_truth(1, 1000, 2000, 3), 1);
    const auto second = random_truth(2, 10, 5, 1);
    write(path, second, 2);
    expect_same(path, second);
    world_.barrier();
    EXPECT_EQ(files_in(folder_), 1u);
}

TEST_F(StateFileTest, twins_are_refused) {
    auto truth = random_truth(1, 100, 0, 0);
    truth.grains[50].id = truth.grains[49].id;
    EXPECT_THROW(write(folder_ + "/state.h5", truth, 1), std::logic_error);
}

TEST_F(StateFileTest, unwritable_places_are_errors_on_every_rank) {
    const auto truth = random_truth(1, 100, 100, 1);
    EXPECT_NE(error_of_write(folder_ + "/nowhere/state.h5", truth)
                  .find("No such file or directory. Make the folder"),
              std::string::npos);
    EXPECT_NE(error_of_write("/proc/state.h5", truth).find("cannot write /proc/state.h5: "),
              std::string::npos);
    if (world_.rank() == 0)
        fs::create_directory(folder_ + "/folder.h5");
    world_.barrier();
    EXPECT_NE(error_of_write(folder_ + "/folder.h5", truth).find("There is a folder of this name"),
              std::string::npos);
    EXPECT_EQ(files_in(folder_), 1u);
}

using FullDiskTest = WithStates<SmallDiskTest>;

TEST_F(FullDiskTest, an_earlier_state_survives) {
    const auto path = folder_ + "/state.h5";
    const auto small = random_truth(1, 100, 300, 2), large = random_truth(2, 20000, 1000, 2);
    write(path, small, 1);
    EXPECT_NE(error_of_write(path, large).find("No space left on device. Free some space"),
              std::string::npos);
    EXPECT_EQ(files_in(folder_), 1u);
    expect_same(path, small);
    fill(folder_ + "/filler"); // not a byte is left, also not for the first one
    EXPECT_NE(error_of_write(path, small).find("No space left on device"), std::string::npos);
    expect_same(path, small);
    // Once there is space again the run can go on writing.
    remove(folder_ + "/filler");
    write(path, random_truth(3, 200, 10, 1), 1);
    expect_same(path, random_truth(3, 200, 10, 1));
}

TEST_F(FullDiskTest, a_series_waits_and_warns_once) {
    int warnings = 0;
    {
        Series series(world_, folder_ + "/series.csv", {"time [s]", "energy [J]"},
                      [&](const std::string& text) {
                          ++warnings;
                          EXPECT_NE(text.find("No space"), std::string::npos);
                      });
        fill(folder_ + "/filler");
        for (int i = 0; i < 10000; ++i)
            series.row(std::vector<double>{0.1 * i, 1.0 / 3});
        EXPECT_EQ(series.flush(), world_.rank() != 0);
        EXPECT_EQ(series.row(std::vector<double>{1, 2}), world_.rank() != 0);
        remove(folder_ + "/filler");
        EXPECT_TRUE(series.flush());
        EXPECT_EQ(warnings, world_.rank() == 0 ? 1 : 0);
    }
    if (world_.rank() == 0) {
        std::ifstream file(folder_ + "/series.csv");
        std::string line;
        int lines = 0;
        for (; std::getline(file, line); ++lines)
            EXPECT_EQ(std::ranges::count(line, ','), 1);
        EXPECT_EQ(lines, 10002);
    }
}

TEST_F(FullDiskTest, lines_that_find_no_room_in_memory_are_not_forgotten) {
    int warnings = 0;
    const auto path = folder_ + "/series.csv";
    {
        Series series(
            world_, path, {"time [s]"}, [&](const std::string&) { ++warnings; }, 8192);
        EXPECT_TRUE(series.flush());
        fill(folder_ + "/filler");
        for (int i = 0; i < 10000; ++i)
            series.row(std::vector<double>{1.0 * i});
        EXPECT_EQ(warnings, world_.rank() == 0 ? 2 : 0);
        remove(folder_ + "/filler");
        EXPECT_EQ(series.flush(), world_.rank() != 0);
        EXPECT_TRUE(series.row(std::vector<double>{10000}));
        EXPECT_EQ(series.flush(), world_.rank() != 0);
        EXPECT_EQ(warnings, world_.rank() == 0 ? 2 : 0);
    }
    if (world_.rank() == 0) {
        const auto text = bytes_of(path);
        EXPECT_TRUE(text.starts_with("time [s]\n0\n1\n2\n") && text.ends_with("\n10000\n"));
        EXPECT_LT(text.size(), 16384u);
    }
}

} // namespace
} // namespace tamp
