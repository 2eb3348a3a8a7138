#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine_run.hpp"
#include "tamp/particles/generate.hpp"
#include "tamp/protocol/stage.hpp"

/// Cases of rigid grains for the table of cases.hpp, and what all cases are made of.
namespace tamp::test {

/// One simulation, small tiles so that every rank has several.
struct RankCase {
    RigidSetup setup;
    std::vector<Grain> grains;
    int steps = 100;
    bool follows_energy = true; ///< soft contacts go through another kernel then
    /// What a stage would change about the walls.
    void (*before_step)(int step, std::span<Wall> walls) = nullptr;
    /// What stages would tell radii, from a step on.
    std::vector<std::pair<int, Growth>> growth{};
    /// What a stage that began at time 0 changes while it runs.
    Stage schedule{};
};

/// What a case must have gone through to be worth anything; checked after the run.
struct Promise {
    int searches = 3;     ///< neighbours were searched more often than this
    bool travel = true;   ///< particles changed rank
    bool loss = false;    ///< particles left the region
    bool idle = false;    ///< on more than five ranks some own no particle
    bool balance = false; ///< tiles changed hands
    bool closed = false;  ///< nothing acts from outside: momentum stays
    bool tiles = false;   ///< tiles were made anew, for particles that grew
};

struct NamedCase {
    const char* name;
    RankCase (*make)();
    Promise promise;
};

inline constexpr double diameter = 1e-3; // m
inline constexpr auto open = Boundary::open, periodic = Boundary::periodic, walled = Boundary::wall;

/// Lengths in diameters.
inline Box make_box(double x, double y, double z, std::array<Boundary, 3> boundary) {
    return {.lower = {0, 0, 0},
            .upper = {x * diameter, y * diameter, z * diameter},
            .boundary = boundary,
            .dimension = z > 0 ? 3 : 2};
}

inline std::vector<Wall> walls_of(const Box& box) {
    std::vector<Wall> walls;
    for (int axis = 0; axis < box.dimension; ++axis)
        if (box.boundary[static_cast<std::size_t>(axis)] == walled)
            for (const bool upper : {false, true}) {
                Wall wall{.name = std::string(1, "xyz"[axis]) + (upper ? "+" : "-"), .normal = {0, 0, 0}};
                wall.point = upper ? box.upper : box.lower;
                wall.normal[axis] = upper ? -1 : 1;
                walls.push_back(wall);
            }
    return walls;
}

/// Few sweeps, as a test must be short: half-solved steps are as reproducible as solved ones. Plain ones:
/// cases of other methods say so, see `solved_by`.
inline RankCase start_case(const Box& box, int sweeps = 20) {
    RankCase result;
    result.setup.box = box;
    result.setup.materials = MaterialTable({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}});
    result.setup.walls = walls_of(box);
    result.setup.gravity = box.dimension == 3 ? Vec3{0, 0, -9.81} : Vec3{0, -9.81, 0};
    result.setup.solver.method = SweepMethod::plain;
    result.setup.solver.max_sweeps = sweeps;
    result.setup.solver.tolerance = 1e-2;
    result.setup.solver.force_tolerance = 0.1;
    result.setup.time.max_step = 2e-4;
    result.setup.neighbours.tile = 3 * diameter;
    return result;
}

/// Spheres of 0.8 to 1.2 diameters at random places of the box, or of the part between `lower` and `upper`
/// (shares of its height), with random velocities.
inline GeneratorSettings spheres(const Box& box, int count, double speed, double lower = 0,
                                 double upper = 1) {
    GeneratorSettings settings;
    settings.count = count;
    settings.speed = speed;
    settings.size = {.kind = SizeKind::uniform, .min = 0.8 * diameter, .max = 1.2 * diameter};
    settings.lower = box.lower;
    settings.upper = box.upper;
    const int up = box.dimension - 1;
    settings.lower[up] = box.lower[up] + lower * box.length(up);
    settings.upper[up] = box.lower[up] + upper * box.length(up);
    return settings;
}

inline void fill(RankCase& to, const GeneratorSettings& settings) {
    const std::vector<Grain> grains = generate(settings, to.setup.box, 7, to.grains.size());
    to.grains.insert(to.grains.end(), grains.begin(), grains.end());
}

inline Wall piston(double height, double force, int material = 1) {
    return {.name = "piston",
            .point = {0, 0, height * diameter},
            .normal = {0, 0, -1},
            .material = material,
            .motion = WallMotion::piston,
            .mass = 5e-4,
            .force = force};
}

inline RankCase compaction() {
    RankCase result = start_case(make_box(12, 12, 26, {periodic, periodic, walled}));
    fill(result, spheres(result.setup.box, 2000, 0.6, 0, 0.9));
    result.setup.walls.push_back(piston(24, 0.5));
    result.steps = 200;
    return result;
}

