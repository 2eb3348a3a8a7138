#include "tamp/io/snapshot_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "folder_test.hpp"
#include "synthetic_view.hpp"
#include "tamp/io/row_order.hpp"
#include "tamp/io/series_file.hpp"
#include "tamp/io/snapshot_layout.hpp"
#include "tamp/io/state_file.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

/// All numbers of a dataset, as it lies in memory.
template <class T>
std::vector<T> read_dataset(const std::string& path, const std::string& name) {
    const hid_t type = std::is_same_v<T, double>          ? H5T_NATIVE_DOUBLE
                       : std::is_same_v<T, std::int32_t>  ? H5T_NATIVE_INT32
                       : std::is_same_v<T, std::int64_t>  ? H5T_NATIVE_INT64
                       : std::is_same_v<T, std::uint64_t> ? H5T_NATIVE_UINT64
                                                          : H5I_INVALID_HID;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << path << " " << name;
    const hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
    EXPECT_GT(H5Tequal(stored, type), 0) << name;
    std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Tclose(stored);
    H5Dclose(dataset);
    H5Fclose(file);
    return values;
}

template <class T>
std::vector<double> flat(const std::vector<T>& vectors) {
    std::vector<double> numbers;
    for (const auto& v : vectors)
        if constexpr (std::is_same_v<T, Vec3>)
            numbers.insert(numbers.end(), {v.x, v.y, v.z});
        else
            numbers.insert(numbers.end(), v.begin(), v.end());
    return numbers;
}

class SnapshotTestParts {
public:
    static View truth(std::int64_t step, std::uint64_t particles, std::uint64_t contacts) {
        View view = empty_view(step);
        for (std::uint64_t i = 0; i < particles; ++i)
            add_particle(view, i);
        for (std::uint64_t c = 0; c < contacts; ++c)
            add_contact(view, c);
        return view;
    }

    /// The file holds this view, whose rows are in the order of the file.
    static void expect_holds(const std::string& path, const View& view, bool with_contacts) {
        const ParticleView& p = view.particles;
        EXPECT_EQ(read_dataset<std::uint64_t>(path, "particles/id"), p.id);
        EXPECT_EQ(read_dataset<double>(path, "particles/position"), flat(p.position));
        EXPECT_EQ(read_dataset<double>(path, "particles/radius"), p.radius);
        EXPECT_EQ(read_dataset<double>(path, "particles/mass"), p.mass);
        EXPECT_EQ(read_dataset<double>(path, "particles/velocity"), flat(p.velocity));
        EXPECT_EQ(read_dataset<double>(path, "particles/angular_velocity"), flat(p.angular_velocity));
        EXPECT_EQ(read_dataset<std::int32_t>(path, "particles/material"), p.material);
        EXPECT_EQ(read_dataset<std::int32_t>(path, "particles/coordination"), p.coordination);
        EXPECT_EQ(read_dataset<double>(path, "particles/stress"), flat(p.stress));
        const auto speed = read_dataset<double>(path, "particles/speed"),
                   pressure = read_dataset<double>(path, "particles/pressure");
        for (std::size_t i = 0; i < p.size(); ++i) {
            ASSERT_EQ(speed[i], norm(p.velocity[i]));
            ASSERT_EQ(pressure[i], p.pressure(i, 3));
        }
        if (!with_contacts)
            return;
        const ContactView& c = view.contacts;
        EXPECT_EQ(read_dataset<std::uint64_t>(path, "contacts/first"), c.first);
        EXPECT_EQ(read_dataset<std::uint64_t>(path, "contacts/second"), c.second);
        const auto wall = read_dataset<std::int32_t>(path, "contacts/wall");
        ASSERT_EQ(wall.size(), c.size());
        for (std::size_t k = 0; k < c.size(); ++k)
            ASSERT_EQ(wall[k], c.with_wall(k) ? 1 : -1) << "the synthetic contacts touch wall 1 only";
        EXPECT_EQ(read_dataset<double>(path, "contacts/normal"), flat(c.normal));
        EXPECT_EQ(read_dataset<double>(path, "contacts/gap"), c.gap);
        EXPECT_EQ(read_dataset<double>(path, "contacts/force"), flat(c.force));
        EXPECT_EQ(read_dataset<double>(path, "contacts/normal_force"), c.normal_force);
        EXPECT_EQ(read_dataset<double>(path, "contacts/tangential_force"), c.tangential_force);
        EXPECT_EQ(read_dataset<double>(path, "contacts/mobilisation"), c.mobilisation);
        EXPECT_TRUE(
            std::ranges::equal(read_dataset<std::int64_t>(path, "contacts/bond"), c.history.integers(0)));
        const auto ends = read_dataset<double>(path, "contacts/ends");
        const auto line = read_dataset<std::uint64_t>(path, "contacts/line");
        ASSERT_EQ(line.size(), 2 * c.size());
        for (std::size_t k = 0; k < c.size(); ++k)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                ASSERT_EQ(ends[3 * line[2 * k] + axis], c.from[k][static_cast<int>(axis)]);
                ASSERT_EQ(ends[3 * line[2 * k + 1] + axis], c.to[k][static_cast<int>(axis)]);
            }
    }

    const std::vector<Wall> walls{{.name = "floor"}, {.name = "lid"}};
    const RunIdentity identity{"a title", "title = \"a title\"\n", 7, 5};
};

