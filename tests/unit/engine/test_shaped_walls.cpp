// Grains at walls that are no planes, that turn, oscillate, or are free: states whose forces and motions are
// known in closed form.

#include <cmath>

#include <gtest/gtest.h>

#include "engine_run.hpp"
#include "floor.hpp"
#include "soft_setups.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.01, g = 9.81, drum_radius = 0.1;

Wall shaped(ShapeKind kind, const Vec3& point, const Vec3& axis) {
    Wall result = wall(point, axis);
    result.shape.kind = kind;
    return result;
}

/// About y, grains inside.
Wall drum(double speed) {
    Wall result = shaped(ShapeKind::cylinder, {0, 0, 0}, {0, 1, 0});
    result.shape.radius = drum_radius;
    result.motion = WallMotion::driven;
    result.rotation = {.pivot = {0, 0, 0}, .axis = {0, 1, 0}, .speed = speed};
    return result;
}

RigidSetup rigid_space(double time_step, double friction, double rolling = 0) {
    return with_laws(open_space(1, friction, time_step),
                     {.friction = friction, .rolling = {TorqueScale::length, rolling, 0}});
}

/// At the bottom of a drum that turns it stays and rolls: their surfaces have the same speed.
TEST(ShapedWalls, ASphereRollsAtTheBottomOfADrum) {
    for (const double speed : {2.0, -5.0}) {
        RigidSetup setup = rigid_space(1e-3, 0.5);
        setup.gravity = {0, 0, -g};
        setup.walls = {drum(speed)};
        const Vec3 start{0, 0, -(drum_radius - radius)};
        const double spin = speed * drum_radius / radius;
        RigidRun run(world(), setup, std::vector{grain(0, start, radius, {0, 0, 0}, {0, spin, 0})});
        for (int step = 0; step < 500; ++step)
            run.step(for_ever);
        const Grain now = grains_of(run).at(0);
        EXPECT_LT(norm(now.position - start), 1e-13);
        EXPECT_NEAR(now.spin.y, spin, 1e-10);
        EXPECT_NEAR(run.walls()[0].reaction.z, -mass_of(now) * g, 1e-10);
        EXPECT_LT(norm(run.walls()[0].torque), 1e-12);
    }
}

/// The same with soft grains: a sphere that is set on the drum without spin is spun up, and in the end its
/// surface has the speed of the drum's.
TEST(ShapedWalls, ASoftSphereIsSpunUpByADrum) {
    constexpr double speed = 2;
    SoftLaws laws = linear_laws(1e4, 2);
    laws.sliding = {3e3, 1, 0.5};
    RigidSetup setup = soft_space(laws, 1e-5);
    setup.gravity = {0, 0, -g};
    setup.walls = {drum(speed)};
    const Vec3 start{0, 0, -(drum_radius - radius)};
    EngineRun run(world(), setup, std::vector{grain(0, start, radius)});
    // Rolling without loss, it swings about the bottom: the mean of its spin is what counts.
    double mean = 0, sum = 0;
    while (run.time() < 2) {
        const double dt = run.step(for_ever).time_step;
        if (run.time() > 1)
            mean += dt * grain_of(run, 0).spin.y, sum += dt;
    }
    EXPECT_NEAR(mean / sum, speed * drum_radius / radius, 0.1 * speed * drum_radius / radius);
}

/// A sphere that rolling friction keeps from rolling turns with the drum and slips on it: it stays at the
/// angle of friction, and the drum bears its weight and the moment of its friction.
TEST(ShapedWalls, ASphereThatCannotRollSlipsAtTheAngleOfFriction) {
    for (const double friction : {0.2, 0.7}) {
        constexpr double speed = 3;
        RigidSetup setup = rigid_space(1e-3, friction, 2 * friction * radius);
        setup.gravity = {0, 0, -g};
        setup.walls = {drum(speed)};
        const double angle = std::atan(friction), lever = drum_radius - radius;
        // At the bottom the drum moves towards -x.
        const Vec3 start{-lever * std::sin(angle), 0, -lever * std::cos(angle)};
        RigidRun run(world(), setup, std::vector{grain(0, start, radius, {0, 0, 0}, {0, speed, 0})});
        for (int step = 0; step < 500; ++step)
            run.step(for_ever);
        const Grain now = grains_of(run).at(0);
        const double weight = mass_of(now) * g;
        EXPECT_LT(norm(now.position - start), 1e-12);
        EXPECT_NEAR(now.spin.y, speed, 1e-9);
        EXPECT_LT(norm(run.walls()[0].reaction - Vec3{0, 0, -weight}), 1e-9 * weight);
        // What the drum loses is what gravity does to the sphere about the axis.
        EXPECT_NEAR(run.walls()[0].torque.y, -weight * lever * std::sin(angle), 1e-9 * weight * lever);
    }
}

