#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"

namespace tamp {
namespace {

using test::message_of;
using test::minimal_case;
using test::parse_with;

constexpr const char* full_case = R"(
title = "everything"
dimension = 3
seed = 42
gravity = [0.5, 0, -9.81]

[domain]
lower = [-1, 0, 0]
upper = [1, 1, 3.0]
boundary = ["periodic", "open", "wall"]
wall_material = "steel"

[[material]]
name = "glass"
density = 2500
friction = 0.5

[[material]]
name = "steel"
density = 7800.0
friction = 0.2

[[pair]]
between = ["steel", "glass"]
friction = 0.3

[[particles]]
generator = "random"
material = "steel"
fraction = 0.2
lower = [-1, 0, 0]
upper = [1, 1, 1]
velocity = [1, 2, 3]
speed = 0.25
size = {distribution = "uniform", min = 0.1, max = 0.2}

[[particles]]
generator = "lattice"
count = 7
lower = [-1, 0, 1]
upper = [1, 1, 2]
spacing = 0.25
jitter = 0.5
[particles.size]
distribution = "mixture"
diameters = [0.1, 0.2]
weights = [3, 1.5]

[[particles]]
generator = "file"
path = "grains.csv"

[[wall]]
name = "lid"
point = [0, 0, 2.5]
normal = [0, 0, -2]
material = "glass"
mass = 3
stress = 100
area = 2

[[wall]]
name = "slope"
point = [0, 0, 0]
normal = [0, 3, 4]
velocity = [0, 0.1, 0]
area = 1.5

[[wall]]
name = "plate"
point = [0, 1, 0]
normal = [0, -1, 0]
mass = 2
force = -5

[solver]
order = "symmetric"
tolerance = 1e-5
force_tolerance = 0.01
min_sweeps = 2
max_sweeps = 50

[time]
max_step = 1e-4
displacement = 0.1

[neighbours]
skin = 0.02
tile = 0.5

[output]
directory = "results"
series_every = 3

[[stage]]
name = "fall"
duration = 0.5
steps = 100
until_speed = 1e-3

[[stage]]
name = "press"
duration = 1
until_fraction = 0.6
[[stage.wall]]
name = "slope"
stress = 20
mass = 4
[[stage.wall]]
name = "lid"
force = 7
[[stage.wall]]
name = "z-"
velocity = [0, 0, 0.5]

[[stage]]
name = "rest"
steps = 1
[[stage.wall]]
name = "slope"
force = 1
[[stage.wall]]
name = "z-"
hold = true
)";

TEST(ParseCase, TopAndDomain) {
    const Case c = parse_with({}, full_case);
    EXPECT_EQ(c.title, "everything");
    EXPECT_EQ(c.seed, 42u);
    EXPECT_EQ(c.gravity, (Vec3{0.5, 0, -9.81}));
    EXPECT_EQ(c.box.dimension, 3);
    EXPECT_EQ(c.box.lower, (Vec3{-1, 0, 0}));
    EXPECT_EQ(c.box.upper, (Vec3{1, 1, 3}));
    EXPECT_EQ(c.box.boundary[0], Boundary::periodic);
    EXPECT_EQ(c.box.boundary[1], Boundary::open);
    EXPECT_EQ(c.box.boundary[2], Boundary::wall);
}

TEST(ParseCase, Materials) {
    const Case c = parse_with({}, full_case);
    ASSERT_EQ(c.materials.size(), 2);
    EXPECT_EQ(c.materials[1].name, "steel");
    EXPECT_EQ(c.materials[1].density, 7800);
    EXPECT_EQ(c.materials[0].friction, 0.5);
    EXPECT_EQ(c.materials.friction(0, 1), 0.3);
    EXPECT_EQ(c.materials.friction(1, 1), 0.2);
}

TEST(ParseCase, Generators) {
    const Case c = parse_with({}, full_case);
    ASSERT_EQ(c.generators.size(), 3u);
    const GeneratorSettings& random = c.generators[0];
    EXPECT_EQ(random.kind, GeneratorKind::random);
    EXPECT_EQ(random.material, 1);
    EXPECT_EQ(random.fraction, 0.2);
    EXPECT_EQ(random.count, 0);
    EXPECT_EQ(random.lower, (Vec3{-1, 0, 0}));
    EXPECT_EQ(random.upper, (Vec3{1, 1, 1}));
    EXPECT_EQ(random.velocity, (Vec3{1, 2, 3}));
    EXPECT_EQ(random.speed, 0.25);
    EXPECT_EQ(random.size.kind, SizeKind::uniform);
    EXPECT_EQ(random.size.min, 0.1);
    EXPECT_EQ(random.size.max, 0.2);
    const GeneratorSettings& lattice = c.generators[1];
    EXPECT_EQ(lattice.kind, GeneratorKind::lattice);
    EXPECT_EQ(lattice.material, 0);
    EXPECT_EQ(lattice.count, 7);
    EXPECT_EQ(lattice.spacing, 0.25);
    EXPECT_EQ(lattice.jitter, 0.5);
    EXPECT_EQ(lattice.size.kind, SizeKind::mixture);
    EXPECT_EQ(lattice.size.diameters, (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(lattice.size.weights, (std::vector<double>{3, 1.5}));
    EXPECT_EQ(c.generators[2].kind, GeneratorKind::file);
    EXPECT_EQ(c.generators[2].path, "grains.csv");
}

TEST(ParseCase, SizeDistributions) {
    const Case normal = parse_with(
        {"particles[0].size={distribution='normal', mean=0.1, deviation=0.01, min=0.08, max=0.12}"});
    EXPECT_EQ(normal.generators[0].size.kind, SizeKind::normal);
    EXPECT_EQ(normal.generators[0].size.mean, 0.1);
    EXPECT_EQ(normal.generators[0].size.deviation, 0.01);
    EXPECT_EQ(normal.generators[0].size.min, 0.08);
    EXPECT_EQ(normal.generators[0].size.max, 0.12);
    const Case lognormal = parse_with(
        {"particles[0].size={distribution='lognormal', mean=0.1, deviation=0.01, min=0.08, max=0.12}"});
    EXPECT_EQ(lognormal.generators[0].size.kind, SizeKind::lognormal);
    EXPECT_EQ(parse_with({}).generators[0].size.kind, SizeKind::mono);
    EXPECT_EQ(parse_with({}).generators[0].size.diameter, 0.1);
}

TEST(ParseCase, Walls) {
    const Case c = parse_with({}, full_case);
    ASSERT_EQ(c.walls.size(), 5u);
    EXPECT_EQ(c.walls[0].name, "z-");
    EXPECT_EQ(c.walls[0].normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(c.walls[0].point.z, 0);
    EXPECT_EQ(c.walls[0].material, 1);
    EXPECT_EQ(c.walls[0].motion, WallMotion::fixed);
    EXPECT_EQ(c.walls[1].name, "z+");
    EXPECT_EQ(c.walls[1].normal, (Vec3{0, 0, -1}));
    EXPECT_EQ(c.walls[1].point.z, 3);
    const Wall& lid = c.walls[2];
    EXPECT_EQ(lid.name, "lid");
    EXPECT_EQ(lid.point, (Vec3{0, 0, 2.5}));
    EXPECT_EQ(lid.normal, (Vec3{0, 0, -1}));
    EXPECT_EQ(lid.material, 0);
    EXPECT_EQ(lid.motion, WallMotion::piston);
    EXPECT_EQ(lid.mass, 3);
    EXPECT_EQ(lid.area, 2);
    EXPECT_EQ(lid.force, 200);
    const Wall& slope = c.walls[3];
    EXPECT_EQ(slope.motion, WallMotion::driven);
    EXPECT_EQ(slope.velocity, (Vec3{0, 0.1, 0}));
    EXPECT_DOUBLE_EQ(slope.normal.y, 0.6);
    EXPECT_DOUBLE_EQ(slope.normal.z, 0.8);
    EXPECT_EQ(slope.area, 1.5);
    EXPECT_EQ(c.walls[4].force, -5);
    EXPECT_EQ(c.walls[4].area, 0) << "not given";
}

TEST(ParseCase, SolverTimeNeighboursOutput) {
    const Case c = parse_with({}, full_case);
    EXPECT_EQ(c.solver.order, SweepOrder::symmetric);
    EXPECT_EQ(c.solver.scheme, SweepScheme::phases);
    EXPECT_EQ(c.neighbours.load_balance, LoadCost::measured);
    EXPECT_EQ(c.solver.tolerance, 1e-5);
    EXPECT_EQ(c.solver.force_tolerance, 0.01);
    EXPECT_EQ(c.solver.min_sweeps, 2);
    EXPECT_EQ(c.solver.max_sweeps, 50);
    EXPECT_EQ(c.time.step, 0);
    EXPECT_EQ(c.time.max_step, 1e-4);
    EXPECT_EQ(c.time.displacement, 0.1);
    EXPECT_EQ(c.neighbours.skin, 0.02);
    EXPECT_EQ(c.neighbours.tile, 0.5);
    EXPECT_EQ(c.output.directory, "results");
    EXPECT_EQ(c.output.series_every, 3);
    EXPECT_EQ(parse_with({"time.step=2e-5"}).time.step, 2e-5);
    EXPECT_EQ(parse_with({"solver.order=random"}).solver.order, SweepOrder::random);
}

TEST(ParseCase, StagesWithGrowth) {
    const Case c = parse_with({"engine=soft", "material[0].stiffness=100", "stage[0].growth_rate=2e-7",
                               "stage[0].until_coordination=6", "stage[0].until_energy_ratio=1e-3"});
    EXPECT_EQ(c.stages[0].growth, Growth{.rate = 2e-7});
    EXPECT_EQ(c.stages[0].until_coordination, 6);
    EXPECT_EQ(c.stages[0].until_energy_ratio, 1e-3);
    EXPECT_TRUE(c.stages[0].may_end_sooner());
    EXPECT_EQ(parse_with({"engine=soft", "material[0].stiffness=100", "stage[0].relative_growth_rate=0.5"})
                  .stages[0]
                  .growth,
              Growth{.relative_rate = 0.5});
    EXPECT_EQ(parse_with({"stage[0].until_coordination=6"}).stages[0].growth, Growth{}) << "rigid, too";
}

TEST(ParseCase, Stages) {
    const Case c = parse_with({}, full_case);
    ASSERT_EQ(c.stages.size(), 3u);
    EXPECT_EQ(c.stages[0].name, "fall");
    EXPECT_EQ(c.stages[0].duration, 0.5);
    EXPECT_EQ(c.stages[0].steps, 100);
    EXPECT_EQ(c.stages[0].until_speed, 1e-3);
    EXPECT_FALSE(c.stages[0].until_fraction);
    EXPECT_EQ(c.stages[1].until_fraction, 0.6);
    EXPECT_FALSE(c.stages[1].steps);
    const auto& press = c.stages[1].walls;
    ASSERT_EQ(press.size(), 3u);
    EXPECT_EQ(press[0].wall, "slope");
    EXPECT_EQ(press[0].motion, WallMotion::piston);
    EXPECT_EQ(press[0].force, 30);
    EXPECT_EQ(press[0].mass, 4);
    EXPECT_EQ(press[1].force, 7);
    EXPECT_EQ(press[1].mass, 3) << "the mass of the [[wall]]";
    EXPECT_EQ(press[2].motion, WallMotion::driven);
    EXPECT_EQ(press[2].velocity, (Vec3{0, 0, 0.5}));
    const auto& rest = c.stages[2].walls;
    ASSERT_EQ(rest.size(), 2u);
    EXPECT_EQ(rest[0].mass, 4) << "the mass of the stage before";
    EXPECT_EQ(rest[1].motion, WallMotion::fixed);
}

TEST(ParseCase, RemovedWall) {
    const Case c = parse_with({"stage[0].wall=[{name='z+', remove=true}, {name='z-', hold=true}]"});
    ASSERT_EQ(c.stages[0].walls.size(), 2u);
    EXPECT_EQ(c.stages[0].walls[0].wall, "z+");
    EXPECT_EQ(c.stages[0].walls[0].motion, WallMotion::removed);
    EXPECT_EQ(c.stages[0].walls[1].motion, WallMotion::fixed);
    EXPECT_EQ(c.walls[5].motion, WallMotion::fixed) << "until that stage";
}

TEST(ParseCase, TwoDimensions) {
    const Case c = parse_with({"dimension=2", "gravity=[0,-9.81]", "domain.lower=[0,0]",
                               "domain.upper=[1,2,0]", "domain.boundary=['periodic','wall']"});
    EXPECT_EQ(c.box.dimension, 2);
    EXPECT_EQ(c.box.upper, (Vec3{1, 2, 0}));
    EXPECT_EQ(c.box.boundary[2], Boundary::open);
    EXPECT_EQ(c.gravity, (Vec3{0, -9.81, 0}));
    ASSERT_EQ(c.walls.size(), 2u);
    EXPECT_EQ(c.walls[0].name, "y-");
}

TEST(ParseCase, SourceIsTheEffectiveInput) {
    const Case first = parse_with({"solver.tolerance=1e-5", "seed=7"}, full_case);
    const Case second = parse_case(first.source, "again.toml");
    EXPECT_EQ(first.source, second.source);
    EXPECT_EQ(second.seed, 7u);
    EXPECT_EQ(second.solver.tolerance, 1e-5);
    EXPECT_EQ(second.generators[0].velocity, first.generators[0].velocity);
    EXPECT_EQ(second.walls[2].force, first.walls[2].force);
    const Case third = parse_case(parse_with({"time.step=1.2345678901234567e-5"}).source, "again.toml");
    EXPECT_EQ(third.time.step, 1.2345678901234567e-5);
}

TEST(ParseCase, AllMistakesAtOnceInTheOrderOfTheFile) {
    const std::string message =
        message_of(minimal_case + "colour = 3\n[solver]\ntolerance = 2\n", {"sede=3"});
    const auto colour = message.find("case.toml:19:1: stage[0].colour: unknown key");
    const auto tolerance = message.find("case.toml:21:1: solver.tolerance: got 2; give a number > 0 and < 1");
    const auto seed = message.find("--set sede=3: sede: unknown key; did you mean 'seed'?");
    EXPECT_LT(colour, tolerance) << message;
    EXPECT_LT(tolerance, seed) << message;
    EXPECT_NE(seed, std::string::npos) << message;
}

TEST(ParseCase, ShowsAtMostTwentyMistakes) {
    std::string text = minimal_case;
    for (int i = 0; i < 30; ++i)
        text += fmt::format("unknown_{} = 1\n", i);
    const std::string message = message_of(text);
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20) << message;
    EXPECT_NE(message.find("and 10 more"), std::string::npos);
}

TEST(ParseCase, TellsWhereAKeyBelongs) {
    EXPECT_NE(message_of("tolerance = 0.1\n" + minimal_case).find("it belongs to [solver]"),
              std::string::npos);
    EXPECT_NE(message_of(minimal_case + "seed = 2\n").find("above the first section"), std::string::npos);
}

TEST(ResolvePath, IsRelativeToTheCase) {
    EXPECT_EQ(resolve_path("cases/a.toml", "grains.csv"), "cases/grains.csv");
    EXPECT_EQ(resolve_path("cases/a.toml", "../grains.csv"), "grains.csv");
    EXPECT_EQ(resolve_path("a.toml", "grains.csv"), "grains.csv");
    EXPECT_EQ(resolve_path("cases/a.toml", "/data/grains.csv"), "/data/grains.csv");
}

} // namespace
} // namespace tamp
