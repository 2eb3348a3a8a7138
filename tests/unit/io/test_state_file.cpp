#include "tamp/io/state_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "state_records.hpp"
#include "tamp/base/errors.hpp"
#include "tamp/base/random.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

class StateReadTest : public testing::Test {
protected:
    StateReadTest() {
        folder_ = (fs::temp_directory_path() / "tamp-test-XXXXXX").string();
        if (!mkdtemp(folder_.data()))
            ADD_FAILURE() << "no temporary folder";
        path_ = folder_ + "/state.h5";
        for (std::uint64_t id = 0; id < 50; ++id) {
            Random random(1, id, Purpose::test);
            const auto vector = [&] { return Vec3{random.uniform(), random.uniform(), random.uniform()}; };
            grains_.push_back({id, vector(), 0.25 + 0.01 * static_cast<double>(id), vector(), vector(), 0});
            contacts_.push_back({id, id + 1, vector(), -1e-9, vector()});
        }
        contacts_.back().second = wall_bit | 1;
        contacts_.front().impulse = {0, 0, 0};
        StateHeader header = header_;
        header.densities = {3000};
        write_state(Communicator(MPI_COMM_SELF), path_, header, tables_of(grains_, contacts_), walls_);
        bytes_ = bytes_of(path_);
    }
    ~StateReadTest() override { fs::remove_all(folder_); }