/// Without friction a sphere circles down a cone. Its centre moves on a cone as well: with s the way from the
/// tip along the side, phi the angle about the axis and a the half angle of the cone,
///   s'' = s sin(a)^2 phi'^2 - g cos(a),   s^2 phi' = const.
double way_from_tip(double s, double phi_rate, double half_angle, double time) {
    const double momentum = s * s * phi_rate, sine = std::sin(half_angle);
    const auto acceleration = [&](double at) {
        return sine * sine * momentum * momentum / (at * at * at) - g * std::cos(half_angle);
    };
    double speed = 0;
    constexpr int steps = 20000; // Runge-Kutta of fourth order for s'' = a(s)
    const double h = time / steps;
    for (int k = 0; k < steps; ++k) {
        const double a1 = acceleration(s), a2 = acceleration(s + 0.5 * h * speed);
        const double a3 = acceleration(s + 0.5 * h * speed + 0.25 * h * h * a1);
        const double a4 = acceleration(s + h * speed + 0.5 * h * h * a2);
        s += h * speed + h * h / 6 * (a1 + a2 + a3);
        speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return s;
}

TEST(ShapedWalls, ASphereSpiralsDownACone) {
    constexpr double half_angle = 0.6, start = 0.3, turn = 5, time = 0.3;
    Wall cone = shaped(ShapeKind::cone, {0, 0, 0}, {0, 0, 1});
    cone.shape.radius = 0, cone.shape.end_radius = 0.45 * std::tan(half_angle);
    cone.shape.axial = {0, 0.45};
    // Of the cone on which the centre moves: its tip is higher by radius/sin(a).
    const double sine = std::sin(half_angle), cosine = std::cos(half_angle), tip = radius / sine;
    const double expected = way_from_tip(start, turn, half_angle, time);
    ASSERT_LT(expected, 0.8 * start) << "it comes down";
    double before = 0;
    for (const double dt : {8e-4, 4e-4, 2e-4}) {
        RigidSetup setup = rigid_space(dt, 0);
        setup.gravity = {0, 0, -g};
        setup.walls = {cone};
        const Grain one =
            grain(0, {start * sine, 0, tip + start * cosine}, radius, {0, start * sine * turn, 0});
        RigidRun run(world(), setup, std::vector{one});
        while (run.time() < time * (1 - 1e-9))
            run.step(time);
        const Vec3 at = grains_of(run).at(0).position - Vec3{0, 0, tip};
        const double error = norm(at) - expected;
        EXPECT_LT(std::abs(error), 20 * dt);
        if (before != 0) {
            EXPECT_NEAR(before / error, 2, 0.3) << "an error of first order in the step";
        }
        before = error;
    }
}

/// A blade that is free to turn is hit by a sphere at a distance from its axis: both share the angular
/// momentum.
TEST(ShapedWalls, ASphereTurnsABladeThatIsFree) {
    constexpr double lever = 0.08, inertia = 3e-5, speed = 1.5;
    for (const EngineKind kind : {EngineKind::rigid, EngineKind::soft}) {
        const bool soft = kind == EngineKind::soft;
        RigidSetup setup = soft ? soft_space(linear_laws(1e4, 0), 1e-6) : rigid_space(1e-4, 0);
        Wall blade = shaped(ShapeKind::rectangle, {0.05, 0, 0}, {0, 0, 1});
        blade.shape.half_edges = {Vec3{0.06, 0, 0}, Vec3{0, 0.05, 0}};
        blade.motion = WallMotion::turning;
        blade.rotation = {.pivot = {0, 0, 0}, .axis = {0, 1, 0}, .speed = 0, .inertia = inertia, .moment = 0};
        setup.walls = {blade};
        const Grain one = grain(0, {lever, 0, radius + (soft ? 1e-5 : 0)}, radius, {0, 0, -speed});
        EngineRun run(world(), setup, std::vector{one});
        while (run.time() < 2e-3 && (soft || run.walls()[0].rotation.speed == 0))
            run.step(for_ever);
        const double mass = mass_of(one), turn = run.walls()[0].rotation.speed;
        const double velocity = grain_of(run, 0).velocity.z;
        // Angular momentum about +y of a sphere at +x that falls: positive, as z turns to x.
        EXPECT_NEAR(inertia * turn - mass * lever * velocity, mass * lever * speed,
                    (soft ? 1e-3 : 1e-9) * mass * lever * speed); // the blade tilts while they touch
        if (soft)                                                 // and energy: it rebounds
            EXPECT_NEAR(0.5 * inertia * turn * turn + 0.5 * mass * velocity * velocity,
                        0.5 * mass * speed * speed, 2e-3 * mass * speed * speed);
        else // no rebound: the contact moves with the blade
            EXPECT_NEAR(velocity, -turn * lever, 1e-10);
    }
}

/// A light wheel on which many grains lie that torsion friction ties to it: they turn as one, and sweeps
/// converge although the grains together are much harder to turn than the wheel.
TEST(ShapedWalls, TorquesOfManyGrainsTurnALightWheel) {
    constexpr double moment = 1e-6, dt = 1e-3;
    constexpr int steps = 50;
    for (const double inertia : {1e-8, 1e-7, 1e-6}) {
        RigidSetup setup =
            with_laws(open_space(1, 0, dt), {.torsion = {TorqueScale::length, 0.3 * radius, 0}});
        setup.gravity = {0, 0, -g};
        Wall wheel = shaped(ShapeKind::disc, {0, 0, 0}, {0, 0, 1});
        wheel.shape.radius = 0.2;
        wheel.motion = WallMotion::turning;
        wheel.rotation = {
            .pivot = {0, 0, 0}, .axis = {0, 0, 1}, .speed = 0, .inertia = inertia, .moment = moment};
        setup.walls = {wheel};
        std::vector<Grain> grains;
        for (std::uint64_t k = 0; k < 25; ++k)
            grains.push_back(grain(
                k, {0.03 * (static_cast<double>(k % 5) - 2), 0.03 * (static_cast<double>(k / 5) - 2), radius},
                radius));
        RigidRun run(world(), setup, grains);
        std::int64_t capped = 0;
        for (int step = 0; step < steps; ++step)
            capped += run.step(for_ever).solve.capped ? 1 : 0;
        const double of_a_grain = mass_of(grains[0]) * radius * radius / 2.5;
        const double expected = steps * dt * moment / (inertia + 25 * of_a_grain);
        EXPECT_NEAR(run.walls()[0].rotation.speed, expected, 1e-6 * expected) << "inertia " << inertia;
        EXPECT_NEAR(grains_of(run).at(7).spin.z, expected, 1e-6 * expected);
        EXPECT_EQ(capped, 0);
    }
}

/// Constant moment, nothing to push: the speed grows as moment/inertia times time.
TEST(ShapedWalls, AMomentTurnsAWallFaster) {
    RigidSetup setup = rigid_space(1e-3, 0.5);
    Wall wheel = drum(0);
    wheel.motion = WallMotion::turning;
    wheel.rotation.inertia = 0.02, wheel.rotation.moment = 0.5;
    setup.walls = {wheel};
    RigidRun run(world(), setup, std::vector{grain(0, {0, 0, 0}, radius)});
    for (int step = 1; step <= 100; ++step) {
        run.step(for_ever);
        ASSERT_NEAR(run.walls()[0].rotation.speed, step * 1e-3 * 0.5 / 0.02, 1e-12);
    }
}

/// A free sphere presses on a grain that lies between floor and wall, obliquely: its contact bears so much
/// that the part along the way of the piston is the applied force.
TEST(ShapedWalls, APistonOfAnyShapePressesWithItsForce) {
    constexpr double force = 3, big = 0.03;
    RigidSetup setup = rigid_space(1e-3, 0);
    setup.gravity = {0, 0, -g};
    const double slope = 0.4; // of the contact against the vertical
    const Vec3 centre{0, 0, radius}, up{std::sin(slope), 0, std::cos(slope)};
    Wall indenter = shaped(ShapeKind::sphere, centre + (radius + big) * up, {0, 0, -1});
    indenter.shape.side = ShapeSide::outside, indenter.shape.radius = big;
    indenter.motion = WallMotion::piston, indenter.mass = 0.05, indenter.force = force;
    setup.walls = {wall({0, 0, 0}, {0, 0, 1}), wall({-radius, 0, 0}, {1, 0, 0}), indenter};
    RigidRun run(world(), setup, std::vector{grain(0, centre, radius)});
    for (int step = 0; step < 50; ++step)
        run.step(for_ever);
    const double weight = mass_of(grains_of(run).at(0)) * g;
    EXPECT_NEAR(run.walls()[2].reaction.z, force, 1e-9);
    EXPECT_NEAR(run.walls()[0].reaction.z, -(force + weight), 1e-9);
    EXPECT_NEAR(run.walls()[1].reaction.x, -force * std::tan(slope), 1e-9);
    EXPECT_LT(norm(run.walls()[2].velocity), 1e-10);
}

/// A servo: as fast as it may be until it meets what bears its force.
TEST(ShapedWalls, APistonIsNotFasterThanItsLimit) {
    for (const EngineKind kind : {EngineKind::rigid, EngineKind::soft}) {
        const bool soft = kind == EngineKind::soft;
        RigidSetup setup = soft ? soft_space(linear_laws(1e5, 10), 2e-6) : rigid_space(1e-4, 0.3);
        Wall plate = piston({0, 0, 2 * radius + 1e-3}, {0, 0, -1}, 0.01, 5);
        plate.most_speed = 0.1;
        plate.given_velocity = {0.02, 0, 0};
        setup.walls = {wall({0, 0, 0}, {0, 0, 1}), plate};
        EngineRun run(world(), setup, std::vector{grain(0, {0, 0, radius}, radius)});
        const double dt = soft ? 2e-6 : 1e-4;
        while (run.time() < 5e-3) {
            run.step(for_ever);
            if (run.time() > 2 * dt) { // 500 m/s^2
                ASSERT_GE(run.walls()[1].velocity.z, -0.1 - 1e-12);
                ASSERT_NEAR(run.walls()[1].velocity.z, run.time() > 1e-3 ? -0.1 : run.walls()[1].velocity.z,
                            1e-12);
            }
            ASSERT_EQ(run.walls()[1].velocity.x, 0.02);
        }
        while (run.time() < 0.05)
            run.step(for_ever);
        EXPECT_NEAR(run.walls()[1].velocity.z, 0, soft ? 1e-3 : 1e-9);
        EXPECT_NEAR(run.walls()[1].reaction.z, 5, soft ? 0.1 : 1e-8);
    }
}

/// Grains inside two-sided shells stay on their side.
TEST(ShapedWalls, AShellHoldsGrainsOnBothSides) {
    for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::sphere}) {
        RigidSetup setup = rigid_space(1e-3, 0.3);
        Wall shell = shaped(kind, {0, 0, 0}, {0, 1, 0});
        shell.shape.side = ShapeSide::both, shell.shape.radius = drum_radius;
        setup.walls = {shell};
        RigidRun run(world(), setup,
                     std::vector{grain(0, {0.05, 0, 0}, radius, {0.5, 0.01, 0.1}),
                                 grain(1, {0.2, 0, 0.01}, radius, {-0.5, 0.01, 0})});
        for (int step = 0; step < 300; ++step)
            run.step(for_ever);
        const auto now = grains_of(run);
        EXPECT_LT(std::hypot(now.at(0).position.x, now.at(0).position.z), drum_radius - 0.99 * radius);
        EXPECT_GT(norm(now.at(1).position), drum_radius + 0.99 * radius);
    }
}