class SnapshotTest : public FolderTest, public SnapshotTestParts {};
class SnapshotDiskTest : public SmallDiskTest, public SnapshotTestParts {};

TEST_F(SnapshotTest, come_back_and_do_not_depend_on_the_ranks) {
    std::int64_t step = 0;
    // Particles, contacts (-1: not stored), chunk, compression
    for (const auto& [particles, contacts, chunk, compression] :
         {std::tuple(0, 0, 16, 4), std::tuple(1, 0, 16, 0), std::tuple(100, 150, 7, 1),
          std::tuple(300, -1, 10000, 9), std::tuple(64, 128, 16, 0), std::tuple(3000, 5001, 512, 4),
          std::tuple(3000, 5001, 512, 0)}) {
        const bool with_contacts = contacts >= 0;
        const SnapshotSettings settings{with_contacts, compression, static_cast<std::size_t>(chunk)};
        const auto n = static_cast<std::uint64_t>(particles),
                   c = static_cast<std::uint64_t>(with_contacts ? contacts : 5);
        ++step;
        SnapshotFile(world_, folder_, identity, settings)
            .write(synthetic_view(world_, step, n, c, static_cast<std::uint64_t>(step)), walls, "press");
        if (world_.rank() == 0) {
            const Communicator alone(MPI_COMM_SELF);
            fs::create_directory(folder_ + "/alone");
            SnapshotFile(alone, folder_ + "/alone", identity, settings)
                .write(truth(step, n, c), walls, "press");
            const auto name = snapshot_path(step);
            expect_holds(folder_ + "/" + name, truth(step, n, c), with_contacts);
            expect_holds(folder_ + "/alone/" + name, truth(step, n, c), with_contacts);
            // HDF5 puts compressed blocks where it likes; all else is where one rank puts it.
            if (compression == 0) {
                EXPECT_TRUE(bytes_of(folder_ + "/" + name) == bytes_of(folder_ + "/alone/" + name));
            }
            EXPECT_EQ(bytes_of(folder_ + "/snapshots.h5"), bytes_of(folder_ + "/alone/snapshots.h5"));
            EXPECT_EQ(bytes_of(folder_ + "/snapshots.xmf"), bytes_of(folder_ + "/alone/snapshots.xmf"));
        }
        world_.barrier();
    }
}

TEST_F(SnapshotTest, compressed_files_are_smaller) {
    SnapshotFile plain(world_, folder_, identity, {.compression = 0}),
        small(world_, folder_, identity, {.compression = 4});
    plain.write(synthetic_view(world_, 1, 3000, 5000, 1), walls, "press");
    small.write(synthetic_view(world_, 2, 3000, 5000, 1), walls, "press");
    const auto size = [&](std::int64_t step) { return fs::file_size(folder_ + "/" + snapshot_path(step)); };
    EXPECT_GT(size(1), 3000u * 168 + 5000u * 164);
    EXPECT_LT(2 * size(2), size(1));
}

