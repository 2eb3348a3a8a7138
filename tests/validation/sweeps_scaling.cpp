// How many sweeps does plain nonlinear Gauss-Seidel need? N^(2/d), says the diffusion of force [000
// eq. 1.34].
//
// Packings under gravity, without friction, as high as wide (the chain: one sphere wide), are solved for one
// step from a cold start. Counted are the sweeps until the floor's force is within 1 % of its end value. The
// exponent of a power law through the counts is compared with 2/d.
//
//   sweeps_scaling [largest]    largest packing in layers of particles, for example 24 (default: small, some
//   seconds)

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "rigid_run.hpp"
#include "tamp/mpi/session.hpp"
#include "tamp/particles/generate.hpp"

namespace {

using namespace tamp;

constexpr double diameter = 0.01, gravity = 9.81, accuracy = 0.01;

struct Packing {
    RigidSetup setup;
    std::vector<Grain> grains;
};

int vertical(int dimension) { return dimension - 1; }

RigidSetup above_floor(int dimension, double width, double height) {
    RigidSetup setup;
    setup.box.dimension = dimension;
    setup.box.lower = {0, 0, 0};
    setup.box.upper = {width, width, dimension == 3 ? width : 0};
    setup.box.upper[vertical(dimension)] = height;
    for (int axis = 0; axis < vertical(dimension); ++axis)
        setup.box.boundary[static_cast<std::size_t>(axis)] = Boundary::periodic;
    setup.box.boundary[static_cast<std::size_t>(vertical(dimension))] = Boundary::wall;
    setup.materials = MaterialTable({{"grain", 1000.0, 0.0}});
    setup.gravity = {0, 0, 0};
    setup.gravity[vertical(dimension)] = -gravity;
    Wall floor;
    floor.normal = {0, 0, 0};
    floor.normal[vertical(dimension)] = 1;
    setup.walls = {floor};
    return setup;
}

Packing chain(int layers) {
    Packing packing;
    packing.setup = above_floor(3, 4 * diameter, (layers + 1) * diameter);
    for (int i = 0; i < layers; ++i)
        packing.grains.push_back({.id = static_cast<std::uint64_t>(i),
                                  .position = {2 * diameter, 2 * diameter, (i + 0.5) * diameter},
                                  .radius = 0.5 * diameter});
    return packing;
}

/// A lattice of particles of different sizes, left to itself until it lies still, about.
Packing settled(const Communicator& world, int dimension, int layers) {
    Packing packing;
    packing.setup = above_floor(dimension, 1.2 * layers * diameter, 1.2 * (layers + 1) * diameter);
    GeneratorSettings lattice;
    lattice.kind = GeneratorKind::lattice;
    lattice.size = {.kind = SizeKind::uniform, .min = 0.8 * diameter, .max = 1.2 * diameter};
    lattice.lower = packing.setup.box.lower;
    lattice.upper = packing.setup.box.upper;
    lattice.upper[vertical(dimension)] = 1.2 * layers * diameter;
    lattice.spacing = 1.2 * diameter;
    lattice.jitter = 1;
    packing.grains = generate(lattice, packing.setup.box, 1, 0);

    RigidSetup setup = packing.setup;
    setup.solver = {.method = SweepMethod::plain,
                    .tolerance = 1e-3,
                    .force_tolerance = 3e-2,
                    .min_sweeps = 4,
                    .max_sweeps = 200};
    RigidRun engine(world, setup, packing.grains);
    while (engine.time() < 0.4)
        engine.step(0.4);
    packing.grains.clear();
    for (std::size_t i = 0; i < engine.store().owned; ++i) {
        Grain grain = engine.store().grain(i);
        grain.velocity = {0, 0, 0};
        packing.grains.push_back(grain);
    }
    return packing;
}

/// Force on the floor after one step from a cold start.
double floor_force(const Communicator& world, const Packing& packing, const SolverSettings& solver) {
    RigidSetup setup = packing.setup;
    setup.solver = solver;
    // Such a long step closes the gaps that the settled packing still has; else each would decide over a
    // contact.
    setup.time.step = std::sqrt(0.02 * diameter / gravity);
    RigidRun engine(world, setup, packing.grains);
    engine.step(1.0);
    return norm(engine.walls()[0].reaction);
}

struct Count {
    std::size_t particles;
    int sweeps;
    double end_over_weight; ///< 1 at rest
};

Count count_sweeps(const Communicator& world, const Packing& packing) {
    double weight = 0;
    for (const Grain& grain : packing.grains)
        weight += 1000.0 * grain_volume(grain.radius, packing.setup.box.dimension) * gravity;
    const double end = floor_force(world, packing,
                                   {.method = SweepMethod::plain,
                                    .tolerance = 1e-9,
                                    .force_tolerance = 1e-5,
                                    .min_sweeps = 4,
                                    .max_sweeps = 200000});
    const auto close = [&](int sweeps) {
        const double force = floor_force(world, packing,
                                         {.method = SweepMethod::plain,
                                          .tolerance = 0,
                                          .force_tolerance = 0,
                                          .min_sweeps = 1,
                                          .max_sweeps = sweeps});
        return std::abs(force - end) < accuracy * end;
    };
    int enough = 1;
    while (!close(enough))
        enough *= 2;
    int too_few = enough / 2;
    while (enough - too_few > std::max(1, enough / 100)) {
        const int middle = (enough + too_few) / 2;
        (close(middle) ? enough : too_few) = middle;
    }
    return {packing.grains.size(), enough, end / weight};
}

/// Slope of the straight line through log(sweeps) over log(particles).
double exponent(std::span<const Count> counts) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(counts.size());
    for (const Count& count : counts) {
        const double a = std::log(static_cast<double>(count.particles)), b = std::log(count.sweeps);
        x += a / n, y += b / n, xx += a * a / n, xy += a * b / n;
    }
    return (xy - x * y) / (xx - x * x);
}

