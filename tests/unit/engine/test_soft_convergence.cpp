// How the results of the soft engine depend on its time step, and what they tend to.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "soft_setups.hpp"
#include "tamp/laws/soft/hysteretic_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.005, stiffness = 1e4;
const double mass = mass_of({.radius = radius}), reduced = 0.5 * mass;

/// Order of convergence of positions at one time, by three time steps each half of the one before.
double order(const std::function<std::vector<Grain>()>& start, const SoftLaws& laws, double time, int steps) {
    std::vector<std::vector<Vec3>> ends;
    for (const int factor : {1, 2, 4}) {
        EngineRun run(world(), soft_space(laws, time / (factor * steps)), start());
        make_steps(run, factor * steps);
        std::vector<Vec3> places;
        for (const auto& [id, g] : grains_of(run))
            places.push_back(g.position);
        ends.push_back(places);
    }
    double coarse = 0, fine = 0;
    for (std::size_t i = 0; i < ends[0].size(); ++i)
        coarse += dot(ends[0][i] - ends[1][i], ends[0][i] - ends[1][i]),
            fine += dot(ends[1][i] - ends[2][i], ends[1][i] - ends[2][i]);
    return 0.5 * std::log2(coarse / fine);
}

/// Four grains of different sizes, all in contact with each other and pressed together by cohesion, that
/// vibrate without ever parting.
std::vector<Grain> tetrahedron(double overlap, double speed) {
    const double a[4] = {0.005, 0.006, 0.0045, 0.0055};
    const auto distance = [&](int i, int j) { return a[i] + a[j] - overlap; };
    // Each next one lies at its distances from those before.
    const double d01 = distance(0, 1), d02 = distance(0, 2), d12 = distance(1, 2);
    Vec3 place[4];
    place[0] = {0, 0, 0}, place[1] = {d01, 0, 0};
    const double x = (d01 * d01 + d02 * d02 - d12 * d12) / (2 * d01), y = std::sqrt(d02 * d02 - x * x);
    place[2] = {x, y, 0};
    const double d03 = distance(0, 3), d13 = distance(1, 3), d23 = distance(2, 3);
    const double u = (d01 * d01 + d03 * d03 - d13 * d13) / (2 * d01);
    const double v = (d02 * d02 + d03 * d03 - d23 * d23 - 2 * x * u) / (2 * y);
    place[3] = {u, v, std::sqrt(d03 * d03 - u * u - v * v)};
    Random random = checks::random_numbers(31);
    std::vector<Grain> grains;
    for (std::uint64_t i = 0; i < 4; ++i)
        grains.push_back(grain(i, place[i], a[i], speed * checks::random_vector(random),
                               (speed / a[i]) * checks::random_vector(random)));
    return grains;
}

TEST(SoftConvergence, OrdersOfTheScheme) {
    const double time = 5 * soft::contact_time(stiffness, 0, reduced);
    const double cohesion = 0.5, rest = cohesion / stiffness,
                 speed = 0.1 * rest * std::sqrt(stiffness / reduced);
    const auto start = [&] { return tetrahedron(rest, speed); };
    SoftLaws elastic = linear_laws(stiffness);
    elastic.cohesion_force = cohesion;
    EXPECT_NEAR(order(start, elastic, time, 500), 2, 0.05) << "springs";
    SoftLaws damped = elastic;
    damped.viscosity = 0.2 * std::sqrt(stiffness * reduced);
    EXPECT_NEAR(order(start, damped, time, 500), 1, 0.05) << "dashpots: with the velocity half a step before";
    SoftLaws sticking = elastic;
    sticking.sliding = {0.3 * stiffness, 0, 1}, sticking.rolling = {0.2 * stiffness, 0, 1};
    sticking.torsion = {0.2 * stiffness, 0, 1};
    EXPECT_NEAR(order(start, sticking, time, 500), 2, 0.05) << "springs of sliding, rolling and torsion";
    SoftLaws hertz = hertz_laws(1e7);
    hertz.cohesion_force = cohesion;
    EXPECT_NEAR(order(start, hertz, time, 500), 2, 0.05) << "springs of Hertz";
}

/// Of two grains that meet along their line of centres, with the first touch within a step.
struct Meeting {
    double restitution, time;
};

