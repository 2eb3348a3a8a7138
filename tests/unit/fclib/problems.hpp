#pragma once

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "../laws/random_vectors.hpp"
#include "tamp/fclib/delassus.hpp"
#include "tamp/fclib/gauss_seidel.hpp"
#include "tamp/fclib/rigid_problem.hpp"

/// Contact problems for tests, and what is asked of them.
namespace tamp::fclib::checks {

using tamp::checks::random_numbers;

inline std::string data_file(const std::string& name) {
    const char* root = std::getenv("TAMP_SOURCE_DIR");
    const std::filesystem::path source =
        root ? std::filesystem::path(root)
             : std::filesystem::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
    return (source / "tests/data" / name).string();
}

/// A random matrix with `condition` about the ratio of its largest to its smallest eigenvalue.
inline std::array<double, 9> random_block(Random& random, double condition) {
    std::array<Vec3, 3> axes{tamp::checks::random_direction(random), {0, 0, 0}, {0, 0, 0}};
    const Vec3 other = tamp::checks::random_direction(random);
    const Vec3 across = tamp::checks::tangential(other, axes[0]);
    axes[1] = across * (1 / tamp::norm(across));
    axes[2] = cross(axes[0], axes[1]);
    const std::array<double, 3> eigenvalue{1, std::pow(condition, -random.uniform()), 1 / condition};
    std::array<double, 9> k{};
    for (std::size_t a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                k[static_cast<std::size_t>(3 * i + j)] += eigenvalue[a] * axes[a][i] * axes[a][j];
    return k;
}

/// A tower of boxes on a slope: each rests with its four corners on the one below, which is more than it
/// needs. Each is turned about the upward axis, so that its tensor of inertia is not diagonal. Each has a
/// velocity of its own.
struct Tower {
    int boxes = 4;
    double friction = 0.6;
    double slope = 0.25; ///< rad
    double time_step = 0.01;
    double disturbance = 0.05; ///< m/s, of the velocities
};

inline GlobalProblem tower(const Tower& settings) {
    GlobalProblem problem;
    problem.texts = {"A tower of boxes on a slope", "Each box rests on four corners", ""};
    Random random = random_numbers(11);
    const Vec3 half{0.2, 0.15, 0.1};
    const double mass = 8 * 1000 * half.x * half.y * half.z;
    const Vec3 gravity{9.81 * std::sin(settings.slope), 0, -9.81 * std::cos(settings.slope)};
    std::vector<std::array<double, 3>> moments; // xx, yy, xy of each box, turned
    const double about_z = mass / 3 * (half.x * half.x + half.y * half.y);
    for (int b = 0; b < settings.boxes; ++b) {
        const double turn = 0.3 * b, c = std::cos(turn), s = std::sin(turn);
        const double x = mass / 3 * (half.y * half.y + half.z * half.z);
        const double y = mass / 3 * (half.x * half.x + half.z * half.z);
        moments.push_back({c * c * x + s * s * y, s * s * x + c * c * y, c * s * (x - y)});
        const auto row = static_cast<std::size_t>(6 * b);
        for (std::size_t axis = 0; axis < 3; ++axis)
            problem.mass.add(row + axis, row + axis, mass);
        problem.mass.add(row + 3, row + 3, moments.back()[0]);
        problem.mass.add(row + 3, row + 4, moments.back()[2]);
        problem.mass.add(row + 4, row + 3, moments.back()[2]);
        problem.mass.add(row + 4, row + 4, moments.back()[1]);
        problem.mass.add(row + 5, row + 5, about_z);
    }
    std::vector<double> velocity;
    for (int b = 0; b < settings.boxes; ++b)
        for (int k = 0; k < 6; ++k)
            velocity.push_back(settings.disturbance * random.normal() +
                               (k < 3 ? settings.time_step * gravity[k] : 0.0));
    problem.mass.rows = problem.mass.columns = 6 * settings.boxes;
    problem.free_momentum.assign(velocity.size(), 0.0);
    add_product(problem.mass, velocity, problem.free_momentum);

    for (int b = 0; b < settings.boxes; ++b)
        for (int corner = 0; corner < 4; ++corner) {
            const double turn = 0.3 * b, c = std::cos(turn), s = std::sin(turn);
            const double x = (corner % 2 ? 1 : -1) * half.x, y = (corner / 2 ? 1 : -1) * half.y;
            const Vec3 arm{c * x - s * y, s * x + c * y, -half.z}; // from the centre of the upper box
            const Vec3 below{arm.x, arm.y, half.z};
            for (const Vec3& e : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
                const std::size_t column = problem.velocity_shift.size();
                const auto side = [&](int box, const Vec3& lever, double sign) {
                    const Vec3 moment = cross(lever, e);
                    for (int axis = 0; axis < 3; ++axis) {
                        const auto row = static_cast<std::size_t>(6 * box + axis);
                        problem.directions.add(row, column, sign * e[axis]);
                        problem.directions.add(row + 3, column, sign * moment[axis]);
                    }
                };
                side(b, arm, 1);
                if (b > 0)
                    side(b - 1, below, -1);
                problem.velocity_shift.push_back(0);
            }
            problem.friction.push_back(settings.friction);
        }
    problem.directions.rows = problem.mass.rows;
    problem.directions.columns = static_cast<std::int32_t>(problem.velocity_shift.size());
    return problem;
}

/// Solves a problem of the global form, with errors measured there.
inline SweepResult solve_global(const GlobalProblem& problem, const SweepSettings& settings) {
    const Factorisation mass(problem.mass);
    const BlockProblem blocks = block_problem(problem, mass);
    return solve(blocks, settings, [&](std::span<const double> impulse) {
        return global_errors(problem, blocks,
                             with_velocities(problem, mass, {impulse.begin(), impulse.end()}));
    });
}

} // namespace tamp::fclib::checks
