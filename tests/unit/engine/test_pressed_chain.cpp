#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "setups.hpp"

// How force spreads through a column from a cold start: the diffusion of [000 eq. 1.31-1.33], to the digit.
//
// N equal spheres on a floor under gravity, without friction. Contact 0 is the floor's, contact j lies above
// sphere j; p_N = 0. No motion means p_0 = p_1 + m g dt and p_j = (p_{j-1} + p_{j+1})/2, hence p_j = (N - j)
// m g dt. The error of Jacobi's iteration obeys e_0' = e_1, e_j' = (e_{j-1} + e_{j+1})/2; with e_j =
// sin(theta (N - j)) the inner rows give the factor cos(theta), and the floor's row asks for cos(N theta) =
// 0: theta = pi/(2N). The matrix is tridiagonal, so that any order of the contacts is consistently ordered,
// and a Gauss-Seidel sweep has the square: cos^2(pi/(2N)), about exp(-pi^2/(4 N^2)) a sweep.
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double g = 9.81, dt = 1e-3;
constexpr double radius = 0x1p-7; // gaps are exactly zero

/// Impulses after `sweeps` sweeps from a cold start, from the floor up, in units of m g dt.
std::vector<double> impulses(int count, int sweeps, SweepOrder order, double tile, SweepMethod method) {
    RigidSetup setup = open_space(4.4 * radius * count + 0.1, 0.0, dt);
    setup.box.lower.z = 0;
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    setup.neighbours.tile = tile;
    setup.solver = {.method = method,
                    .order = order,
                    .tolerance = 0,
                    .force_tolerance = 0,
                    .min_sweeps = 1,
                    .max_sweeps = sweeps};
    std::vector<Grain> grains;
    for (int i = 0; i < count; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i), {0, 0, (2 * i + 1) * radius}, radius));
    RigidRun engine(world(), setup, grains);
    const SolveReport report = engine.step(for_ever).solve;
    EXPECT_TRUE(report.capped ? report.sweeps == sweeps : report.residual == 0); // solved to the last bit

    const double unit = mass_of(grains[0]) * g * dt;
    std::vector<double> result(static_cast<std::size_t>(count), 0.0);
    const PairList& pairs = engine.pairs();
    for (std::size_t c = 0; c < pairs.size(); ++c) {
        const std::uint64_t lower = std::min(engine.store().id[static_cast<std::size_t>(pairs.first[c])],
                                             engine.store().id[static_cast<std::size_t>(pairs.second[c])]);
        result[lower + 1] = norm(engine.impulses()[c]) / unit;
    }
    for (std::size_t c = 0; c < engine.wall_contacts().size(); ++c)
        result[0] += engine.wall_impulses()[c].z / unit;
    return result;
}

/// What is missing at each contact.
std::vector<double> errors(int count, int sweeps, SweepOrder order, double tile = 0,
                           SweepMethod method = SweepMethod::plain) {
    std::vector<double> result = impulses(count, sweeps, order, tile, method);
    for (std::size_t j = 0; j < result.size(); ++j)
        result[j] = static_cast<double>(count) - static_cast<double>(j) - result[j];
    return result;
}

double factor(int count) {
    const double c = std::cos(std::numbers::pi / (2.0 * count));
    return c * c;
}

TEST(PressedChain, ErrorDecaysByTheSpectralRadius) {
    for (const int count : {2, 5, 10, 25}) {
        // Late enough for the next mode, cos^2(3 theta), to have died out; early enough to see the error.
        const int sweeps = std::max(12, static_cast<int>(16.0 * count * count * 4 / 9.87));
        for (const double tile :
             {0.0, 2.5 * radius}) { // one tile, many tiles: another order, the same factor
            const std::vector<double> before = errors(count, sweeps, SweepOrder::fixed, tile);
            const std::vector<double> after = errors(count, sweeps + 1, SweepOrder::fixed, tile);
            for (std::size_t j = 0; j < before.size(); ++j) {
                // The impulses are known to 1e-15 N, the errors are still e^-16 N.
                EXPECT_NEAR(after[j] / before[j], factor(count), 1e-8) << count << " spheres, contact " << j;
            }
        }
    }
}

TEST(PressedChain, ForceSpreadsDiffusively) {
    // exp(-pi^2 k/(4 N^2)): the same share of the weight has arrived after the same k/N^2.
    for (const int count : {10, 20, 40}) {
        const int sweeps = count * count;
        const double share = errors(count, sweeps, SweepOrder::fixed)[0] / count;
        // From p = 0 the slowest mode starts with 8/pi^2 sin(theta (N - j)); the sweep's order shifts it by
        // less than 1/N.
        const double expected =
            8 / (std::numbers::pi * std::numbers::pi) * std::exp(-std::numbers::pi * std::numbers::pi / 4);
        EXPECT_NEAR(share, expected, 2.0 * expected / count) << count << " spheres";
    }
}

TEST(PressedChain, EndsAtTheWeight) {
    for (const SweepMethod method : {SweepMethod::plain, SweepMethod::ratio, SweepMethod::nesterov})
        for (const SweepOrder order : {SweepOrder::fixed, SweepOrder::random, SweepOrder::symmetric})
            for (const int count : {1, 3, 12}) {
                const std::vector<double> missing = errors(count, 40 * count * count + 10, order, 0, method);
                for (const double error : missing)
                    EXPECT_LT(std::abs(error), 1e-12 * count);
            }
}

TEST(PressedChain, WarmStartHasNothingLeftToDo) {
    RigidSetup setup = open_space(1.0, 0.0, dt);
    setup.gravity = {0, 0, -g};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    setup.solver = {.method = SweepMethod::plain,
                    .tolerance = 1e-8,
                    .force_tolerance = 1e-8,
                    .min_sweeps = 1,
                    .max_sweeps = 100000};
    std::vector<Grain> grains;
    for (int i = 0; i < 20; ++i)
        grains.push_back(grain(static_cast<std::uint64_t>(i), {0, 0, (2 * i + 1) * radius}, radius));
    RigidRun engine(world(), setup, grains);
    const int cold = engine.step(for_ever).solve.sweeps;
    engine.step(for_ever);
    const int warm = engine.step(for_ever).solve.sweeps;
    EXPECT_GT(cold, 400); // N^2
    EXPECT_LE(warm, 15); // three looks at the forces, the first after nine sweeps as the step before was long
}

} // namespace
