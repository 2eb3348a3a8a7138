#include "tamp/fclib/error_measures.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"

namespace tamp::fclib {
namespace {

/// A body of mass 2 kg falls on the floor with 3 m/s and slides with 1 m/s, friction 0.5.
GlobalProblem sliding_body() {
    GlobalProblem problem;
    problem.mass = {.rows = 3, .columns = 3};
    problem.directions = {.rows = 3, .columns = 3};
    for (std::size_t i = 0; i < 3; ++i) {
        problem.mass.add(i, i, 2);
        problem.directions.add(i, i, 1); // the frame of the contact is that of the body: normal along x
    }
    problem.free_momentum = {-6, 2, 0};
    problem.velocity_shift = {0, 0, 0};
    problem.friction = {0.1};
    return problem;
}

TEST(ErrorMeasures, AreZeroForTheSolution) {
    const GlobalProblem problem = sliding_body();
    const Factorisation mass(problem.mass);
    const BlockProblem blocks = block_problem(problem, mass);
    const std::vector<double> r{6, -0.6, 0}; // stops it along the normal, and brakes it by 0.3 m/s
    const ErrorMeasures local = local_errors(blocks, r);
    EXPECT_NEAR(local.siconos, 0, 1e-15);
    EXPECT_NEAR(local.unit_free, 0, 1e-15);
    const ErrorMeasures global = global_errors(problem, blocks, with_velocities(problem, mass, r));
    EXPECT_NEAR(global.siconos, 0, 1e-15);
    EXPECT_NEAR(global.unit_free, 0, 1e-15);
}

TEST(ErrorMeasures, AreTheirFormulas) {
    const GlobalProblem problem = sliding_body();
    const Factorisation mass(problem.mass);
    const BlockProblem blocks = block_problem(problem, mass);
    // No impulse: u = q = (-3, 1, 0). r - u - mu |u_T| e_N = (2.9, -1, 0) is outside of the cone, and its
    // projection is (2.9 + 0.1)/1.01 (1, -0.1, 0).
    const double normal = (2.9 + 0.1 * 1) / 1.01;
    const double map = std::hypot(normal, 0.1 * normal);
    EXPECT_NEAR(local_errors(blocks, std::vector<double>{0, 0, 0}).siconos, map / std::sqrt(10.0), 1e-15);
    // Velocities that do not belong to the impulses: M v - H r - f = (1, 0, 0) kg m/s.
    Solution solution = with_velocities(problem, mass, {6, -0.6, 0});
    solution.body_velocity[0] += 0.5;
    const ErrorMeasures errors = global_errors(problem, blocks, solution);
    // u = (0.5, 0.7, 0): r - u - mu |u_T| e_N = (5.43, -1.3, 0).
    const double z = (5.43 + 0.1 * 1.3) / 1.01;
    const double contact = std::hypot(6 - z, -0.6 + 0.1 * z) / norm(std::vector<double>{6, -0.6, 0});
    EXPECT_NEAR(errors.siconos, contact + 1 / norm(problem.free_momentum), 1e-12);
}

TEST(ErrorMeasures, WithoutUnitsDoNotDependOnThem) {
    // Lengths in millimetres: velocities and impulses are 1000 times as large, masses stay.
    GlobalProblem problem = checks::tower({});
    const auto measure = [&](double scale) {
        const Factorisation mass(problem.mass);
        const BlockProblem blocks = block_problem(problem, mass);
        std::vector<double> r(problem.velocity_shift.size(), 0.0);
        for (std::size_t c = 0; c < problem.contacts(); ++c)
            r[3 * c] = 0.3 * scale;
        return local_errors(blocks, r);
    };
    const ErrorMeasures metres = measure(1);
    for (double& value : problem.free_momentum)
        value *= 1000;
    const ErrorMeasures millimetres = measure(1000);
    EXPECT_NEAR(millimetres.unit_free, metres.unit_free, 1e-12 * metres.unit_free);
}

TEST(ErrorMeasures, WithoutUnitsSeeImpulsesOfLightBodies) {
    // An impulse in a contact that opens with 3 m/s is quite wrong, but a small number for a light body.
    GlobalProblem problem = sliding_body();
    for (double& value : problem.mass.value)
        value *= 1e-9;
    problem.free_momentum = {6e-9, 2e-9, 0};
    const BlockProblem blocks = block_problem(problem, Factorisation(problem.mass));
    const ErrorMeasures errors = local_errors(blocks, std::vector<double>{1e-9, 0, 0});
    EXPECT_LT(errors.siconos, 1e-9);
    EXPECT_NEAR(errors.unit_free, 1, 1e-12);
}

} // namespace
} // namespace tamp::fclib