    static std::string bytes_of(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::string error_of_bytes(const std::string& bytes) const {
        std::ofstream(folder_ + "/bad.h5", std::ios::binary) << bytes;
        return error_of(folder_ + "/bad.h5");
    }
    static std::string error_of(const std::string& path) {
        try {
            (void)read_state(path);
        } catch (const FileError& error) {
            return error.what();
        }
        return "no error";
    }
    std::string error_after(const std::function<void(hid_t)>& change) const {
        fs::copy_file(path_, folder_ + "/changed.h5", fs::copy_options::overwrite_existing);
        const hid_t file = H5Fopen((folder_ + "/changed.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        change(file);
        H5Fclose(file);
        return error_of(folder_ + "/changed.h5");
    }

    StateHeader header_{1.5, 42, 3, "press", "title = \"x\"\n", 7, 1, 1e-3, {0, 0, 0}, {1, 2, 3}, {"glass"}};
    std::vector<Grain> grains_;
    std::vector<ContactRecord> contacts_;
    std::vector<Wall> walls_{Wall{.name = "floor"}, Wall{.name = "lid", .torque = {4, 5, 6}}};
    std::string folder_, path_, bytes_;
};

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(StateReadTest, gives_grains) { EXPECT_EQ(grains_of(read_state(path_).tables.particles), grains_); }

/// Files of the time when a hash was of positions, velocities, spins and impulses alone, and when the names
/// of materials stood in the input only. In version 2 the groups did not list their columns either.
TEST_F(StateReadTest, older_versions_are_still_read) {
    StateHash older = contact_hash(tables_of({}, contacts_).contacts);
    for (const Grain& grain : grains_) {
        std::vector<std::uint64_t> words{grain.id};
        for (const Vec3& vector : {grain.position, grain.velocity, grain.spin})
            for (int axis = 0; axis < 3; ++axis)
                words.push_back(StateHash::bits(vector[axis]));
        older.add(words);
    }
    const auto make_older = [&](std::int64_t version, const std::string& hash) {
        return [=](hid_t file) {
            const hid_t number = H5Aopen(file, "format_version", H5P_DEFAULT);
            H5Awrite(number, H5T_NATIVE_INT64, &version);
            H5Aclose(number);
            const hid_t text = H5Aopen(file, "state_hash", H5P_DEFAULT), type = H5Aget_type(text);
            const char* pointer = hash.c_str();
            H5Awrite(text, type, &pointer);
            H5Tclose(type);
            H5Aclose(text);
            H5Ldelete(file, "materials", H5P_DEFAULT);
            if (version == 2)
                for (const char* group : {"particles", "contacts"})
                    H5Adelete_by_name(file, group, "columns", H5P_DEFAULT);
        };
    };
    for (const std::int64_t version : {2, 3}) {
        EXPECT_EQ(error_after(make_older(version, older.text())), "no error") << version;
        const State state = read_state(folder_ + "/changed.h5");
        EXPECT_EQ(grains_of(state.tables.particles), grains_);
        EXPECT_EQ(contacts_of(state.tables.contacts), contacts_);
        EXPECT_EQ(state.hash, state_hash(header_, grains_, contacts_, walls_)) << "that of today";
        EXPECT_TRUE(state.header.materials.empty());
        EXPECT_CONTAINS(error_after(make_older(version, std::string(32, 'a'))),
                        "do not match their state_hash");
    }
}

TEST_F(StateReadTest, missing_and_foreign_files) {
    EXPECT_CONTAINS(error_of(folder_ + "/none.h5"), "none.h5: No such file or directory. Check the name");
    EXPECT_CONTAINS(error_of(folder_), "it is a folder");
    EXPECT_CONTAINS(error_of_bytes("time,energy\n1,2\n"), "not an HDF5 file");
    EXPECT_CONTAINS(error_of_bytes(""), "not an HDF5 file");
    H5Fclose(H5Fcreate((folder_ + "/foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_CONTAINS(error_of(folder_ + "/foreign.h5"), "not a tamp state");
}

TEST_F(StateReadTest, truncated_files) {
    EXPECT_EQ(error_of_bytes(bytes_), "no error");
    for (std::size_t k = 1; k < 100; ++k)
        EXPECT_CONTAINS(error_of_bytes(bytes_.substr(0, bytes_.size() * k / 100)), "cannot read");
    EXPECT_EQ(error_of_bytes(bytes_.substr(0, bytes_.size() - 64)), "no error"); // the seal may go
    EXPECT_CONTAINS(error_of_bytes(bytes_.substr(0, bytes_.size() - 65)), "truncated");
}

TEST_F(StateReadTest, parts_that_are_missing_or_wrong) {
    EXPECT_CONTAINS(error_after([](hid_t file) { H5Ldelete(file, "particles/radius", H5P_DEFAULT); }),
                    "no dataset /particles/radius");
    EXPECT_CONTAINS(error_after([](hid_t file) { H5Ldelete(file, "walls", H5P_DEFAULT); }),
                    "no dataset /walls/");
    EXPECT_CONTAINS(error_after([](hid_t file) { H5Adelete(file, "time"); }), "no attribute time");
    const auto link = [](const char* from, const char* to) {
        return [=](hid_t file) {
            H5Ldelete(file, to, H5P_DEFAULT);
            H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT);
        };
    };
    EXPECT_CONTAINS(error_after(link("particles/id", "particles/radius")),
                    "/particles has no proper column radius");
    EXPECT_CONTAINS(error_after(link("particles/radius", "particles/position")),
                    "/particles has no proper column position");
    EXPECT_CONTAINS(error_after(link("walls/mass", "particles/radius")), "has 2 rows instead of 50");
    EXPECT_CONTAINS(error_after(link("particles/position", "particles/velocity")),
                    "do not match their state_hash");
    EXPECT_CONTAINS(error_after(link("particles/radius", "contacts/gap")), "do not match their data_hash");
    EXPECT_CONTAINS(error_after([](hid_t file) {
                        const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
                        const std::int64_t other = 5;
                        H5Awrite(attribute, H5T_NATIVE_INT64, &other);
                        H5Aclose(attribute);
                    }),
                    "format version is 5");
}

TEST_F(StateReadTest, one_changed_byte_in_the_data) {
    const auto* data = reinterpret_cast<const char*>(&grains_[25].radius);
    const auto at = bytes_.find(std::string(data, 8));
    ASSERT_NE(at, std::string::npos);
    auto bytes = bytes_;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT_CONTAINS(error_of_bytes(bytes), "the data do not match their state_hash");
}

TEST_F(StateReadTest, any_changed_byte_is_found) {
    // HDF5 itself would not notice most of these, and crash on some.
    for (std::size_t at = 0; at < bytes_.size() - 64; at += 37) {
        auto bytes = bytes_;
        bytes[at] = static_cast<char>(~bytes[at]);
        EXPECT_CONTAINS(error_of_bytes(bytes), "cannot read") << " at " << at;
    }
}

TEST_F(StateReadTest, description) {
    const auto text = describe_state(path_);
    for (const char* part : {"press", "1.5 s", "42", "(0, 0, 0) to (1, 2, 3) m", "particles:   50\n",
                             "0.5 to 1.48 m", "50, 49 of them loaded", "12 bytes"})
        EXPECT_CONTAINS(text, part);
    EXPECT_CONTAINS(text, "state hash: " + state_hash(header_, grains_, contacts_, walls_).text() + "\n");
}

TEST_F(StateReadTest, files_without_torques_of_walls_are_read) {
    EXPECT_EQ(error_after([](hid_t file) { H5Ldelete(file, "walls/torque", H5P_DEFAULT); }), "no error");
    EXPECT_EQ(read_state(folder_ + "/changed.h5").walls[1].torque, (Vec3{0, 0, 0}));
    EXPECT_EQ(read_state(path_).walls[1].torque, (Vec3{4, 5, 6}));
}

TEST_F(StateReadTest, opens_in_python) {
    std::string python;
    for (const char* candidate : {"python3", "/usr/bin/python3"})
        if (python.empty() &&
            std::system((std::string(candidate) + " -c 'import h5py' 2>/dev/null").c_str()) == 0)
            python = candidate;
    if (python.empty())
        GTEST_SKIP() << "no python3 with h5py";
    const auto script = folder_ + "/check.py";
    std::ofstream(script) << R"(
import sys, h5py
file = h5py.File(sys.argv[1])
assert file.attrs["format"] == "tamp-state" and file.attrs["format_version"] == 4
assert file.attrs["stage"] == "press" and file.attrs["time"] == 1.5 and file.attrs["step"] == 42
assert file.attrs["input"] == 'title = "x"\n' and file.attrs["seed"] == 7 and list(file.attrs["upper"]) == [1, 2, 3]
assert len(file.attrs["state_hash"]) == 32
assert file["particles/position"].shape == (50, 3) and file["particles/position"].attrs["unit"] == "m"
assert list(file["particles/id"]) == list(range(50)) and file["particles/radius"][4] == 0.25 + 0.01 * 4
assert file["contacts/second"][49] == 2**63 + 1 and file["contacts/impulse"].shape == (50, 3)
assert list(file["walls/name"].asstr()) == ["floor", "lid"]
assert list(file["materials/name"].asstr()) == ["glass"]
assert file["contacts/wall"][49] == 1 and list(file["contacts/wall"][:49]) == 49 * [-1]
assert abs(file["particles/mass"][4] / (3000 * 4 / 3 * 3.141592653589793 * 0.29**3) - 1) < 1e-14
datasets = []
file.visititems(lambda name, item: datasets.append(item) if isinstance(item, h5py.Dataset) else None)
assert list(file["walls/torque"][1]) == [4, 5, 6] and file["walls/torque"].attrs["unit"] == "N m"
assert len(datasets) == 45 and all(d.attrs["unit"] and d.attrs["description"] for d in datasets)
)";
    EXPECT_EQ(std::system((python + " " + script + " " + path_).c_str()), 0);
}

} // namespace
} // namespace tamp
