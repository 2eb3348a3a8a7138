// The stress that the contacts of a packing carry is the stress that a piston puts on it.

#include "../engine/setups.hpp"
#include "made_up.hpp"
#include "tamp/measure/packing_quantities.hpp"

namespace tamp {
namespace {

using namespace made_up;
using namespace setups;

constexpr double diameter = 0.01, applied = 1000;

struct Pressed {
    const char* name;
    int dimension;
    bool periodic_sides;
    int count;
    double width, height; ///< in diameters
};

class PistonStress : public testing::TestWithParam<Pressed> {};

TEST_P(PistonStress, IsTheContactStress) {
    const Pressed& which = GetParam();
    const int up = which.dimension - 1;
    const double width = which.width * diameter, height = which.height * diameter;
    RigidSetup setup;
    setup.box.dimension = which.dimension;
    setup.box.upper = {width, which.dimension == 3 ? width : height, which.dimension == 3 ? height : 0};
    // Smooth walls: rough ones would take their share of the load.
    setup.materials = MaterialTable({{"grain", 1000, 0.3}, {"smooth", 1000, 0.0}});
    setup.solver = {.tolerance = 1e-5, .force_tolerance = 1e-5, .min_sweeps = 4, .max_sweeps = 1000};
    setup.time = {.step = 0, .max_step = 1e-3, .displacement = 0.05};
    for (int axis = 0; axis < which.dimension; ++axis) {
        const bool periodic = axis != up && which.periodic_sides;
        setup.box.boundary[static_cast<std::size_t>(axis)] = periodic ? Boundary::periodic : Boundary::wall;
        Vec3 normal{0, 0, 0};
        normal[axis] = 1;
        if (!periodic)
            setup.walls.push_back(wall({0, 0, 0}, normal));
        if (!periodic && axis != up)
            setup.walls.push_back(wall(setup.box.upper, -normal));
        for (Wall& side : setup.walls)
            side.material = 1;
    }
    GeneratorSettings generator;
    generator.size = {.kind = SizeKind::uniform, .min = 0.8 * diameter, .max = 1.2 * diameter};
    generator.upper = setup.box.upper;
    generator.upper[up] -= diameter;
    generator.count = which.count;
    const std::vector<Grain> grains = generate(generator, setup.box, 7, 0);
    double mass = 0;
    for (const Grain& g : grains)
        mass += mass_of(g, which.dimension);
    const double area = which.dimension == 3 ? width * width : width;
    Vec3 down{0, 0, 0};
    down[up] = -1;
    setup.walls.push_back(
        piston(setup.box.upper + 0.5 * diameter * down, down, mass * 25 / which.count, applied * area));

    RigidRun engine(self(), setup, grains);
    const double at_rest = 1e-5; // m/s; some packings rearrange late
    while (engine.time() < 0.3 || (engine.world.largest_speed() > at_rest && engine.time() < 1))
        engine.step(1);
    const std::vector<Quantity> list = packing_quantities(engine, view(engine));
    EXPECT_NEAR(value(list, which.dimension == 3 ? "contact_stress_zz" : "contact_stress_yy"), applied,
                5e-4 * applied);
    EXPECT_LT(std::abs(value(list, which.dimension == 3 ? "kinetic_stress_zz" : "kinetic_stress_yy")),
              1e-5 * applied)
        << "at rest";
    EXPECT_LT(value(list, "contact_stress_xx"), 1.2 * applied)
        << "friction may hold what pressing left behind";
    EXPECT_GT(value(list, "contact_stress_xx"), 0.3 * applied);
    EXPECT_GT(value(list, "mechanical_coordination"), which.dimension + 1);
}

INSTANTIATE_TEST_SUITE_P(Geometries, PistonStress,
                         testing::Values(Pressed{"PeriodicSides", 3, true, 200, 5, 14},
                                         Pressed{"Walls", 3, false, 150, 5, 14},
                                         Pressed{"Discs", 2, true, 150, 10, 28}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace tamp
