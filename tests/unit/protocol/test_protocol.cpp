#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tamp/measure/measures.hpp"
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
class EndOfStage : public testing::Test {
protected:
    EndOfStage() : world_(self(), setup(), {}, grains()) {}

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
    StageEnd reason(const Stage& stage, std::int64_t steps, double begin = 0,
                    std::optional<double> until = {}) {
        return StopConditions{stage, begin, until}.reason_to_end(world_, forces_, steps, memory_);
    }

    World world_;
    ContactForces forces_;
    StageMemory memory_;
};

TEST_F(EndOfStage, ByItsDurationOrItsSteps) {
    const Stage stage{.name = "a", .duration = 2.0, .steps = 5};
    EXPECT_EQ((StopConditions{stage, 1.5, {}}.end_time()), 3.5);
    world_.clock.time = 3.4;
    EXPECT_EQ(reason(stage, 4, 1.5), StageEnd::none);
    EXPECT_EQ(reason(stage, 5, 1.5), StageEnd::steps);
    world_.clock.time = 3.5;
    EXPECT_EQ(reason(stage, 4, 1.5), StageEnd::duration);
    EXPECT_EQ((StopConditions{Stage{.name = "b"}, 1.5, {}}.end_time()), never);
    EXPECT_EQ((StopConditions{stage, 1.5, {}}.share_done(2.0, 4)), 0.8) << "4 of 5 steps, 0.5 of 2 s";
    EXPECT_EQ((StopConditions{stage, 1.5, {}}.share_done(3.5, 4)), 1.0);
}

/// --until makes the last stage longer, never shorter, and nothing else ends it.
TEST_F(EndOfStage, CanBeExtended) {
    const Stage stage{.name = "a", .duration = 2.0, .steps = 5};
    EXPECT_EQ((StopConditions{stage, 0, 7.0}.end_time()), never);
    EXPECT_EQ((StopConditions{stage, 0, 1.0}.end_time()), 2.0);
    world_.clock.time = 1.9;
    EXPECT_EQ(reason(stage, 100, 0, 7.0), StageEnd::none);
    world_.clock.time = 2;
    EXPECT_EQ(reason(stage, 100, 0, 1.0), StageEnd::duration);
}

TEST_F(EndOfStage, ByTheVolumeFraction) {
    const Stage stage{.name = "a", .until_fraction = 0.2};
    world_.walls[0].point.z = 0.5001;
    EXPECT_EQ(reason(stage, 1), StageEnd::none);
    EXPECT_NEAR(memory_.solid_volume, 0.1, 1e-12);
    world_.walls[0].point.z = 0.4999;
    EXPECT_EQ(reason(stage, 1), StageEnd::fraction);
    memory_.solid_volume = 0.05; // remembered as long as nobody leaves
    EXPECT_EQ(reason(stage, 1), StageEnd::none);
    world_.totals.lost = 1;
    EXPECT_EQ(reason(stage, 1), StageEnd::fraction) << "found anew";
    EXPECT_EQ(memory_.solid_volume_lost, 1);
}

/// nu = 0.1 (1 + g t/a)^3, at the first step that is there; with particles that left, too.
TEST_F(EndOfStage, ByTheVolumeFractionWhileRadiiGrow) {
    const double radius = grains()[0].radius, wanted = 0.15, step = 1e-3;
    const Stage stage{.name = "a", .until_fraction = wanted, .growth = {.rate = radius}};
    const StopConditions conditions{stage, 0, {}};
    const int expected = static_cast<int>(std::ceil((std::cbrt(wanted / 0.1) - 1) / step));
    world_.set_growth(stage.growth);
    for (int steps = 1; steps < expected; ++steps) {
        world_.grow(step);
        world_.clock.time = step * steps;
        ASSERT_EQ(reason(stage, steps), StageEnd::none) << steps;
        ASSERT_NEAR(conditions.share_done(world_, steps), step * steps / (step * expected), 0.01);
    }
    EXPECT_EQ(memory_.solid_volume, 0) << "no volume is remembered that will be another one";
    world_.grow(step);
    EXPECT_EQ(reason(stage, expected), StageEnd::fraction);
    EXPECT_NEAR(conditions.share_done(world_, expected), 1, 0.01);
    world_.particles.owned = 0; // one that left: its volume no longer counts
    EXPECT_EQ(reason(stage, expected), StageEnd::none);
}

