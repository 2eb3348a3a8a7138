#include "tamp/io/safe_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "folder_test.hpp"
#include "synthetic_view.hpp"
#include "tamp/io/snapshot_file.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

/// The folder is a file system that cannot reserve space and does not know how much is free, as some network
/// file systems with a quota; the quota is played by the largest size of a file.
class ReservedRoom : public FolderTest {
protected:
    void SetUp() override {
        mounted_ = !world_.any(world_.rank() == 0 && (::geteuid() != 0 || ::mount("ramfs", folder_.c_str(),
                                                                                  "ramfs", 0, nullptr) != 0));
        if (!mounted_)
            GTEST_SKIP() << "mounting a file system needs root";
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
    }
    void TearDown() override {
        world_.barrier();
        if (!mounted_)
            return;
        allow(before_.rlim_cur);
        ::signal(SIGXFSZ, SIG_DFL);
        if (world_.rank() == 0)
            ::umount2(folder_.c_str(), MNT_DETACH);
        world_.barrier();
    }
    void allow(rlim_t bytes) const {
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }

    bool mounted_ = false;
    rlimit before_{};
};

std::vector<double> read_radii(const std::string& path) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "particles/radius", H5P_DEFAULT), space = H5Dget_space(dataset);
    std::vector<double> radii(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, radii.data()), 0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    return radii;
}

TEST_F(ReservedRoom, a_quota_is_met_before_the_ranks_write_together) {
    const std::vector<Wall> walls{{.name = "floor"}, {.name = "lid"}};
    SnapshotFile snapshots(world_, folder_, {"a title", "", 7, 5}, {.compression = 4});
    const auto write = [&] { snapshots.write(synthetic_view(world_, 1, 3000, 5000, 1), walls, "press"); };
    allow(200'000);
    const auto error = error_of(write);
    EXPECT_NE(error.find("00000001.h5: File too large. Free some space"), std::string::npos) << error;
    EXPECT_NE(error.find("It needs"), std::string::npos) << error; // said where room is reserved
    EXPECT_EQ(files_in(folder_ + "/snapshots"), 0u);
    allow(before_.rlim_cur);
    write();
    if (world_.rank() == 0) {
        View truth = empty_view(1);
        for (std::uint64_t i = 0; i < 3000; ++i)
            add_particle(truth, i);
        EXPECT_EQ(read_radii(folder_ + "/snapshots/00000001.h5"), truth.particles.radius);
    }
}

TEST_F(ReservedRoom, is_written_where_it_cannot_be_reserved) {
    if (world_.rank() != 0)
        GTEST_SKIP() << "rank 0 writes alone";
    const auto path = folder_ + "/file";
    const std::string text = "beginning";
    constexpr std::size_t total = 2'500'000; // no multiple of what is written at once
    EXPECT_EQ(reserve_partial(path, std::as_bytes(std::span(text)), total), "");
    EXPECT_EQ(publish_partial(path), "");
    EXPECT_TRUE(bytes_of(path) == text + std::string(total - text.size(), '\0'));
    EXPECT_EQ(reserve_behind(path, 1'500'000), "");
    EXPECT_TRUE(bytes_of(path) == text + std::string(total + 1'500'000 - text.size(), '\0'));
    // What cannot be had leaves the file as it was.
    allow(5'000'000);
    EXPECT_NE(reserve_behind(path, 1'500'000).find("File too large"), std::string::npos);
    EXPECT_EQ(fs::file_size(path), 4'000'000u);
    // An image that is all there is to write is written once.
    EXPECT_EQ(reserve_partial(path, std::as_bytes(std::span(text)), text.size()), "");
    EXPECT_EQ(bytes_of(partial_path(path)), text);
}

} // namespace
} // namespace tamp
