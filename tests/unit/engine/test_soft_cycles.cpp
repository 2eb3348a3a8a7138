// Loading, unloading and reloading of one contact, as the engine computes it: against the seed's equations.

#include <gtest/gtest.h>

#include <cmath>

#include "soft_setups.hpp"
#include "tamp/soft/pair_laws.hpp"

namespace tamp {
namespace {

using namespace setups;

constexpr double small = 0.004, large = 0.01; ///< radii: their mean, 7 mm, is not twice the reduced one
constexpr double mean_radius = 0.5 * (small + large);

/// A grain that is held fixed, and one so heavy that forces do not move it. It goes where it is told.
class Press {
public:
    explicit Press(const SoftLaws& laws) : run(world(), setup(laws), grains()) {}

    /// Moves until the overlap is this, by steps of 1 um; calls `look(overlap, force)` at each.
    template <class Look>
    void go(double overlap, Look&& look) {
        const double step = std::copysign(1e-6, overlap - at_);
        const auto steps = std::lround((overlap - at_) / step);
        for (long i = 0; i < steps; ++i) {
            run.world.particles.body[index_of(run, 1)].velocity = {-step / time_step, 0, 0};
            run.step(for_ever); // the force of where it was
            look(at_, force());
            at_ += step;
        }
    }
    void go(double overlap) {
        go(overlap, [](double, double) {});
    }
    double force() const {
        const View seen = view(run);
        return seen.contacts.size() == 0 ? 0.0 : seen.contacts.normal_force[0];
    }

    static constexpr double time_step = 1e-6;

private:
    static RigidSetup setup(const SoftLaws& laws) {
        RigidSetup setup = soft_space(laws, time_step);
        setup.materials = MaterialTable({{"fixed", 1000, 0.5, true}, {"heavy", 1e20, 0.5}});
        ContactLaws contact;
        contact.soft = laws;
        for (const int other : {0, 1})
            setup.materials.set(0, other, contact), setup.materials.set(1, other, contact);
        return setup;
    }
    static std::vector<Grain> grains() {
        std::vector<Grain> both{grain(0, {0, 0, 0}, small), grain(1, {small + large, 0, 0}, large)};
        both[1].material = 1;
        return both;
    }