/// What turning walls put into grains is in the energy budget, with all laws.
TEST(ShapedWalls, TheEnergyBudgetKnowsWhatTurningWallsDo) {
    RigidSetup setup =
        with_laws(open_space(0.4, 0.5, 5e-4), {.friction = 0.5,
                                               .restitution = 0.3,
                                               .rolling = {TorqueScale::length, 0.1 * radius, 0},
                                               .torsion = {TorqueScale::length, 0.1 * radius, 0}});
    setup.energy_budget = true;
    setup.gravity = {0, 0, -g};
    setup.box.boundary[1] = Boundary::periodic;
    Wall blade = shaped(ShapeKind::rectangle, {0, 0, 0.02}, {1, 0, 0});
    blade.shape.half_edges = {Vec3{0, 0.1, 0}, Vec3{0, 0, 0.06}};
    blade.motion = WallMotion::turning;
    blade.rotation = {.pivot = {0, 0, 0}, .axis = {0, 1, 0}, .speed = -15, .inertia = 1e-3, .moment = -0.02};
    setup.walls = {drum(8), blade};
    std::vector<Grain> grains;
    Random random = checks::random_numbers(3);
    for (int k = 0; k < 40; ++k) {
        const Vec3 at{-0.06 + 0.024 * (k % 5), 0.03 * (k / 5) - 0.1, -0.05};
        const double height = std::sqrt(std::max(0.0, 0.085 * 0.085 - at.x * at.x));
        grains.push_back(grain(static_cast<std::uint64_t>(k), {at.x + 0.012, at.y, -height + 0.005}, radius,
                               0.2 * checks::random_vector(random), 10.0 * checks::random_vector(random)));
    }
    std::erase_if(grains, [&](const Grain& one) {
        return setup.walls[0].gap(one.position, radius) < 0 || setup.walls[1].gap(one.position, radius) < 0;
    });
    for (std::size_t k = 0; k < grains.size(); ++k)
        grains[k].id = k;
    ASSERT_GT(grains.size(), 20u);
    RigidRun run(world(), setup, grains);
    const double before = conserved(run).energy;
    for (int step = 0; step < 300; ++step)
        run.step(for_ever);
    const EnergyFlows flows = *run.engine.energy_flows();
    EXPECT_GT(std::abs(flows.walls[0]), 1e-3);
    EXPECT_GT(std::abs(flows.walls[1]), 1e-4);
    EXPECT_NEAR(flows.expected_change(), conserved(run).energy - before,
                1e-9 * (std::abs(flows.walls[0]) + std::abs(flows.gravity)));
}

} // namespace
} // namespace tamp
