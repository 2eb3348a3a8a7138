// A checkpoint that one rank alone cannot read: all ranks say the same, and none waits for the others.

#include <gtest/gtest.h>

#include "folder_test.hpp"
#include "tamp/io/checkpoint_file.hpp"
#include "tamp/world/world.hpp"

namespace tamp {
namespace {

class CheckpointFile : public FolderTest {
protected:
    void SetUp() override {
        std::vector<Grain> grains;
        for (std::uint64_t i = 0; i < 20; ++i)
            grains.push_back(
                {.id = i, .position = {0.05 * static_cast<double>(i), 0.5, 0.5}, .radius = 0.01});
        WorldSetup setup;
        setup.materials = MaterialTable({{"glass", 2500, 0.3}});
        checkpoint_.world = World(world_, setup, {}, grains).save();
        checkpoint_.state_hash = "made up";
        checkpoint_.follows = true;
        // The row of a table of one row is read by the last rank.
        if (world_.rank() == 0)
            checkpoint_.displacements = {{.id = 0, .last = {1, 2, 3}, .way = {}}};
        write("good", checkpoint_);
    }

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    void write(const std::string& name, const Checkpoint& checkpoint) const {
        write_checkpoint(world_, path(name), checkpoint);
    }

    /// What is said where one rank finds the file of this name, and all others a good one.
    std::string error_where(int rank, const std::string& name) const {
        world_.barrier();
        return error_of([&] { read_checkpoint(world_, path(world_.rank() == rank ? name : "good")); });
    }

    void expect_error(const std::string& name, const std::string& text) const {
        for (const int rank : {0, world_.size() - 1})
            EXPECT_NE(error_where(rank, name).find(text), std::string::npos) << name << " on rank " << rank;
    }

    Checkpoint checkpoint_;
};

TEST_F(CheckpointFile, GoodOnAllRanks) { EXPECT_EQ(error_where(-1, ""), "no error"); }

TEST_F(CheckpointFile, MissingOnOneRank) { expect_error("nowhere", "cannot read " + path("nowhere")); }

TEST_F(CheckpointFile, CutShortOnOneRank) {
    if (world_.rank() == 0) {
        std::filesystem::copy_file(path("good"), path("short"));
        std::filesystem::resize_file(path("short"), std::filesystem::file_size(path("good")) - 64);
    }
    expect_error("short", "damaged or incomplete");
}

TEST_F(CheckpointFile, WithoutAColumnOnOneRank) {
    WordTable& particles = checkpoint_.world.particles;
    ASSERT_TRUE(offset_of(particles.columns, "reference"));
    for (ColumnInfo& column : particles.columns)
        if (column.name == "reference")
            column.name = "another";
    write("bare", checkpoint_);
    expect_error("bare", "no dataset /particles/reference");
}

TEST_F(CheckpointFile, OfAnotherStepOnOneRank) {
    if (world_.size() == 1)
        GTEST_SKIP() << "needs two ranks that differ";
    checkpoint_.world.totals.steps = 7;
    write("later", checkpoint_);
    expect_error("later", "finds another state in it");
}

TEST_F(CheckpointFile, WithOtherTablesOnOneRank) {
    if (world_.size() == 1)
        GTEST_SKIP() << "needs two ranks that differ";
    checkpoint_.follows = false;
    write("fewer", checkpoint_);
    expect_error("fewer", "finds another state in it");
}

/// All data are right, but the first rank, which has no share of them, finds another checksum in its file.
TEST_F(CheckpointFile, WithAnotherChecksumOnOneRank) {
    if (world_.size() == 1)
        GTEST_SKIP() << "needs two ranks that differ";
    if (world_.rank() == 0)
        checkpoint_.displacements[0].way = {0, 0, 1};
    write("moved", checkpoint_);
    EXPECT_NE(error_where(0, "moved").find("/displacements/way does not match its checksum"),
              std::string::npos);
}

} // namespace
} // namespace tamp
