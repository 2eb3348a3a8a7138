#include "tamp/fclib/rigid_problem.hpp"

#include <gtest/gtest.h>

#include "../engine/setups.hpp"
#include "problems.hpp"
#include "tamp/contacts/lists.hpp"
#include "tamp/fclib/problem_file.hpp"

namespace tamp::fclib {
namespace {

using namespace tamp::setups;

TEST(RigidProblem, FramesAreRightHandedAndOrthonormal) {
    Random random = checks::random_numbers(1);
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 n = tamp::checks::random_direction(random);
        const std::vector<Vec3> t = tangents(n, 3);
        ASSERT_EQ(t.size(), 2u);
        EXPECT_NEAR(dot(n, t[0]), 0, 1e-15);
        EXPECT_NEAR(tamp::norm(t[0]), 1, 1e-15);
        EXPECT_NEAR(dot(cross(n, t[0]), t[1]), 1, 1e-15);
    }
    EXPECT_EQ(tangents({0, 1, 0}, 2), (std::vector<Vec3>{{-1, 0, 0}}));
}

TEST(RigidProblem, NamesLawsWithoutCounterpart) {
    const auto foreign = [](const ContactLaws& laws, int dimension) {
        MaterialTable materials({{"grain", 1000.0, 0.3}});
        materials.set(0, 0, laws);
        return foreign_laws(materials, dimension);
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(foreign({.friction = 0.3, .restitution = 0.5, .tangential_restitution = 0.2}, 3), Names{});
    ContactLaws laws;
    laws.cohesion.value = 1;
    EXPECT_EQ(foreign(laws, 3), Names{"cohesion"});
    laws.rolling.value = 0.1;
    EXPECT_EQ(foreign(laws, 2), (Names{"cohesion", "rolling friction"}));
}

/// A grain on two others (discs) or three (spheres), which stand on a floor and begin to slide apart. A
/// piston presses from above, a wall pushes from one side, and at the other side is a grain that is held
/// fixed.
struct Recorded {
    ProblemFile file;
    double floor = 0, side = 0, piston = 0; ///< forces of the particles on the walls, N
    double time_step = 0;
    std::size_t contacts = 0;
};

Recorded record(int dimension, double restitution, double tangential_restitution) {
    RigidSetup setup = open_space(1, 0.3, 1e-3, dimension);
    setup.materials = MaterialTable({{"grain", 1000.0, 0.3}, {"held", 1000.0, 0.3, true}});
    for (const int other : {0, 1})
        setup.materials.set(
            0, other,
            {.friction = 0.3, .restitution = restitution, .tangential_restitution = tangential_restitution});
    const Vec3 up = dimension == 3 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    const double radius = 0.02, apart = 2.1 * radius, inward = apart / std::sqrt(12.0);
    std::vector<Vec3> places{{-0.5 * apart, 0, 0}, {0.5 * apart, 0, 0}};
    if (dimension == 3)
        places = {{-0.5 * apart, -inward, 0}, {0.5 * apart, -inward, 0}, {0, 2 * inward, 0}};
    const double height = std::sqrt(4 * radius * radius - dot(places[0], places[0]));
    const Vec3 held = places[1] + Vec3{2 * radius, 0, 0};
    places.push_back(up * height);
    setup.gravity = up * -9.81;
    setup.walls = {wall(up * -radius, up), wall({-0.5 * apart - radius, 0, 0}, {1, 0, 0}),
                   piston(up * (height + radius), -up, 0.5, 20)};
    setup.walls[1].motion = WallMotion::driven;
    setup.walls[1].velocity = up * 0.1 + Vec3{0.02, 0, 0};
    std::vector<Grain> start;
    Random random = checks::random_numbers(17);
    for (const Vec3& place : places) {
        start.push_back(grain(start.size() + 3, place, radius, 0.01 * tamp::checks::random_vector(random),
                              tamp::checks::random_vector(random)));
        if (dimension == 2)
            start.back().velocity.z = start.back().spin.x = start.back().spin.y = 0;
    }
    start.push_back(grain(1, held, radius));
    start.back().material = 1;
    RigidRun run(world(), setup, start);
    RigidRecorder recorder;
    run.engine.observe_solves(recorder.observer());
    for (int step = 0; step < 3; ++step)
        run.step(for_ever);
    const ContactSet& contacts = run.engine.contacts();
    return {.file = recorder.gather(world()),
            .floor = run.walls()[0].pressing_force(),
            .side = run.walls()[1].pressing_force(),
            .piston = run.walls()[2].pressing_force(),
            .time_step = recorder.time_step(),
            .contacts = static_cast<std::size_t>(contacts.pair_count() + contacts.wall_count())};
}

class RigidProblemOf : public testing::TestWithParam<int> {};

TEST_P(RigidProblemOf, HasTheSolutionOfTheEngine) {
    for (const double restitution : {0.0, 0.5}) {
        const Recorded recorded = record(GetParam(), restitution, 0.4 * restitution);
        const GlobalProblem& problem = *recorded.file.global;
        EXPECT_EQ(problem.contacts(), recorded.contacts);
        // The particle that is held fixed has no numbers, the piston has one.
        EXPECT_EQ(problem.free_momentum.size(), GetParam() == 3 ? 4u * 6 + 1 : 3u * 3 + 1);
        const Factorisation mass(problem.mass);
        const BlockProblem blocks = block_problem(problem, mass);
        const ErrorMeasures errors = global_errors(problem, blocks, *recorded.file.solution);
        EXPECT_LT(errors.siconos, 1e-10);
        EXPECT_LT(errors.unit_free, 1e-10);
        // The guess is where the solve began.
        ASSERT_EQ(recorded.file.guesses.size(), 1u);
        EXPECT_GT(norm(recorded.file.guesses[0].impulse), 0);
        // Velocities of the contacts belong to those of the bodies.
        const Solution own = with_velocities(problem, mass, recorded.file.solution->impulse);
        for (std::size_t i = 0; i < own.velocity.size(); ++i)
            EXPECT_NEAR(own.velocity[i], recorded.file.solution->velocity[i], 1e-12);
    }
}

TEST_P(RigidProblemOf, HasTheForcesOnTheWalls) {
    const Recorded recorded = record(GetParam(), 0, 0);
    const GlobalProblem& problem = *recorded.file.global;
    EXPECT_GT(recorded.floor, 0);
    EXPECT_GT(recorded.side, 0);
    EXPECT_GT(recorded.piston, 0);
    std::vector<double> pushed(problem.free_momentum.size(), 0.0);
    add_product(problem.directions, recorded.file.solution->impulse, pushed);
    // The last number is the piston's; its impulse is what the particles do against its normal.
    EXPECT_NEAR(-pushed.back() / recorded.time_step, recorded.piston, 1e-9 * recorded.piston);
    // Columns of contacts with a fixed floor push one particle along `up`, and nothing pushes back.
    const auto up = static_cast<std::size_t>(GetParam() == 3 ? 2 : 1);
    const std::size_t numbers = GetParam() == 3 ? 6 : 3;
    const SparseMatrix columns = by_columns(problem.directions);
    double floor = 0, side = 0;
    for (std::size_t c = 0; c < problem.contacts(); ++c) {
        const std::size_t column = c * static_cast<std::size_t>(problem.dimension);
        const auto begin = static_cast<std::size_t>(columns.pointer[column]),
                   end = static_cast<std::size_t>(columns.pointer[column + 1]);
        if (end - begin != 1)
            continue;
        const std::size_t axis = static_cast<std::size_t>(columns.index[begin]) % numbers;
        const double impulse = recorded.file.solution->impulse[column];
        floor += axis == up && columns.value[begin] > 0 ? impulse : 0;
        side += axis == 0 && columns.value[begin] > 0 ? impulse : 0;
    }
    EXPECT_NEAR(floor / recorded.time_step, recorded.floor, 1e-9 * recorded.floor);
    EXPECT_NEAR(side / recorded.time_step, recorded.side, 1e-9 * recorded.side);
}

TEST_P(RigidProblemOf, IsSolvedBySweepsOverBlocks) {
    const Recorded recorded = record(GetParam(), 0.5, 0.2);
    const SweepResult result =
        checks::solve_global(*recorded.file.global, {.tolerance = 1e-10, .unit_free = true});
    EXPECT_TRUE(result.converged);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, RigidProblemOf, testing::Values(2, 3));

} // namespace
} // namespace tamp::fclib