/// Sizes in layers, each about `factor` times the one before.
std::vector<int> sizes(int first, int last, double factor) {
    std::vector<int> result;
    for (double size = first; size < last * std::sqrt(factor); size *= factor)
        result.push_back(static_cast<int>(std::lround(size)));
    return result;
}

bool study(const Communicator& world, int dimension, const std::vector<int>& layers, double tolerance) {
    std::vector<Count> counts;
    for (const int size : layers) {
        counts.push_back(count_sweeps(world, dimension == 1 ? chain(size) : settled(world, dimension, size)));
        fmt::print("  {}-D  {:7}  {:8}  {:10.4f}\n", dimension, counts.back().particles, counts.back().sweeps,
                   counts.back().end_over_weight);
    }
    const double found = exponent(counts), theory = 2.0 / dimension;
    const bool good = std::abs(found - theory) <= tolerance;
    fmt::print("  {}-D  sweeps ~ N^{:.3f}, theory {:.3f} +- {}: {}\n", dimension, found, theory, tolerance,
               good ? "good" : "WRONG");
    return good;
}

} // namespace

int main(int argc, char** argv) {
    const Session session(argc, argv);
    const Communicator world = session.world();
    const int largest = argc > 1 ? std::atoi(argv[1]) : 0;
    fmt::print("sweeps until the floor's force is within {} % from a cold start\n"
               "        particles   sweeps  end/weight\n",
               100 * accuracy);
    bool good = study(world, 1, sizes(10, largest > 0 ? 4 * largest : 80, 2.0), 0.1);
    good = study(world, 2, sizes(8, largest > 0 ? 2 * largest : 32, std::numbers::sqrt2), 0.25) && good;
    good = study(world, 3, sizes(4, largest > 0 ? largest : 12, std::numbers::sqrt2), 0.2) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
