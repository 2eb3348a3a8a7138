#include <numbers>

#include "../engine/setups.hpp"
#include "made_up.hpp"
#include "tamp/measure/packing_quantities.hpp"
#include "tamp/measure/tensor.hpp"

namespace tamp {
namespace {

using namespace made_up;
using setups::exact_solver;

TEST(Deviator, OfPrincipalStresses) {
    EXPECT_DOUBLE_EQ(deviator_of({5, 2, 2, 0, 0, 0}, 3), 3);
    EXPECT_DOUBLE_EQ(deviator_of({2, 2, 2, 0, 0, 0}, 3), 0);
    EXPECT_DOUBLE_EQ(deviator_of({0, 0, 0, 0, 2, 0}, 3), 2 * std::sqrt(3.0)) << "pure shear";
    EXPECT_DOUBLE_EQ(deviator_of({5, 2, 0, 0, 0, 0}, 2), 1.5);
    EXPECT_DOUBLE_EQ(deviator_of({1, 1, 0, 2, 0, 0}, 2), 2);
}

/// One sphere on the floor, and one on top.
TEST(PackingQuantities, OfAColumnAtRest) {
    RigidSetup setup;
    setup.box = {.upper = {10, 10, 10}, .boundary = {Boundary::open, Boundary::open, Boundary::wall}};
    setup.materials = MaterialTable({{"glass", 2.0, 0.5}});
    setup.walls = {{.name = "floor", .point = {1, 2, 0}, .normal = {0, 0, 1}}};
    setup.gravity = {0, 0, -10};
    setup.solver = exact_solver();
    setup.time.max_step = 1e-3;
    const std::vector<Grain> grains{{.id = 1, .position = {5, 5, 1}, .radius = 1},
                                    {.id = 2, .position = {5, 5, 2.5}, .radius = 0.5}};
    RigidRun engine(self(), setup, grains);
    for (int step = 0; step < 3; ++step)
        engine.step(1);
    const std::vector<Quantity> list = packing_quantities(engine, view(engine));
    expect_whole(list);
    const double ball = 2 * 4.0 / 3 * std::numbers::pi, w1 = 10 * ball, w2 = w1 / 8;
    const double tolerance = 1e-8 * w1;
    EXPECT_NEAR(value(list, "contact_stress_zz"), (w2 * 1.5 + (w1 + w2) * 1) / 1000, 1e-3 * tolerance);
    for (const char* other : {"xx", "yy", "xy", "yz", "xz"})
        EXPECT_NEAR(value(list, std::string("contact_stress_") + other), 0, 1e-3 * tolerance);
    EXPECT_NEAR(value(list, "mean_stress"), value(list, "contact_stress_zz") / 3, 1e-3 * tolerance);
    EXPECT_NEAR(value(list, "stress_deviator"), value(list, "contact_stress_zz"), 1e-3 * tolerance);
    EXPECT_NEAR(value(list, "fabric_zz"), 1, 1e-12) << "walls do not count";
    EXPECT_NEAR(value(list, "fabric_xx"), 0, 1e-12);
    EXPECT_EQ(value(list, "coordination"), 1.5);
    EXPECT_EQ(value(list, "rattlers"), 1) << "the upper one";
    EXPECT_EQ(value(list, "mechanical_coordination"), 2) << "the lower one";
    EXPECT_NEAR(value(list, "mean_normal_force"), w2, tolerance);
    EXPECT_NEAR(value(list, "wall/floor/force_z"), -(w1 + w2), tolerance);
    EXPECT_NEAR(value(list, "wall/floor/torque_x"), -3 * (w1 + w2), 3 * tolerance);
    EXPECT_NEAR(value(list, "wall/floor/torque_y"), 4 * (w1 + w2), 4 * tolerance);
    EXPECT_NEAR(value(list, "wall/floor/torque_z"), 0, tolerance);
    EXPECT_NEAR(value(list, "potential_energy"), w1 + 2.5 * w2, tolerance);
    EXPECT_EQ(value(list, "sliding_share"), 0);
    EXPECT_THROW(value(list, "cohesive_bonds"), std::out_of_range) << "none without cohesion";
    EXPECT_LT(value(list, "largest_speed"), 1e-9);
}

/// A simple cubic lattice between three fixed walls and three pistons that press differently.
TEST(PackingQuantities, OfAPressedLattice) {
    constexpr int n = 4;
    RigidSetup setup;
    setup.box = {.lower = {-1, -1, -1},
                 .upper = {n + 1, n + 1, n + 1},
                 .boundary = {Boundary::wall, Boundary::wall, Boundary::wall}};
    setup.materials = MaterialTable({{"smooth", 1000, 0.0}});
    setup.solver = exact_solver();
    setup.time.step = 1e-3;
    const double stress[] = {300, 200, 500};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 normal{0, 0, 0}, end{0, 0, 0};
        normal[axis] = 1;
        end[axis] = n;
        setup.walls.push_back(setups::wall({0, 0, 0}, normal));
        setup.walls.push_back(setups::piston(end, -normal, 1000, n * n * stress[axis]));
    }
    std::vector<Grain> grains;
    for (int k = 0; k < n * n * n; ++k)
        grains.push_back({.id = static_cast<std::uint64_t>(k),
                          .position = {k % n + 0.5, k / n % n + 0.5, k / (n * n) + 0.5},
                          .radius = 0.5});
    RigidRun engine(self(), setup, grains);
    for (int step = 0; step < 3; ++step)
        engine.step(1);
    const std::vector<Quantity> list = packing_quantities(engine, view(engine));
    EXPECT_NEAR(value(list, "contact_stress_xx"), 300, 1e-6);
    EXPECT_NEAR(value(list, "contact_stress_yy"), 200, 1e-6);
    EXPECT_NEAR(value(list, "contact_stress_zz"), 500, 1e-6);
    for (const char* other : {"xy", "yz", "xz"})
        EXPECT_NEAR(value(list, std::string("contact_stress_") + other), 0, 1e-6);
    EXPECT_NEAR(value(list, "mean_stress"), 1000.0 / 3, 1e-6);
    for (const char* same : {"xx", "yy", "zz"})
        EXPECT_NEAR(value(list, std::string("fabric_") + same), 1.0 / 3, 1e-9);
    EXPECT_EQ(value(list, "coordination"), 6);
    EXPECT_EQ(value(list, "mechanical_coordination"), 6);
    EXPECT_EQ(value(list, "rattlers"), 0);
    EXPECT_NEAR(value(list, "mean_normal_force"), 1000.0 / 3, 1e-6);
    EXPECT_EQ(value(list, "mean_mobilisation"), 0);
}

TEST(PackingQuantities, KineticStressIsThatOfTheFluctuation) {
    const Box box{.upper = {10, 10, 5}};
    RigidSetup setup = setup_of(box);
    setup.gravity = {1, 0, -2};
    const RigidRun engine = engine_of(setup);
    View view = empty_view(box);
    const double mass = std::numbers::pi / 6;
    add_particle(view, {1, 1, 1}, 0.5, {5, 1, 7});
    add_particle(view, {3, 3, 4}, 0.5, {3, -1, 7});
    add_particle(view, {7, 7, 3}, 0.5, {-80, 9, 9}, 2); // held: neither mass nor weight
    const std::vector<Quantity> list = packing_quantities(engine, view);
    EXPECT_NEAR(value(list, "mean_velocity_x"), 4, 1e-12);
    EXPECT_NEAR(value(list, "mean_velocity_z"), 7, 1e-12);
    EXPECT_NEAR(value(list, "kinetic_stress_xx"), 2 * mass / 500, 1e-12);
    EXPECT_NEAR(value(list, "kinetic_stress_yy"), 2 * mass / 500, 1e-12);
    EXPECT_NEAR(value(list, "kinetic_stress_xy"), 2 * mass / 500, 1e-12);
    EXPECT_NEAR(value(list, "kinetic_stress_zz"), 0, 1e-12);
    EXPECT_NEAR(value(list, "mean_stress"), 4 * mass / 500 / 3, 1e-12);
    EXPECT_NEAR(value(list, "potential_energy"), mass * (-1 + 2 * 1 - 3 + 2 * 4), 1e-11);
    EXPECT_EQ(value(list, "contact_stress_xx"), 0);
}

/// Fabric and counts are of contacts between particles; stress takes both; bonds are told apart.
TEST(PackingQuantities, CountWhatTheySay) {
    const Box box{.upper = {10, 5, 0}, .dimension = 2};
    RigidSetup setup = setup_of(box, {{.name = "left", .point = {0, 0, 0}, .normal = {1, 0, 0}}});
    setup.materials.set(0, 1, {.friction = 0.5, .cohesion = {.value = 1}});
    const RigidRun engine = engine_of(setup);
    View view = empty_view(box);
    for (const int z : {0, 1, 1, 2, 4})
        add_particle(view, {5, 2, 0}, 0.5, {0, 0, 0}, 0, z);
    add_contact(view, {1, 1, 0}, {2, 1, 0}, {3, 1, 0});
    add_contact(view, {1, 1, 0}, {1, 2, 0}, {0, 7, 0});
    add_contact(view, {1, 1, 0}, {1, 2, 0}, {0, 2, 0});
    add_contact(view, {0.5, 1, 0}, {0, 1, 0}, {-4, 2, 0}, wall_bit);
    ContactView& contacts = view.contacts;
    contacts.mobilisation = {1, 0.5, 0, 1};
    contacts.history = ColumnTable({{.name = "bond", .kind = WordKind::signed_integer}});
    contacts.history.resize(4);
    std::ranges::copy(std::array<std::int64_t, 4>{2, 1, 0, 2}, contacts.history.integers(0).begin());
    contacts.gap = {-0.1, 0.2, -0.3, 0};
    const std::vector<Quantity> list = packing_quantities(engine, view);
    EXPECT_NEAR(value(list, "contact_stress_xx"), (3 + 2) / 50.0, 1e-12);
    EXPECT_NEAR(value(list, "contact_stress_yy"), 9 / 50.0, 1e-12);
    EXPECT_NEAR(value(list, "contact_stress_xy"), (0.5 - 0.5) / 50.0, 1e-12);
    EXPECT_THROW(value(list, "contact_stress_zz"), std::out_of_range) << "none in two dimensions";
    EXPECT_NEAR(value(list, "fabric_xx"), 1.0 / 3, 1e-12);
    EXPECT_NEAR(value(list, "fabric_yy"), 2.0 / 3, 1e-12);
    EXPECT_NEAR(value(list, "mean_normal_force"), 4, 1e-12);
    EXPECT_NEAR(value(list, "sliding_share"), 1.0 / 3, 1e-15);
    EXPECT_NEAR(value(list, "mean_mobilisation"), 0.5, 1e-15);
    EXPECT_EQ(value(list, "cohesive_bonds"), 3);
    EXPECT_EQ(value(list, "weakened_bonds"), 1);
    EXPECT_NEAR(value(list, "mean_overlap"), 0.1, 1e-15);
    EXPECT_EQ(value(list, "largest_overlap"), 0.3);
    EXPECT_EQ(value(list, "coordination"), 7.0 / 5);
    EXPECT_EQ(value(list, "rattlers"), 3);
    EXPECT_EQ(value(list, "mechanical_coordination"), 5.0 / 2);
}

TEST(PackingQuantities, OfNothingAreZero) {
    const Box box{.upper = {4, 4, 4}};
    const RigidRun engine = engine_of(setup_of(box));
    expect_whole(packing_quantities(engine, empty_view(box)));
}

} // namespace
} // namespace tamp