    EngineRun run;
    double at_ = 0;
};

SoftLaws luding() {
    SoftLaws laws;
    laws.normal = NormalLaw::adhesive;
    laws.stiffness = 100, laws.unloading_stiffness = 500, laws.adhesion_stiffness = 300;
    laws.plasticity_depth = 0.04; // of the mean radius: delta*_max = 500/400 x 0.28 mm = 0.35 mm
    return laws;
}

/// k_2(delta_max) [004 eq. 7-8].
double unloading(double largest) {
    const double star = 500.0 / 400 * 0.04 * mean_radius;
    return largest < star ? 100 + 400 * largest / star : 500;
}

TEST(SoftCycles, EveryBranchOfLudingsLaw) {
    for (const double largest : {0.1e-3, 0.2e-3, 0.5e-3}) {
        const double k2 = unloading(largest), zero = (1 - 100 / k2) * largest;
        const double least_at = (k2 - 100) * largest / (k2 + 300), tiny = 1e-9 * 100 * largest;
        const auto loading = [&](double delta, double f) { ASSERT_NEAR(f, 100 * delta, tiny); };
        const auto line = [&](double delta, double f) { ASSERT_NEAR(f, k2 * (delta - zero), tiny); };
        Press press(luding());
        press.go(largest, loading);
        press.go(zero + 10e-6, line);       // unloads
        press.go(0.9 * largest, line);      // and reloads along the same line
        press.go(least_at + 2e-6, line);    // through zero to where it pulls most
        press.go(largest, line);            // and back
        press.go(largest + 20e-6, loading); // loads on: the largest overlap grows
    }
}

TEST(SoftCycles, PullOff) {
    for (const double largest : {0.1e-3, 0.2e-3, 0.5e-3}) {
        const double k2 = unloading(largest), least_at = (k2 - 100) * largest / (k2 + 300);
        Press press(luding());
        press.go(largest);
        double least = 0, where = 0;
        press.go(0, [&](double delta, double f) {
            if (f < least)
                least = f, where = delta;
            ASSERT_GT(f, -300 * delta - 1e-12) << "the lower limit";
            ASSERT_TRUE(delta > least_at - 2e-6 || std::abs(f + 300 * delta) < 1e-11)
                << "the adhesive branch";
        });
        EXPECT_NEAR(where, least_at, 1.01e-6) << "one step";
        EXPECT_NEAR(least, -300 * least_at, 300 * 1.01e-6);
        press.go(0.05e-3, [&](double delta, double f) { ASSERT_NEAR(f, 100 * delta, 1e-11); });
    }
}

TEST(SoftCycles, ReloadingOnTheAdhesiveBranch) {
    const double largest = 0.5e-3, turn = 0.1e-3; // the least force is at 0.25 mm
    Press press(luding());
    press.go(largest);
    press.go(turn);
    // The line of slope k_2 through the present point ends where it meets k_1 delta.
    double shrunk = 0;
    for (double try_at = turn; try_at < largest; try_at += 1e-9)
        if (const double k2 = unloading(try_at); - 300 * turn + k2 * (try_at - turn) >= 100 * try_at) {
            shrunk = try_at;
            break;
        }
    ASSERT_GT(shrunk, turn + 10e-6);
    press.go(largest, [&](double delta, double f) {
        const double expected =
            delta < shrunk ? -300 * turn + unloading(shrunk) * (delta - turn) : 100 * delta;
        ASSERT_NEAR(f, expected, 1e-6);
    });
}

/// Random legs: the kernel gives what the law alone gives, with the memory that the contact keeps.
TEST(SoftCycles, EveryLawInRandomCycles) {
    for (const NormalLaw normal : {NormalLaw::linear, NormalLaw::hertz, NormalLaw::yielding,
                                   NormalLaw::latching, NormalLaw::adhesive}) {
        SoftLaws laws = luding();
        laws.normal = normal, laws.modulus = 2e6, laws.yield_pressure = 1e5, laws.unloading_growth = 1e4;
        laws.viscosity = 0;
        const soft::PairLaws alone = soft::pair_laws(laws);
        Press press(laws);
        Random random = checks::random_numbers(17);
        double memory = 0;
        int unloaded = 0;
        for (int leg = 0; leg < 20; ++leg)
            press.go(std::round(random.uniform(-0.02, 0.4) * 1e3) * 1e-6, [&](double delta, double f) {
                const soft::Touch<double> touch{delta, 0, 1, small * large / (small + large), mean_radius};
                const double expected = std::visit(
                    [&](const auto& law) { return law.force(touch, memory).elastic; }, alone.normal);
                ASSERT_NEAR(f, expected, 1e-9)
                    << static_cast<int>(normal) << " at " << delta << " in leg " << leg;
                unloaded += memory > delta && delta > 0;
            });
        EXPECT_EQ(unloaded > 500, normal != NormalLaw::linear && normal != NormalLaw::hertz);
    }
}

/// K delta^(3/2) + D delta^l |v|^m, against the motion [002 eq. 10].
TEST(SoftCycles, DashpotOfHertzHasItsExponents) {
    const double speed = 1e-6 / Press::time_step, reduced = small * large / (small + large);
    for (const int quarters : {0, 1, 2, 4, 6})
        for (const double m : {0.5, 1.0, 2.0}) {
            SoftLaws laws = hertz_laws(1e6);
            laws.viscosity = 3, laws.damping_exponent = quarters, laws.speed_exponent = m;
            Press press(laws);
            for (const double sign : {1.0, -1.0}) // closing, opening
                press.go(sign > 0 ? 50e-6 : 0, [&](double delta, double f) {
                    const double spring = 4.0 / 3 * 1e6 * std::sqrt(reduced) * std::pow(delta, 1.5);
                    const double dashpot = 3 * std::pow(delta, 0.25 * quarters) * std::pow(speed, m);
                    ASSERT_NEAR(f, delta > 0 ? spring + sign * dashpot : 0, 1e-9) << quarters << " " << m;
                });
        }
}

} // namespace
} // namespace tamp
