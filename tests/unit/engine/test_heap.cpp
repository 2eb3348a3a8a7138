#include <cmath>

#include <gtest/gtest.h>

#include "floor.hpp"
#include "tamp/particles/generate.hpp"

// Spheres on a flat and open plane: Coulomb friction alone holds no heap, rolling friction does [000
// sec. 1.7].
namespace {

using namespace tamp;
using namespace tamp::setups;

constexpr double radius = 0.01;

struct Shape {
    double height = 0; ///< of the centre of mass, in radii
    double width = 0;  ///< root mean square distance from the middle, in radii
    double speed = 0;  ///< largest, m/s
};

/// What becomes of a column of spheres on the plane.
Shape collapsed(double rolling_ratio, double end, std::uint64_t seed) {
    RigidSetup setup = open_space(1.2, 0, 1e-3);
    setup.materials.set(0, 0, {.friction = 0.6, .rolling = {TorqueScale::ratio, rolling_ratio, 0}});
    setup.gravity = {0, 0, -9.81};
    setup.walls = {wall({0, 0, 0}, {0, 0, 1})};
    setup.solver = {};
    setup.solver.tolerance = 1e-3;
    setup.solver.force_tolerance = 1e-2;
    setup.solver.max_sweeps = 100;
    GeneratorSettings column;
    column.kind = GeneratorKind::lattice;
    column.size = {.kind = SizeKind::uniform, .min = 1.8 * radius, .max = 2.2 * radius};
    column.spacing = 2.4 * radius;
    column.jitter = 1;
    column.lower = {-4.8 * radius, -4.8 * radius, 0};
    column.upper = {4.8 * radius, 4.8 * radius, 12 * radius};
    column.count = 80;
    RigidRun engine(world(), setup, generate(column, setup.box, seed, 0));
    while (engine.time() < end)
        engine.step(end);
    EXPECT_EQ(engine.totals().lost, 0);
    Vec3 middle{0, 0, 0};
    const auto grains = grains_of(engine);
    for (const auto& [id, g] : grains)
        middle += (1.0 / 80) * g.position;
    double square = 0;
    for (const auto& [id, g] : grains) {
        const Vec3 off = g.position - middle;
        square += (off.x * off.x + off.y * off.y) / 80;
    }
    return {middle.z / radius, std::sqrt(square) / radius, engine.world.largest_speed()};
}

TEST(Heap, StandsWithRollingFrictionOnly) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Shape heap = collapsed(0.3, 1.5, seed), layer = collapsed(0.0, 1.0, seed);
        // Seen: 1.33 to 1.46 radii high and 7.0 to 7.2 wide, at rest but for 1 mm/s.
        EXPECT_GT(heap.height, 1.2) << "seed " << seed;
        EXPECT_LT(heap.width, 9) << "seed " << seed;
        EXPECT_LT(heap.speed, 0.02) << "seed " << seed;
        // Seen: all but two or three on the plane, 21 to 23 wide, and still rolling.
        EXPECT_LT(layer.height, 1.1) << "seed " << seed;
        EXPECT_GT(layer.width, 15) << "seed " << seed;
        EXPECT_GT(layer.speed, 0.1) << "seed " << seed;
    }
}

} // namespace