TEST_F(SnapshotTest, index_lists_by_step_and_a_step_is_replaced) {
    SnapshotFile snapshots(world_, folder_, identity, {});
    snapshots.write(synthetic_view(world_, 12, 30, 20, 1), walls, "press");
    snapshots.write(synthetic_view(world_, 123456789, 31, 21, 1), walls, "press");
    snapshots.write(synthetic_view(world_, 12, 32, 22, 1), walls, "press");
    const std::vector<SnapshotEntry> expected{{12, 3, 32, 22}, {123456789, 123456789 / 4.0, 31, 21}};
    EXPECT_EQ(snapshots.entries(), expected);
    EXPECT_EQ(files_in(folder_), 3u);
    EXPECT_EQ(files_in(folder_ + "/snapshots"), 2u);
    if (world_.rank() == 0) {
        // Through the links of the index.
        expect_holds(folder_ + "/snapshots/00000012.h5", truth(12, 32, 22), true);
        EXPECT_EQ(read_dataset<double>(folder_ + "/snapshots.h5", "00000012/particles/radius"),
                  truth(12, 32, 22).particles.radius);
        EXPECT_EQ(read_dataset<double>(folder_ + "/snapshots.h5", "123456789/contacts/gap"),
                  truth(0, 31, 21).contacts.gap);
        EXPECT_EQ(read_dataset<double>(folder_ + "/snapshots.h5", "time"),
                  (std::vector{3.0, 123456789 / 4.0}));
        const auto text = describe_state(folder_ + "/snapshots.h5");
        EXPECT_NE(text.find("snapshots/00000012.h5: 3 s, 32 particles, 22 contacts"), std::string::npos)
            << text;
    }
}

TEST_F(SnapshotTest, unwritable_places_are_errors_on_every_rank) {
    const auto view = synthetic_view(world_, 1, 30, 20, 1);
    EXPECT_NE(error_of([&] {
                  SnapshotFile(world_, folder_ + "/nowhere", identity).write(view, walls, "press");
              }).find("No such file or directory. Make the folder"),
              std::string::npos);
    if (world_.rank() == 0) // the name of the index is taken by a folder
        fs::create_directory(folder_ + "/snapshots.h5");
    world_.barrier();
    SnapshotFile snapshots(world_, folder_, identity);
    EXPECT_NE(error_of([&] { snapshots.write(view, walls, "press"); }).find("There is a folder of this name"),
              std::string::npos);
    EXPECT_EQ(files_in(folder_ + "/snapshots"), 0u);
    EXPECT_EQ(files_in(folder_), 2u);
    EXPECT_TRUE(snapshots.entries().empty());
    EXPECT_THROW(SnapshotFile(world_, folder_, identity, {.compression = 10}), std::logic_error);
}

TEST_F(SnapshotTest, index_and_xdmf_go_together) {
    SnapshotFile snapshots(world_, folder_, identity);
    snapshots.write(synthetic_view(world_, 1, 30, 20, 1), walls, "press");
    const auto index = bytes_of(folder_ + "/snapshots.h5"), xdmf = bytes_of(folder_ + "/snapshots.xmf");
    for (const std::string taken : {"snapshots.h5", "snapshots.xmf"}) { // by a folder
        world_.barrier();
        if (world_.rank() == 0) {
            fs::rename(folder_ + "/" + taken, folder_ + "/aside");
            fs::create_directory(folder_ + "/" + taken);
        }
        world_.barrier();
        const auto error =
            error_of([&] { snapshots.write(synthetic_view(world_, 2, 30, 20, 1), walls, "press"); });
        EXPECT_NE(error.find(taken + ": Is a directory"), std::string::npos) << error;
        EXPECT_EQ(files_in(folder_ + "/snapshots"), 1u);
        if (world_.rank() == 0) {
            fs::remove(folder_ + "/" + taken);
            fs::rename(folder_ + "/aside", folder_ + "/" + taken);
        }
        world_.barrier();
        EXPECT_EQ(bytes_of(folder_ + "/snapshots.h5"), index);
        EXPECT_EQ(bytes_of(folder_ + "/snapshots.xmf"), xdmf);
    }
    EXPECT_EQ(files_in(folder_), 3u);
}