/// One sphere of kinetic energy m v^2/2 and no contact.
TEST_F(EndOfStage, ByTheEnergyRatioAtALook) {
    const Stage stage{.name = "a", .until_energy_ratio = 0.5};
    const double kinetic = 0.5 * 2500 * 0.1 * 0.01 * 0.01;
    const auto with_springs = [&](std::optional<double> energy, std::int64_t steps) {
        return StopConditions{stage, 0, {}}.reason_to_end(world_, forces_, steps, memory_, energy);
    };
    EXPECT_EQ(with_springs(2.01 * kinetic, 10), StageEnd::energy_ratio);
    EXPECT_EQ(with_springs(2.01 * kinetic, 9), StageEnd::none) << "looks are ten steps apart";
    EXPECT_EQ(with_springs(1.99 * kinetic, 10), StageEnd::none);
    EXPECT_EQ(with_springs(0, 10), StageEnd::none) << "nobody touches";
    EXPECT_EQ(with_springs({}, 10), StageEnd::none) << "rigid grains have no springs";
    EXPECT_EQ(energy_ratio(3, 2), 1.5);
    EXPECT_FALSE(energy_ratio(0, 0));
}

/// A second sphere, held fixed, touches the first one: one contact for each.
TEST(EndOfGrowth, ByTheCoordinationNumber) {
    WorldSetup setup;
    setup.materials = MaterialTable({{"glass", 2500, 0.3}});
    World world(self(), setup, {},
                std::vector<Grain>{{.id = 0, .position = {0.3, 0.5, 0.5}, .radius = 0.1},
                                   {.id = 1, .position = {0.5, 0.5, 0.5}, .radius = 0.1}});
    world.search_neighbours({.margin = 0.01});
    const std::vector<Vec3> none{{0, 0, 0}}, one{{1, 0, 0}};
    const Stage stage{.name = "a", .until_coordination = 1};
    StageMemory memory;
    const auto reason = [&](const std::vector<Vec3>& forces, std::int64_t steps) {
        ContactForces found;
        found.pairs = forces;
        return StopConditions{stage, 0, {}}.reason_to_end(world, found, steps, memory);
    };
    EXPECT_EQ(reason(none, 10), StageEnd::none);
    EXPECT_EQ(reason(one, 11), StageEnd::none);
    EXPECT_EQ(reason(one, 20), StageEnd::coordination);
}

TEST_F(EndOfStage, ByRestButNotBeforeGravityCouldAct) {
    const Stage stage{.name = "a", .until_speed = 0.02}; // 2 v / g = 4 ms
    world_.clock.time = 1.003;
    EXPECT_EQ(reason(stage, 50, 1), StageEnd::none) << "gravity needs 4 ms";
    world_.clock.time = 1.005;
    EXPECT_EQ(reason(stage, 9, 1), StageEnd::none) << "ten steps at least";
    EXPECT_EQ(reason(stage, 10, 1), StageEnd::rest);
    world_.motion.local_speed = 0.021;
    EXPECT_EQ(reason(stage, 10, 1), StageEnd::none);
}

