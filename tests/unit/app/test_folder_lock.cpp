#include "tamp/app/folder_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tamp/base/errors.hpp"

namespace tamp {
namespace {

class FolderLockTest : public testing::Test {
protected:
    FolderLockTest() {
        std::string name = (std::filesystem::temp_directory_path() / "tamp-lock-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~FolderLockTest() override { std::filesystem::remove_all(folder_); }

    FolderLock take() const { return {self_, folder_}; }
    /// Why it cannot be taken.
    std::string refusal() const {
        try {
            take();
        } catch (const InputError& error) {
            return error.what();
        }
        return "it can be taken";
    }
    std::string path() const { return folder_ + "/" + FolderLock::name; }
    std::string text() const {
        std::ifstream file(path());
        return {std::istreambuf_iterator<char>(file), {}};
    }

    Communicator self_{MPI_COMM_SELF};
    std::string folder_;
};

TEST_F(FolderLockTest, NamesItsHolderToASecondOne) {
    const FolderLock lock = take();
    EXPECT_EQ(lock.problem(), "");
    const std::string holder = fmt::format("process {} on host ", getpid());
    EXPECT_TRUE(text().starts_with(holder)) << text();
    const std::string message = refusal();
    EXPECT_NE(message.find("a run is at work in this folder: " + holder), std::string::npos) << message;
    EXPECT_TRUE(text().starts_with(holder)) << "who is refused leaves the text alone";
}

TEST_F(FolderLockTest, IsFreeAfterItsEndAndNamesNobody) {
    take();
    EXPECT_TRUE(std::filesystem::exists(path()));
    EXPECT_EQ(text(), "");
    EXPECT_EQ(refusal(), "it can be taken");
}

TEST_F(FolderLockTest, OldTextLocksNothing) {
    std::ofstream(path()) << "process 1 on host of-a-run-that-was-killed\n";
    EXPECT_EQ(refusal(), "it can be taken");
}

TEST_F(FolderLockTest, MovesWithItsOwner) {
    FolderLock lock = take(), other;
    other = std::move(lock);
    EXPECT_NE(refusal(), "it can be taken");
    const FolderLock third = std::move(other);
    EXPECT_NE(refusal(), "it can be taken");
}

TEST_F(FolderLockTest, IsNotReleasedByClosingAnotherDescriptor) {
    const FolderLock lock = take();
    ::close(::open(path().c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_NE(refusal(), "it can be taken");
}

TEST_F(FolderLockTest, IsNotKeptByAProgramThatWasStarted) {
    pid_t child = 0;
    {
        const FolderLock lock = take();
        std::string program = "sleep", seconds = "30";
        char* arguments[] = {program.data(), seconds.data(), nullptr};
        ASSERT_EQ(posix_spawnp(&child, "sleep", nullptr, nullptr, arguments, environ), 0);
    }
    EXPECT_EQ(refusal(), "it can be taken");
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

TEST_F(FolderLockTest, SaysWhyAFolderCannotBeLocked) {
    const FolderLock nowhere(self_, folder_ + "/nowhere");
    EXPECT_NE(nowhere.problem().find("run.lock cannot be locked: No such file or directory"),
              std::string::npos)
        << nowhere.problem();
}

TEST_F(FolderLockTest, DoesNotWriteThroughALink) {
    std::ofstream(folder_ + "/precious") << "data";
    std::filesystem::create_symlink("precious", path());
    EXPECT_NE(take().problem(), "");
    EXPECT_EQ(text(), "data");
}

} // namespace
} // namespace tamp