/// Largest to smallest as 4.4 to 1: a large particle touches many small ones, and cells hold many of them.
inline RankCase polydisperse() {
    RankCase result = start_case(make_box(14, 14, 16, {periodic, walled, walled}));
    GeneratorSettings settings = spheres(result.setup.box, 420, 0.5);
    settings.size = {.kind = SizeKind::uniform, .min = 0.5 * diameter, .max = 2.2 * diameter};
    fill(result, settings);
    return result;
}

inline RankCase discs() {
    RankCase result = start_case(make_box(40, 40, 0, {periodic, walled, open}));
    result.setup.walls.push_back({.name = "piston",
                                  .point = {0, 38 * diameter, 0},
                                  .normal = {0, -1, 0},
                                  .motion = WallMotion::piston,
                                  .mass = 10,
                                  .force = 500});
    fill(result, spheres(result.setup.box, 700, 0.5, 0, 0.9));
    result.setup.neighbours.tile = 4 * diameter;
    return result;
}

template <SweepMethod method, RankCase (*make)()>
RankCase solved_by() {
    RankCase result = make();
    result.setup.solver.method = method;
    return result;
}
template <RankCase (*make)()>
RankCase with_ratio() {
    return solved_by<SweepMethod::ratio, make>();
}
template <RankCase (*make)()>
RankCase with_nesterov() {
    return solved_by<SweepMethod::nesterov, make>();
}

/// Three sub-steps a step.
template <RankCase (*make)()>
RankCase in_substeps() {
    RankCase result = make();
    result.setup.solver.substeps = 3;
    return result;
}

template <RankCase (*make)()>
RankCase in_random_order() {
    RankCase result = make();
    result.setup.solver.order = SweepOrder::random;
    return result;
}

inline RankCase in_order(SweepOrder order) {
    RankCase result = start_case(make_box(8, 8, 16, {periodic, walled, walled}));
    result.setup.solver.order = order;
    fill(result, spheres(result.setup.box, 450, 0.5, 0, 0.9));
    result.setup.walls.push_back(piston(15, 0.3));
    return result;
}

inline RankCase random_order() { return in_order(SweepOrder::random); }
inline RankCase symmetric_order() { return in_order(SweepOrder::symmetric); }

/// So deep that its steps are cut into short ones with few sweeps, see step_rule.hpp.
inline RankCase deep_column() {
    RankCase result = start_case(make_box(6, 6, 75, {periodic, periodic, walled}));
    result.setup.solver.method = SweepMethod::ratio;
    result.setup.solver.max_sweeps = 500;
    result.setup.time.max_step = 0; // by the rule
    GeneratorSettings settings = spheres(result.setup.box, 0, 0.1, 0, 0.95);
    settings.kind = GeneratorKind::lattice;
    settings.size = {.kind = SizeKind::uniform, .min = 0.9 * diameter, .max = 1.1 * diameter};
    settings.spacing = 1.12 * diameter;
    settings.jitter = 1;
    fill(result, settings);
    result.steps = 120;
    return result;
}

/// Enough sweeps for momentum to be given up and taken up again.
inline RankCase many_sweeps() {
    RankCase result = start_case(make_box(6, 6, 10, {periodic, periodic, walled}), 110);
    result.setup.solver.tolerance = 1e-9;
    fill(result, spheres(result.setup.box, 150, 0.8, 0, 0.9));
    result.setup.walls.push_back(piston(9, 0.3));
    result.steps = 40;
    return result;
}

inline RankCase open_box() {
    RankCase result = start_case(make_box(9, 9, 9, {open, open, open}));
    result.setup.gravity = {1, 2, -3};
    fill(result, spheres(result.setup.box, 250, 1.0));
    return result;
}

/// The smallest periodic grid: every tile is its neighbour's neighbour on both sides.
inline RankCase two_tiles_a_side() {
    RankCase result = start_case(make_box(6, 6, 6, {periodic, periodic, periodic}));
    result.setup.gravity = {0, 0, 0};
    fill(result, spheres(result.setup.box, 110, 0.5));
    return result;
}

inline RankCase slanted_wall() {
    RankCase result = start_case(make_box(9, 8, 14, {walled, walled, walled}));
    result.setup.walls.push_back(
        {.name = "chute", .point = {0, 0, 3 * diameter}, .normal = {0.6, 0, 0.8}, .material = 1});
    fill(result, spheres(result.setup.box, 250, 0.3, 0.3, 1));
    return result;
}

/// Hardly wider than a sphere: one tile across, however thin.
inline RankCase slit() {
    RankCase result = start_case(make_box(12, 1.3, 14, {periodic, walled, walled}));
    fill(result, spheres(result.setup.box, 60, 0.3));
    return result;
}

/// A wall is driven down on the bed, becomes a piston, and stops.
inline void change_stage(int step, std::span<Wall> walls) {
    Wall& wall = walls.back();
    if (step == 0) {
        wall.motion = WallMotion::driven;
        wall.velocity = {0, 0, -0.4};
    } else if (step == 50) {
        wall.motion = WallMotion::piston;
        wall.velocity = {0, 0, 0};
    } else if (step == 100) {
        wall.motion = WallMotion::fixed;
        wall.velocity = {0, 0, 0};
    }
}

