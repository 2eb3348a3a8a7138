#pragma once

#include <gtest/gtest.h>

#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tamp/base/errors.hpp"
#include "tamp/mpi/communicator.hpp"

namespace tamp {

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A temporary folder that all ranks share.
class FolderTest : public testing::Test {
protected:
    FolderTest() {
        std::string folder = (std::filesystem::temp_directory_path() / "tamp-test-XXXXXX").string();
        if (world_.rank() == 0 && !mkdtemp(folder.data()))
            ADD_FAILURE() << "no temporary folder";
        world_.broadcast(folder);
        folder_ = folder;
    }
    ~FolderTest() override {
        world_.barrier();
        if (world_.rank() == 0)
            std::filesystem::remove_all(folder_);
    }

    /// The message of the FileError of a collective action, the same on every rank.
    template <class Action>
    std::string error_of(Action&& action) const {
        std::string message = "no error";
        try {
            action();
        } catch (const FileError& error) {
            message = error.what();
        }
        auto of_rank_0 = message;
        world_.broadcast(of_rank_0);
        EXPECT_EQ(message, of_rank_0);
        return message;
    }

    std::size_t files_in(const std::string& folder) const {
        world_.barrier(); // rank 0 may still write what the others do not wait for
        const auto files = std::distance(std::filesystem::directory_iterator(folder), {});
        world_.barrier(); // nobody goes on while another one counts
        return static_cast<std::size_t>(files);
    }

    Communicator world_{MPI_COMM_WORLD};
    std::string folder_;
};

/// The folder is a file system of one megabyte.
class SmallDiskTest : public FolderTest {
protected:
    void SetUp() override {
        mounted_ =
            !world_.any(world_.rank() == 0 &&
                        (::geteuid() != 0 || ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=1m") != 0));
        if (!mounted_)
            GTEST_SKIP() << "mounting a small file system needs root";
    }
    void TearDown() override {
        world_.barrier();
        if (mounted_ && world_.rank() == 0)
            ::umount2(folder_.c_str(), MNT_DETACH);
        world_.barrier();
    }
    void fill(const std::string& path) const {
        if (world_.rank() == 0) {
            std::ofstream file(path, std::ios::binary);
            const std::string block(4096, 'x');
            while (file.write(block.data(), 4096).flush())
                ;
        }
        world_.barrier();
    }
    void remove(const std::string& path) const {
        if (world_.rank() == 0)
            std::filesystem::remove(path);
        world_.barrier();
    }

    bool mounted_ = false;
};

} // namespace tamp