/// A load that has just been put on a packing at rest: nobody moves yet, or the piston alone does.
TEST_F(EndOfStage, ByRestButNotBeforeALoadCouldAct) {
    const Stage stage{.name = "a", .until_speed = 0.02};
    world_.motion.local_speed = 0;
    world_.walls[0].motion = WallMotion::piston;
    world_.walls[0].mass = 2;
    world_.walls[0].force = 8; // 2 v m / F = 10 ms; gravity needs 4 ms
    world_.clock.time = 1.009;
    EXPECT_EQ(reason(stage, 50, 1), StageEnd::none) << "the load needs 10 ms";
    world_.clock.time = 1.011;
    EXPECT_EQ(reason(stage, 50, 1), StageEnd::rest);
    world_.walls[0].velocity = {0, 0, -0.021};
    EXPECT_EQ(reason(stage, 50, 1), StageEnd::none) << "the piston is on its way";
}

/// Looks ten steps apart, three in a row.
TEST_F(EndOfStage, ByBalanceThatLasts) {
    // A sphere that bears nothing is not in balance, whatever the limit.
    const Stage stage{.name = "a", .until_balance = 0.999};
    for (std::int64_t step = 1; step <= 40; ++step)
        EXPECT_EQ(reason(stage, step), StageEnd::none);
    // Whatever is at most 1 counts as balanced: the looks alone decide.
    const Stage lax{.name = "b", .until_balance = 1.001};
    for (std::int64_t step = 1; step < 30; ++step)
        EXPECT_EQ(reason(lax, step), StageEnd::none) << step;
    EXPECT_EQ(memory_.balanced_since, 10);
    EXPECT_EQ(reason(stage, 30), StageEnd::none);
    EXPECT_EQ(memory_.balanced_since, 0) << "a look that finds none begins anew";
    EXPECT_EQ(reason(lax, 40), StageEnd::none);
    EXPECT_EQ(reason(lax, 40), StageEnd::none) << "a run that goes on looks once more";
    EXPECT_EQ(reason(lax, 50), StageEnd::none);
    EXPECT_EQ(reason(lax, 50), StageEnd::none);
    EXPECT_EQ(reason(lax, 60), StageEnd::balance);
}

TEST(StageText, SaysWhatAStageWaitedForInVain) {
    EXPECT_EQ(end_text({.name = "a", .until_balance = 0.1}, StageEnd::balance), "balance");
    EXPECT_EQ(end_text({.name = "a", .duration = 1.0}, StageEnd::duration), "its duration");
    EXPECT_EQ(end_text({.name = "a", .duration = 1.0, .until_balance = 0.1}, StageEnd::duration),
              "its duration, before forces were balanced (until_balance)");
    EXPECT_EQ(end_text({.name = "a", .steps = 9, .until_fraction = 0.6}, StageEnd::steps),
              "its steps, before its volume fraction was reached (until_fraction)");
    EXPECT_EQ(end_text({.name = "a", .until_energy_ratio = 0.1}, StageEnd::energy_ratio), "the energy ratio");
    EXPECT_EQ(end_text({.name = "a", .steps = 9, .until_coordination = 6}, StageEnd::steps),
              "its steps, before its coordination number was reached (until_coordination)");
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

TEST(WallCommands, StressActsOnTheAreaThatWallsLeave) {
    const Box box{.lower = {0, 0, 0},
                  .upper = {1, 1, 1},
                  .boundary = {Boundary::open, Boundary::periodic, Boundary::open}};
    std::vector<Wall> walls{{.name = "lid", .point = {0, 0, 0.8}, .normal = {0, 0, -1}},
                            {.name = "left", .point = {0.25, 0, 0}, .normal = {1, 0, 0}},
                            {.name = "right", .point = {0.5, 0, 0}, .normal = {-1, 0, 0}}};
    const Stage stage{
        .name = "press",
        .walls = {{.wall = "lid", .motion = WallMotion::piston, .mass = 1, .force = 1, .stress = 8}}};
    apply_commands(stage, box, walls);
    EXPECT_DOUBLE_EQ(walls[0].force, 8 * 0.25);
    walls[2].point.x = 0.75; // where a file put it
    apply_commands(stage, box, walls);
    EXPECT_DOUBLE_EQ(walls[0].force, 8 * 0.5);
}

} // namespace
} // namespace tamp
