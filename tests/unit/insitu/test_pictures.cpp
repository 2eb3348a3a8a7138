#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tamp/insitu/picture_file.hpp"
#include "tamp/insitu/pictures.hpp"

namespace tamp {
namespace {

namespace fs = std::filesystem;

class PictureFile : public testing::Test {
protected:
    PictureFile()
        : folder_(fs::temp_directory_path() / ("tamp-pictures-" + std::to_string(getpid()))),
          path_(picture_path(folder_, "a", 1200)) {
        fs::create_directories(folder_);
    }
    ~PictureFile() override { fs::remove_all(folder_); }

    void write(const std::string& content) { std::ofstream(unfinished_path(path_)) << content; }

    fs::path folder_;
    std::string path_;
    const std::string beginning_ = "\x89PNG\r\n\x1a\n", end_ = "IEND\xae\x42\x60\x82";
};

TEST_F(PictureFile, IsCalledAfterItsStep) {
    EXPECT_EQ(picture_path("images", "speed", 1200), "images/speed-00001200.png");
    EXPECT_EQ(picture_path("images", "speed", 123456789), "images/speed-123456789.png");
    EXPECT_TRUE(unfinished_path(path_).ends_with(".png"));
    EXPECT_NE(unfinished_path(path_), path_);
}

TEST_F(PictureFile, AppearsWhole) {
    write(beginning_ + "pixels" + end_);
    EXPECT_EQ(publish_picture(path_), "");
    EXPECT_TRUE(fs::exists(path_));
    EXPECT_FALSE(fs::exists(unfinished_path(path_)));
}

TEST_F(PictureFile, ThatIsHalfOrNotThereIsAProblem) {
    EXPECT_NE(publish_picture(path_).find("was not written"), std::string::npos);
    for (const std::string& half : {std::string(), beginning_, beginning_ + "pix", "no picture" + end_}) {
        write(half);
        EXPECT_NE(publish_picture(path_).find("is the disk full?"), std::string::npos) << half;
        EXPECT_FALSE(fs::exists(path_));
        EXPECT_FALSE(fs::exists(unfinished_path(path_)));
    }
}

TEST_F(PictureFile, ThatIsNotWantedLeavesNothing) {
    write(beginning_ + "pixels" + end_);
    discard_picture(path_);
    EXPECT_TRUE(fs::is_empty(folder_));
    discard_picture(path_); // again: there is none
}

TEST_F(PictureFile, ScriptsAreFoundBesideTheCaseFirst) {
    EXPECT_EQ(find_picture_script("nowhere.py", folder_), "");
    const std::string shipped = find_picture_script("particles", folder_);
    EXPECT_TRUE(shipped.ends_with("share/tamp/catalyst/particles.py")) << shipped;
    EXPECT_EQ(find_picture_script("particles.py", folder_), shipped);
    std::ofstream(folder_ / "particles.py") << "# mine\n";
    EXPECT_EQ(find_picture_script("particles.py", folder_), (folder_ / "particles.py").string());
    EXPECT_EQ(find_picture_script(shipped, folder_), shipped);
    EXPECT_EQ(picture_scripts(), (std::vector<std::string>{"chains", "particles", "profile", "slice"}));
}

/// DISPLAY as it was before.
class Display {
public:
    Display() : before_(std::getenv("DISPLAY") ? std::getenv("DISPLAY") : "") {}
    ~Display() {
        if (!before_.empty())
            setenv("DISPLAY", before_.c_str(), 1);
    }

private:
    std::string before_;
};

TEST(Pictures, NeedADisplayAndSaySo) {
    const Display keep;
    unsetenv("DISPLAY");
    EXPECT_NE(display_problem().find("DISPLAY is not set"), std::string::npos);
    EXPECT_NE(display_problem().find("jobscripts/with-display.sh"), std::string::npos);
    setenv("DISPLAY", ":98765", 1);
    EXPECT_NE(display_problem(), "");
    setenv("DISPLAY", "localhost:10.0", 1);
    EXPECT_NE(display_problem().find("'localhost:10.0' is not one of this machine"), std::string::npos);
}

TEST(Pictures, ThatCannotBeDrawnLeaveTheRunAlone) {
    const Display keep;
    unsetenv("DISPLAY");
    const Communicator self(MPI_COMM_SELF);
    std::vector<std::string> told;
    Pictures pictures(self, "nowhere", {{.name = "a", .script = "b.py"}},
                      [&](const std::string& text) { told.push_back(text); });
    const std::size_t due[] = {0};
    pictures.draw({}, {}, {}, due);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].starts_with("no pictures: ")) << told[0];
    EXPECT_FALSE(pictures.active(0));
    EXPECT_EQ(pictures.cost().pictures, 0);
    EXPECT_FALSE(fs::exists("nowhere"));
}

} // namespace
} // namespace tamp