inline RankCase stages() {
    RankCase result = start_case(make_box(8, 8, 16, {periodic, periodic, walled}));
    fill(result, spheres(result.setup.box, 450, 0.3, 0, 0.9));
    result.setup.walls.push_back(piston(15, 1));
    result.steps = 130;
    result.before_step = change_stage;
    return result;
}

/// Gravity turns and grows, a piston presses ever harder, a floor goes up and down again.
inline RankCase tables() {
    RankCase result = start_case(make_box(8, 8, 16, {periodic, periodic, walled}));
    fill(result, spheres(result.setup.box, 400, 0.3, 0.1, 0.9));
    result.setup.walls.push_back({.name = "floor",
                                  .point = {0, 0, 0.5 * diameter},
                                  .normal = {0, 0, 1},
                                  .motion = WallMotion::driven});
    result.setup.walls.push_back(piston(15, 0.1));
    result.steps = 130;
    result.schedule = {.name = "tables",
                       .walls = {{.wall = "floor",
                                  .velocity_table = {{0, 0.004, 0.008, 0.012},
                                                     {{0, 0, 0}, {0, 0, 0.4}, {0, 0, -0.4}, {0, 0, 0}}}},
                                 {.wall = "piston", .stress_table = {{0.001, 0.02}, {1e3, 2e4}}}},
                       .gravity = {{0.001, 0.006, 0.02}, {{0, 0, -5}, {6, 0, -8}, {0, 12, -9}}}};
    return result;
}

inline RankCase few() {
    RankCase result = start_case(make_box(12, 12, 12, {periodic, periodic, walled}));
    const Vec3 places[] = {{1, 1, 1}, {1.9, 1.2, 1.8}, {6, 6, 0.6}, {11.5, 11.5, 3}, {0.5, 11.4, 2}};
    for (std::size_t i = 0; i < std::size(places); ++i)
        result.grains.push_back({.id = 10 * i,
                                 .position = places[i] * diameter,
                                 .radius = 0.5 * diameter,
                                 .velocity = {0.7 - 0.3 * static_cast<double>(i), 0.5, 0}});
    return result;
}

/// Fewer tiles than ranks, and many searches: ranks that never own a tile take part in every balance.
inline RankCase two_tiles() {
    RankCase result = start_case(make_box(4, 4, 7, {walled, walled, walled}), 12);
    fill(result, spheres(result.setup.box, 50, 1.0));
    result.setup.neighbours.skin = 0.05 * diameter;
    return result;
}

/// All fall to the floor: what was an equal share at the beginning is none soon.
inline RankCase falling() {
    RankCase result = start_case(make_box(6, 6, 40, {periodic, periodic, walled}), 12);
    GeneratorSettings settings = spheres(result.setup.box, 500, 0.1, 0, 0.8);
    settings.velocity = {0, 0, -1};
    fill(result, settings);
    result.steps = 250;
    return result;
}

/// Every law at once, differently between the materials; a floor of particles that are held fixed.
inline RankCase all_laws(const Box& box, int count) {
    RankCase result = start_case(box);
    MaterialTable& materials = result.setup.materials;
    materials = MaterialTable({{"glass", 2500, 0.3}, {"steel", 7800, 0.1}, {"rough", 2500, 0.5, true}});
    ContactLaws laws{.friction = 0.4,
                     .restitution = 0.6,
                     .tangential_restitution = 0.3,
                     .restitution_speed = 0.02,
                     .rolling = {TorqueScale::ratio, 0.1},
                     .torsion = {TorqueScale::length, 0.1 * diameter},
                     .cohesion = {.scale = CohesionScale::bond, .value = 5, .range = 0.02 * diameter}};
    materials.set(0, 0, laws);
    laws.coupled_torsion = true;
    laws.rolling = {TorqueScale::hertz, 1, 1e5};
    laws.cohesion = {.scale = CohesionScale::radius, .value = 2, .energy = 1e-8};
    materials.set(0, 1, laws);
    laws.torsion = {TorqueScale::hertz, 1, 1e5};
    laws.cohesion = {.scale = CohesionScale::force, .value = 1e-3, .impulse_time = 1e-4};
    materials.set(1, 1, laws);
    laws.restitution = 0;
    materials.set(0, 2, laws);
    fill(result, spheres(box, count, 0.5, 0.1, 0.9));
    for (std::size_t i = 1; i < result.grains.size(); i += 3)
        result.grains[i].material = 1;
    GeneratorSettings floor = spheres(box, 0, 0, 0, 1.3 * diameter / box.length(box.dimension - 1));
    floor.kind = GeneratorKind::lattice;
    floor.material = 2;
    fill(result, floor);
    return result;
}

inline RankCase all_laws_of_spheres() {
    return all_laws(make_box(9, 8, 14, {periodic, walled, walled}), 300);
}
inline RankCase all_laws_of_discs() { return all_laws(make_box(24, 24, 0, {periodic, walled, open}), 220); }

} // namespace tamp::test
