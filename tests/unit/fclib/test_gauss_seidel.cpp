#include "tamp/fclib/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "tamp/fclib/problem_file.hpp"

namespace tamp::fclib {
namespace {

constexpr Momentum methods[] = {Momentum::plain, Momentum::ratio, Momentum::nesterov};

/// All three methods come to an error of 1e-8 by both measures; returns the sweeps that they took.
std::array<std::int64_t, 3> sweeps_of(const GlobalProblem& problem) {
    std::array<std::int64_t, 3> sweeps{};
    for (std::size_t k = 0; k < 3; ++k) {
        const SweepResult result =
            checks::solve_global(problem, {.momentum = methods[k], .unit_free = true, .max_sweeps = 20000});
        EXPECT_TRUE(result.converged)
            << "method " << k << ": " << result.errors.siconos << ", " << result.errors.unit_free;
        EXPECT_EQ(result.open + result.sticking + result.slipping,
                  static_cast<std::int64_t>(problem.contacts()));
        sweeps[k] = result.sweeps;
    }
    return sweeps;
}

/// Momentum takes at most this share of the plain sweeps.
void expect_faster(const std::array<std::int64_t, 3>& sweeps, double share) {
    for (const std::size_t with_momentum : {1, 2})
        EXPECT_LT(static_cast<double>(sweeps[with_momentum]), share * static_cast<double>(sweeps[0]));
}

TEST(GaussSeidel, SolvesSpheresUnderAPiston) {
    expect_faster(sweeps_of(*read_problem(checks::data_file("spheres.hdf5")).global), 0.9);
}

TEST(GaussSeidel, SolvesDiscs) {
    expect_faster(sweeps_of(*read_problem(checks::data_file("discs.hdf5")).global), 0.5);
}

TEST(GaussSeidel, SolvesTheStoredTower) {
    expect_faster(sweeps_of(*read_problem(checks::data_file("tower.hdf5")).global), 0.5);
}

TEST(GaussSeidel, SolvesTowersThatStickOrSlideOrFly) {
    for (const double friction : {0.0, 0.2, 0.6, 5.0})
        sweeps_of(checks::tower({.boxes = 6, .friction = friction}));
    sweeps_of(checks::tower({.boxes = 3, .friction = 0.4, .disturbance = 2}));
}

TEST(GaussSeidel, SolvesATowerWhoseBoxesAreTiedTogether) {
    // Springs between boxes that are not neighbours, implicit in time: M is one part, and W is full.
    GlobalProblem problem = checks::tower({.boxes = 6});
    for (std::size_t box = 0; box + 2 < 6; ++box)
        for (std::size_t number = 0; number < 6; ++number) {
            const std::size_t one = 6 * box + number, other = one + 12;
            const double spring = number < 3 ? 5 : 0.1;
            problem.mass.add(one, one, spring), problem.mass.add(other, other, spring);
            problem.mass.add(one, other, -spring), problem.mass.add(other, one, -spring);
        }
    const std::size_t contacts = problem.contacts();
    EXPECT_EQ(block_problem(problem, Factorisation(problem.mass)).delassus.column.size(),
              contacts * contacts);
    sweeps_of(problem);
}

TEST(GaussSeidel, GivesATowerItsWeight) {
    // At rest on a slope below the angle of friction: nothing moves after the step.
    const checks::Tower settings{.boxes = 5, .friction = 0.6, .slope = 0.25, .disturbance = 0};
    const GlobalProblem problem = checks::tower(settings);
    const SweepResult result =
        checks::solve_global(problem, {.tolerance = 1e-12, .unit_free = true, .max_sweeps = 100000});
    ASSERT_TRUE(result.converged);
    for (const double velocity : contact_velocities(block_problem(local_form(problem)), result.impulse))
        EXPECT_NEAR(velocity, 0, 1e-11);
    double normal = 0, tangential = 0; // of the lowest box
    for (std::size_t corner = 0; corner < 4; ++corner)
        normal += result.impulse[3 * corner], tangential += result.impulse[3 * corner + 1];
    const double weight = 5 * 8 * 1000 * 0.2 * 0.15 * 0.1 * 9.81 * settings.time_step;
    EXPECT_NEAR(normal, weight * std::cos(settings.slope), 1e-9 * weight);
    EXPECT_NEAR(tangential, -weight * std::sin(settings.slope), 1e-9 * weight);
}

TEST(GaussSeidel, SolvesBothFormsAlike) {
    const GlobalProblem global = checks::tower({});
    const BlockProblem local = block_problem(local_form(global));
    const SweepResult one = checks::solve_global(global, {.tolerance = 1e-11});
    const SweepResult other = solve(local, {.tolerance = 1e-11}, [&](std::span<const double> impulse) {
        return local_errors(local, impulse);
    });
    // Impulses are not unique, but sweeps are the same but for rounding.
    ASSERT_EQ(one.impulse.size(), other.impulse.size());
    for (std::size_t i = 0; i < one.impulse.size(); ++i)
        EXPECT_NEAR(one.impulse[i], other.impulse[i], 1e-8 * norm(one.impulse));
}

TEST(GaussSeidel, SaysThatItDidNotConverge) {
    const SweepResult result =
        checks::solve_global(checks::tower({}), {.momentum = Momentum::plain, .max_sweeps = 3});
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.sweeps, 3);
    EXPECT_GT(result.errors.siconos, 1e-8);
}

TEST(GaussSeidel, StartsFromAGivenImpulse) {
    const GlobalProblem problem = checks::tower({});
    const SweepResult first = checks::solve_global(problem, {});
    const BlockProblem blocks = block_problem(local_form(problem));
    const auto errors = [&](std::span<const double> impulse) { return local_errors(blocks, impulse); };
    EXPECT_EQ(solve(blocks, {.tolerance = 1e-7}, errors, first.impulse).sweeps, 1);
}

} // namespace
} // namespace tamp::fclib