Meeting meet(const SoftLaws& laws, double speed, double expected_time, int steps) {
    const double dt = expected_time / steps;
    const double gap = 7.3 * speed * dt; // the touch is no step's beginning
    EngineRun run(world(), soft_space(laws, dt),
                  std::vector{grain(0, {-radius - 0.5 * gap, 0, 0}, radius, {0.5 * speed, 0, 0}),
                              grain(1, {radius + 0.5 * gap, 0, 0}, radius, {-0.5 * speed, 0, 0})});
    while (run.time() < 2 * expected_time)
        run.step(for_ever);
    const Grain one = grain_of(run, 0), two = grain_of(run, 1);
    const double leaving = two.velocity.x - one.velocity.x;
    const double apart = two.position.x - one.position.x - 2 * radius;
    // It flew freely before and after.
    return {leaving / speed, run.time() - gap / speed - apart / leaving};
}

/// Errors of restitution and contact time are of the first order of the step at most, and fall with it.
void expect_meeting(const SoftLaws& laws, double speed, double restitution, double time, const char* what) {
    double last = 1;
    for (const int steps : {50, 400, 3200}) {
        const Meeting seen = meet(laws, speed, time, steps);
        const double error =
            std::max(std::abs(seen.restitution - restitution), std::abs(seen.time / time - 1));
        EXPECT_LT(error, 2.0 / steps) << what << " with " << steps << " steps";
        EXPECT_LT(error, 0.2 * last) << what << " with " << steps << " steps";
        last = error;
    }
}

TEST(SoftConvergence, LinearContactTimeAndRestitution) {
    for (const double gamma : {0.0, 0.2, 0.6}) {
        const double viscosity = gamma * std::sqrt(stiffness * reduced);
        expect_meeting(linear_laws(stiffness, viscosity), 0.1,
                       soft::restitution(stiffness, viscosity, reduced),
                       soft::contact_time(stiffness, viscosity, reduced), "linear"); // [004 eq. 4-5]
    }
}

TEST(SoftConvergence, HertzContactTime) {
    const soft::Hertz law{.modulus = 1e8};
    double last = 0;
    for (const double speed : {0.01, 0.32, 10.24}) { // 32 times as fast: half as long
        const double time = soft::contact_time(law, 0.5 * radius, reduced, speed);
        // [002 eq. 2] for identical spheres, in terms of m12 = m/2, R* = R/2 and E*
        EXPECT_NEAR(time, 2.8683 * std::pow(reduced * reduced / (0.5 * radius * 1e16 * speed), 0.2),
                    1e-4 * time);
        expect_meeting(hertz_laws(1e8), speed, 1, time, "hertz");
        EXPECT_TRUE(last == 0 || std::abs(time / last - 0.5) < 1e-12);
        last = time;
    }
}

TEST(SoftConvergence, RestitutionOfThePlasticLaws) {
    SoftLaws laws = linear_laws(stiffness);
    laws.unloading_stiffness = 4 * stiffness, laws.unloading_growth = 1000, laws.modulus = 1e8,
    laws.yield_pressure = 1e6;
    laws.adhesion_stiffness = 0.1 * stiffness, laws.plasticity_depth = 0.05;
    for (const double speed : {0.05, 0.5}) {
        laws.normal = NormalLaw::latching;
        const auto end = [&](double time) { return meet(laws, speed, time, 3200).restitution; };
        const soft::LatchingSpring latching{stiffness, 4 * stiffness, 1000, 0};
        EXPECT_NEAR(end(2 * soft::contact_time(latching, reduced, speed)),
                    soft::restitution(latching, reduced, speed), 1e-5);
        laws.normal = NormalLaw::yielding;
        const soft::Yielding yielding{1e8, 1e6, 0};
        EXPECT_NEAR(end(2 * soft::contact_time(yielding, 0.5 * radius, reduced, speed)),
                    soft::restitution(yielding, 0.5 * radius, reduced, speed), 1e-5);
        laws.normal = NormalLaw::adhesive;
        const soft::AdhesivePlastic adhesive{stiffness, 4 * stiffness, 0.1 * stiffness, 0.05, 0};
        EXPECT_NEAR(end(soft::contact_time(adhesive, radius, reduced, speed)),
                    soft::restitution(adhesive, radius, reduced, speed), 1e-5);
    }
}

} // namespace
} // namespace tamp
