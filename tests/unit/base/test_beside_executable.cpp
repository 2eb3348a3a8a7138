#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tamp/base/beside_executable.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

TEST(BesideExecutable, LooksInItsFolderAndThenOneUp) {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    const std::string part = "test-of-parts-" + std::to_string(getpid());
    EXPECT_EQ(find_beside_executable(part), "");
    const std::string places = places_beside_executable(part);
    for (const fs::path& place : {folder.parent_path() / part, folder / part}) {
        EXPECT_NE(places.find(place.string()), std::string::npos) << places;
        std::ofstream(place) << "a part\n";
        EXPECT_EQ(find_beside_executable(part), place);
    }
    fs::remove(folder / part);
    fs::remove(folder.parent_path() / part);
    EXPECT_EQ(find_beside_executable(part), "");
}

} // namespace
} // namespace tamp