TEST_F(SnapshotTest, enough_room_is_reserved_for_what_cannot_be_compressed) {
    for (const auto& [count, chunk, compression] :
         {std::tuple(200, 20, 1), std::tuple(300, 299, 9), std::tuple(901, 300, 1)}) {
        const auto particles = static_cast<std::uint64_t>(count), contacts = 2 * particles;
        View view = synthetic_view(world_, 1, particles, contacts, 1);
        Random random(1, static_cast<std::uint64_t>(world_.rank()), Purpose::test);
        const auto noise = [&](auto& column) {
            for (auto& value : column)
                value = std::bit_cast<double>(random.bits());
        };
        const auto noise_of_three = [&](auto& column) {
            for (Vec3& value : column)
                for (int axis = 0; axis < 3; ++axis)
                    value[axis] = std::bit_cast<double>(random.bits());
        };
        noise(view.particles.radius);
        noise_of_three(view.particles.position);
        noise_of_three(view.particles.velocity);
        for (auto& stress : view.particles.stress)
            noise(stress);
        noise_of_three(view.contacts.force);
        noise_of_three(view.contacts.from);
        noise_of_three(view.contacts.to);
        noise(view.contacts.gap);
        const SnapshotStorage storage{compression, static_cast<std::size_t>(chunk)};
        SnapshotFile(world_, folder_, identity, {true, compression, storage.chunk_rows})
            .write(view, walls, "press");
        const auto room = snapshot_image(identity, {0, 0, 1, view.box, "press"}, SnapshotGroups(view), walls,
                                         particles, contacts, true, storage)
                              .size() +
                          snapshot_room(SnapshotGroups(view), particles, contacts, true, storage);
        EXPECT_LE(fs::file_size(folder_ + "/snapshots/00000001.h5"), room)
            << count << " " << chunk << " " << compression;
    }
}

TEST_F(SnapshotDiskTest, earlier_snapshots_survive_a_full_disk) {
    SnapshotFile snapshots(world_, folder_, identity);
    snapshots.write(synthetic_view(world_, 1, 200, 300, 1), walls, "press");
    const auto first = bytes_of(folder_ + "/snapshots/00000001.h5"),
               index = bytes_of(folder_ + "/snapshots.h5"), xdmf = bytes_of(folder_ + "/snapshots.xmf");
    const auto expect_untouched = [&] {
        EXPECT_EQ(files_in(folder_ + "/snapshots"), 1u);
        EXPECT_EQ(bytes_of(folder_ + "/snapshots/00000001.h5"), first);
        EXPECT_EQ(bytes_of(folder_ + "/snapshots.h5"), index);
        EXPECT_EQ(bytes_of(folder_ + "/snapshots.xmf"), xdmf);
        EXPECT_FALSE(fs::exists(folder_ + "/snapshots.h5.partial"));
        EXPECT_FALSE(fs::exists(folder_ + "/snapshots.xmf.partial"));
        world_.barrier();
    };
    const auto error =
        error_of([&] { snapshots.write(synthetic_view(world_, 2, 20000, 1000, 2), walls, "press"); });
    EXPECT_NE(error.find("00000002.h5: No space left on device. Free some space"), std::string::npos)
        << error;
    expect_untouched();
    fill(folder_ + "/filler"); // not a byte is left
    EXPECT_NE(error_of([&] {
                  snapshots.write(synthetic_view(world_, 2, 3, 1, 3), walls, "press");
              }).find("No space left on device"),
              std::string::npos);
    expect_untouched();
    remove(folder_ + "/filler");
    snapshots.write(synthetic_view(world_, 2, 300, 100, 3), walls, "press");
    EXPECT_EQ(files_in(folder_ + "/snapshots"), 2u);
    if (world_.rank() == 0)
        expect_holds(folder_ + "/snapshots/00000002.h5", truth(2, 300, 100), true);
}

