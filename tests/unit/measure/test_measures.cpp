#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rigid_run.hpp"
#include "tamp/measure/measures.hpp"

namespace tamp {
namespace {

constexpr double pi = std::numbers::pi;

RigidSetup setup_with_floor(int dimension) {
    RigidSetup setup;
    setup.box = {.upper = {10, 10, 10}, .dimension = dimension};
    setup.box.boundary[static_cast<std::size_t>(dimension - 1)] = Boundary::wall;
    if (dimension == 2)
        setup.box.upper.z = 0;
    setup.materials = MaterialTable({{"glass", 2.0, 0.5}});
    Wall floor{.name = "floor", .normal = {0, 0, 0}};
    floor.normal[dimension - 1] = 1;
    setup.walls = {floor};
    setup.time.max_step = 1e-3;
    return setup;
}

TEST(Measures, OfParticlesThatFly) {
    const Communicator self(MPI_COMM_SELF);
    for (const int dimension : {2, 3}) {
        SCOPED_TRACE(dimension);
        const std::vector<Grain> grains{
            {.id = 1, .position = {2, 2, dimension == 3 ? 2.0 : 0}, .radius = 1, .velocity = {3, 4, 0}},
            {.id = 2, .position = {7, 7, dimension == 3 ? 7.0 : 0}, .radius = 0.5, .spin = {0, 0, 2}}};
        const RigidRun engine(self, setup_with_floor(dimension), grains);
        const Measures m = measure(engine);
        const double v1 = dimension == 3 ? 4.0 / 3 * pi : pi, v2 = v1 * std::pow(0.5, dimension);
        const double inertia = (dimension == 3 ? 0.4 : 0.5) * 2 * v2 * 0.25;
        EXPECT_EQ(m.particles, 2);
        EXPECT_EQ(m.contacts, 0);
        EXPECT_EQ(m.coordination, 0);
        EXPECT_NEAR(m.volume_fraction, (v1 + v2) / std::pow(10, dimension), 1e-15);
        EXPECT_NEAR(m.kinetic_energy, 0.5 * 2 * v1 * 25 + 0.5 * inertia * 4, 1e-12);
        EXPECT_EQ(m.largest_speed, 5);
        EXPECT_EQ(m.mean_overlap, 0);
        EXPECT_EQ(m.largest_overlap, 0);
        EXPECT_EQ(m.wall_force, std::vector<double>{0});
    }
}

/// One sphere on the floor, pressed in a bit, and one on top: two contacts, and the floor carries both.
TEST(Measures, OfAColumnAtRest) {
    const Communicator self(MPI_COMM_SELF);
    RigidSetup setup = setup_with_floor(3);
    setup.gravity = {0, 0, -10};
    setup.solver.tolerance = setup.solver.force_tolerance = 1e-12;
    const double overlap = 1e-4;
    const std::vector<Grain> grains{{.id = 1, .position = {5, 5, 1 - overlap}, .radius = 1},
                                    {.id = 2, .position = {5, 5, 2.5 - overlap}, .radius = 0.5}};
    RigidRun engine(self, setup, grains);
    for (int step = 0; step < 3; ++step)
        engine.step(1);
    const Measures m = measure(engine);
    const double weight = 10 * 2 * 4.0 / 3 * pi * (1 + 0.125);
    EXPECT_EQ(m.contacts, 2);
    EXPECT_EQ(m.coordination, 1.5);
    EXPECT_NEAR(m.wall_force.at(0), weight, 1e-6 * weight);
    EXPECT_NEAR(m.largest_overlap, overlap, 1e-9);
    EXPECT_NEAR(m.mean_overlap, overlap / 2, 1e-9);
    EXPECT_LT(m.largest_speed, 1e-9);
    EXPECT_LT(m.kinetic_energy, 1e-15);
}

} // namespace
} // namespace tamp
