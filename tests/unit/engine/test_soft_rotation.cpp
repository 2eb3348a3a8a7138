// Spheres and discs that turn while they collide [002 sec. 3, eq. 11-14], moved by the engine.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "soft_setups.hpp"
#include "tamp/laws/soft/contact_scales.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double radius = 0.005, stiffness = 1e4;

/// A body that meets a plane, or its own image: two equal bodies with the same spin, so that their surfaces
/// slide along each other. Both have K_n/m for the normal and (1 + kappa) K_t/m for the rotation, with the
/// mass m of the body and, for the pair, springs of which each body has half.
struct Impact {
    int dimension;
    bool pair;
    double ratio;         ///< K_t/K_n
    double slide = 0;     ///< tangential speed, in units of the normal one
    double surface = 0;   ///< a omega, likewise
    double friction = 50; ///< enough to stick until the last moment of the contact
    int steps = 2000;     ///< in a contact

    // Afterwards, in the same units:
    double normal_after = 0, slide_after = 0, surface_after = 0,
           energy_after = 0; ///< energy: over that before
    int reversals = 0;       ///< of the spin

    double kappa() const { return inertia_ratio(dimension); }
    double mass() const { return mass_of({.radius = radius}, dimension) * (pair ? 0.5 : 1); }
    double contact_time() const { return soft::contact_time(stiffness, 0, mass()); }

    void run() {
        // So slow that arms are shortened by 1e-6 of the radius only.
        const double speed = 2e-6 * radius * std::sqrt(stiffness / mass());
        SoftLaws laws = linear_laws(stiffness);
        laws.sliding = {ratio * stiffness, 0, friction};
        RigidSetup setup = soft_space(laws, contact_time() / steps, dimension);
        // The normal is y, the tangent x and the axis z.
        const double share = pair ? 0.5 : 1;
        std::vector<Grain> grains{grain(0, {0, radius, 0}, radius, {share * slide * speed, -share * speed, 0},
                                        {0, 0, surface * speed / radius * share})};
        if (pair)
            grains.push_back(grain(1, {0, -radius, 0}, radius, -grains[0].velocity, grains[0].spin));
        else
            setup.walls = {wall({0, 0, 0}, {0, 1, 0})};
        EngineRun engine(world(), setup, grains);
        const double before = conserved(engine).energy;
        double spin = surface;
        while (engine.time() < 1.01 * contact_time()) {
            engine.step(for_ever);
            const double now = grain_of(engine, 0).spin.z;
            reversals += spin * now < 0;
            spin = now;
        }
        const Grain end = grain_of(engine, 0);
        normal_after = end.velocity.y / (share * speed), slide_after = end.velocity.x / (share * speed);
        surface_after = end.spin.z * radius / (share * speed);
        energy_after = conserved(engine).energy / before;
    }
    /// Velocity of the surface that touches.
    double sliding_before() const { return slide + surface; }
    double sliding_after() const { return slide_after + surface_after; }
};

std::vector<Impact> impacts(double ratio_in_step) {
    std::vector<Impact> all;
    for (const int dimension : {3, 2})
        for (const bool pair : {false, true})
            all.push_back({.dimension = dimension,
                           .pair = pair,
                           .ratio = ratio_in_step / (1 + inertia_ratio(dimension))});
    return all;
}

TEST(SoftRotation, IsInStepWithTheNormalAtTwoSeventhsAndOneThird) {
    EXPECT_DOUBLE_EQ(impacts(1)[0].ratio, 2.0 / 7);
    EXPECT_DOUBLE_EQ(impacts(1)[2].ratio, 1.0 / 3);
    for (Impact impact : impacts(1)) {
        impact.slide = 0.3, impact.surface = -0.1;
        impact.run();
        // The spring is unstretched when the bodies part, and its force has reversed the sliding.
        EXPECT_NEAR(impact.sliding_after(), -impact.sliding_before(), 2e-3)
            << impact.dimension << impact.pair;
        EXPECT_NEAR(impact.normal_after, 1, 1e-5);
        EXPECT_NEAR(impact.energy_after, 1, 1e-5) << "nothing is lost in a spring that breaks";
    }
    for (const double factor : {0.5, 2.0}) // out of step
        for (Impact impact : impacts(factor)) {
            impact.slide = 0.3, impact.surface = -0.1;
            impact.run();
            // A spring that is still stretched breaks. It had (sin phi)^2 of the energy of sliding.
            const double phi = std::numbers::pi * std::sqrt(factor), sliding = impact.sliding_before();
            const double kinetic =
                1 + impact.slide * impact.slide + impact.surface * impact.surface / impact.kappa();
            const double lost =
                sliding * sliding / (1 + impact.kappa()) * std::pow(std::sin(phi), 2) / kinetic;
            EXPECT_NEAR(impact.sliding_after(), sliding * std::cos(phi), 2e-3)
                << impact.dimension << impact.pair;
            EXPECT_NEAR(1 - impact.energy_after, lost, 1e-4);
            EXPECT_GT(lost, 1e-3);
        }
}

TEST(SoftRotation, IsReversedOnceAndTwice) {
    // A body that only spins has w = w_0 (1 - kappa/(1 + kappa) (1 - cos phi)) with phi = pi sqrt((1 + kappa)
    // K_t/K_n) at the end; w passes zero where cos phi = -1/kappa.
    for (const double factor : {0.1, 1.0, 1.2, 2.4, 3.4})
        for (Impact impact : impacts(factor)) {
            impact.surface = 0.1;
            impact.run();
            const double kappa = impact.kappa(), phi = std::numbers::pi * std::sqrt(factor);
            const double expected = 1 - kappa / (1 + kappa) * (1 - std::cos(phi)),
                         turn = std::acos(-1 / kappa);
            EXPECT_NEAR(impact.surface_after / impact.surface, expected, 1e-2) << factor;
            EXPECT_EQ(impact.reversals, phi < turn                          ? 0
                                        : phi < 2 * std::numbers::pi - turn ? 1
                                                                            : 2)
                << factor << " in " << impact.dimension << "-D";
        }
}

/// Mindlin's ratio of a real material is between 2/3 and 1 [002 sec. 3]: all such contacts reverse a spin
/// twice.
TEST(SoftRotation, ElasticMaterialsReverseTwice) {
    for (const double ratio : {2.0 / 3, 0.8, 1.0})
        for (Impact impact : impacts(1)) {
            impact.ratio = ratio, impact.surface = 0.1;
            impact.run();
            EXPECT_EQ(impact.reversals, 2) << ratio << " in " << impact.dimension << "-D";
        }
}

TEST(SoftRotation, GrazingImpactSlides) {
    for (Impact impact : impacts(1)) {
        impact.friction = 0.2, impact.slide = 10;
        impact.run();
        // The tangential impulse is mu times the normal one, 2 m v.
        EXPECT_NEAR(impact.slide_after, 10 - 0.4, 1e-3) << impact.dimension << impact.pair;
        EXPECT_NEAR(impact.surface_after, -0.4 * impact.kappa(), 1e-3) << impact.dimension << impact.pair;
    }
}

} // namespace
} // namespace tamp
