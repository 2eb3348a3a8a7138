#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tamp/protocol/stop_conditions.hpp"
#include "tamp/protocol/wall_commands.hpp"

namespace tamp {
namespace {

constexpr double never = std::numeric_limits<double>::max();

const Communicator& self() {
    static const Communicator communicator(MPI_COMM_SELF);
    return communicator;
}

/// One sphere of volume fraction 0.1 in a box of height 1 below a lid.
class StageEnd : public testing::Test {
protected:
    StageEnd() : world_(self(), setup(), {}, grains()) {}

    static WorldSetup setup() {
        WorldSetup setup;
        setup.materials = MaterialTable({{"glass", 2500, 0.3}});
        setup.gravity = {0, 0, -10};
        setup.walls = {{.name = "lid", .point = {0, 0, 1}, .normal = {0, 0, -1}}};
        return setup;
    }
    static std::vector<Grain> grains() {
        return {{.id = 0,
                 .position = {0.5, 0.5, 0.4},
                 .radius = std::cbrt(0.1 * 3 / (4 * std::numbers::pi)),
                 .velocity = {0, 0, 0.01}}};
    }
    std::string reason(const Stage& stage, std::int64_t steps, double begin = 0,
                       std::optional<double> until = {}) {
        return StopConditions{stage, begin, until}.reason_to_end(world_, steps, solid_);
    }

    World world_;
    SolidVolume solid_;
};

TEST_F(StageEnd, ByItsDurationOrItsSteps) {
    const Stage stage{.name = "a", .duration = 2.0, .steps = 5};
    EXPECT_EQ((StopConditions{stage, 1.5, {}}.end_time()), 3.5);
    world_.clock.time = 3.4;
    EXPECT_EQ(reason(stage, 4, 1.5), "");
    EXPECT_EQ(reason(stage, 5, 1.5), "its steps");
    world_.clock.time = 3.5;
    EXPECT_EQ(reason(stage, 4, 1.5), "its duration");
    EXPECT_EQ((StopConditions{Stage{.name = "b"}, 1.5, {}}.end_time()), never);
}

/// --until makes the last stage longer, never shorter, and nothing else ends it.
TEST_F(StageEnd, CanBeExtended) {
    const Stage stage{.name = "a", .duration = 2.0, .steps = 5};
    EXPECT_EQ((StopConditions{stage, 0, 7.0}.end_time()), never);
    EXPECT_EQ((StopConditions{stage, 0, 1.0}.end_time()), 2.0);
    world_.clock.time = 1.9;
    EXPECT_EQ(reason(stage, 100, 0, 7.0), "");
    world_.clock.time = 2;
    EXPECT_EQ(reason(stage, 100, 0, 1.0), "its duration");
}

TEST_F(StageEnd, ByTheVolumeFraction) {
    const Stage stage{.name = "a", .until_fraction = 0.2};
    world_.walls[0].point.z = 0.5001;
    EXPECT_EQ(reason(stage, 1), "");
    EXPECT_NEAR(solid_.volume, 0.1, 1e-12);
    world_.walls[0].point.z = 0.4999;
    EXPECT_EQ(reason(stage, 1), "the volume fraction");
    solid_.volume = 0.05; // remembered as long as nobody leaves
    EXPECT_EQ(reason(stage, 1), "");
    world_.totals.lost = 1;
    EXPECT_EQ(reason(stage, 1), "the volume fraction") << "found anew";
    EXPECT_EQ(solid_.lost, 1);
}

TEST_F(StageEnd, ByRestButNotBeforeGravityCouldAct) {
    const Stage stage{.name = "a", .until_speed = 0.02}; // 2 v / g = 4 ms
    world_.clock.time = 1.003;
    EXPECT_EQ(reason(stage, 50, 1), "") << "gravity needs 4 ms";
    world_.clock.time = 1.005;
    EXPECT_EQ(reason(stage, 9, 1), "") << "ten steps at least";
    EXPECT_EQ(reason(stage, 10, 1), "rest");
    world_.motion.local_speed = 0.021;
    EXPECT_EQ(reason(stage, 10, 1), "");
}

TEST(WallCommands, ReachTheWallOfThatName) {
    std::vector<Wall> walls{{.name = "floor"}, {.name = "lid", .velocity = {0, 0, -1}, .mass = 3}};
    apply_command({.wall = "lid", .motion = WallMotion::piston, .velocity = {9, 9, 9}, .force = 5}, walls);
    EXPECT_EQ(walls[0].motion, WallMotion::fixed);
    EXPECT_EQ(walls[1].motion, WallMotion::piston);
    EXPECT_EQ(walls[1].velocity, (Vec3{0, 0, 0})) << "a wall that becomes free starts from rest";
    EXPECT_EQ(walls[1].mass, 3) << "no mass in the command: it stays";
    EXPECT_EQ(walls[1].force, 5);

    walls[1].velocity = {0, 0, -0.25};
    apply_command({.wall = "lid", .motion = WallMotion::piston, .mass = 7, .force = 6}, walls);
    EXPECT_EQ(walls[1].velocity, (Vec3{0, 0, -0.25})) << "a piston goes on as it moves";
    EXPECT_EQ(walls[1].mass, 7);

    apply_command({.wall = "lid", .motion = WallMotion::driven, .velocity = {0, 0, 2}}, walls);
    EXPECT_EQ(walls[1].velocity, (Vec3{0, 0, 2}));
    EXPECT_EQ(walls[1].force, 0);
}

} // namespace
} // namespace tamp