TEST_F(SnapshotDiskTest, a_series_waits_and_warns_once) {
    const auto path = folder_ + "/series.h5";
    int warnings = 0;
    const auto row = [](double time) {
        return std::vector<Quantity>{{"energy", "J", "Energy", {2 * time}},
                                     {"profile", "1", "Profile", {time, -time, 0.5}, {3}}};
    };
    {
        SeriesFile series(world_, path, identity, [&](const std::string& text) {
            ++warnings;
            EXPECT_NE(text.find("No space"), std::string::npos) << text;
        });
        EXPECT_TRUE(series.append("", 0, row(0)));
        EXPECT_TRUE(series.flush());
        fill(folder_ + "/filler");
        EXPECT_TRUE(series.append("", 1, row(1)));
        EXPECT_TRUE(series.flush()); // there is room in the blocks of the file
        for (int i = 2; i < 5000; ++i)
            series.append("", i, row(i));
        EXPECT_EQ(series.flush(), world_.rank() != 0);
        EXPECT_EQ(series.flush(), world_.rank() != 0);
        EXPECT_EQ(series.append("", 5000, row(5000)), world_.rank() != 0);
        EXPECT_EQ(files_in(folder_), 2u);
        if (world_.rank() == 0) {
            EXPECT_EQ(read_dataset<double>(path, "energy"), (std::vector<double>{0, 2}));
        }
        remove(folder_ + "/filler");
        EXPECT_TRUE(series.flush());
        EXPECT_EQ(warnings, world_.rank() == 0 ? 1 : 0);
    }
    if (world_.rank() == 0) {
        const auto times = read_dataset<double>(path, "time"),
                   profile = read_dataset<double>(path, "profile");
        ASSERT_EQ(times.size(), 5001u);
        ASSERT_EQ(profile.size(), 3 * 5001u);
        for (std::size_t i = 0; i < times.size(); ++i) {
            ASSERT_EQ(times[i], static_cast<double>(i));
            ASSERT_EQ(profile[3 * i + 1], -times[i]);
        }
    }
}

TEST(RowOrder, brings_rows_into_order_in_whole_chunks) {
    const Communicator world(MPI_COMM_WORLD);
    const auto ranks = static_cast<std::uint64_t>(world.size());
    for (const std::uint64_t total : {0, 1, 5, 16, 100, 1000})
        for (const std::uint64_t chunk : {1, 7, 16, 5000}) {
            // Row i has the key (i / 3, i % 3); rank i % ranks has it, in falling order.
            std::vector<RowKey> keys;
            std::vector<std::uint64_t> rows;
            for (std::uint64_t i = total; i-- > 0;)
                if (i % ranks == static_cast<std::uint64_t>(world.rank())) {
                    keys.push_back({i / 3, i % 3});
                    rows.push_back(i);
                }
            const RowOrder order(world, keys, chunk);
            EXPECT_EQ(order.slab().total, total);
            EXPECT_TRUE(order.slab().begin % chunk == 0 || order.slab().count == 0);
            const auto bytes = order.arrange(std::as_bytes(std::span(rows)), 8);
            ASSERT_EQ(bytes.size(), 8 * order.slab().count);
            for (std::size_t k = 0; k < order.slab().count; ++k) {
                std::uint64_t row = 0;
                std::memcpy(&row, &bytes[8 * k], 8);
                ASSERT_EQ(row, order.slab().begin + k);
            }
            // Evenly: the fullest rank has at most a chunk more than the others.
            const auto chunks = (total + chunk - 1) / chunk;
            EXPECT_LE(order.slab().count, (chunks + ranks - 1) / ranks * chunk);
        }
}

/// For tests/system/snapshots.sh, which looks at the files with other programs.
TEST(FilesForOthers, are_written_where_the_environment_says) {
    const char* folder = std::getenv("TAMP_TEST_FOLDER");
    if (!folder)
        GTEST_SKIP() << "TAMP_TEST_FOLDER names no folder";
    const Communicator world(MPI_COMM_WORLD);
    const RunIdentity identity{"title é", "title = \"title é\"\n", 7, world.size()};
    const std::vector<Wall> walls{{.name = "floor"}, {.name = "lid"}};
    SnapshotFile snapshots(world, folder, identity, {.chunk_rows = 16});
    snapshots.write(synthetic_view(world, 0, 50, 0, 1), walls, "fill");
    snapshots.write(synthetic_view(world, 10, 60, 90, 2), walls, "fill");
    snapshots.write(synthetic_view(world, 25, 40, 33, 3), walls, "press");
    snapshots.write(synthetic_view(world, 40, 45, 0, 4), walls, "press");
    SeriesFile series(world, std::string(folder) + "/series.h5", identity);
    const bool endless = std::getenv("TAMP_TEST_ENDLESS"); // until it is killed
    for (int i = 0; i < 3000 || endless; ++i) {
        const double time = i / 8.0;
        series.append("", time, std::vector<Quantity>{{"kinetic_energy", "J", "Energy", {3 * time}}});
        if (i % 10 == 0)
            series.append("profile", time,
                          std::vector<Quantity>{
                              {"volume_fraction", "1", "Solid part", {time, -time, 1, 2, 3, 4}, {2, 3}}});
        if (endless)
            series.flush();
    }
}

} // namespace
} // namespace tamp
