#include "tamp/laws/rigid/cohesion.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::rigid;

/// One contact along its normal.
struct NormalContact {
    double p, u, c, m, strength, pull = 0;

    double relaxed() const { return cohesive_normal(p, u, c, m, strength, pull); }
    NormalContact with(double impulse) const {
        return {impulse, u + (impulse - p) / m, c, m, strength, pull};
    }
    double free_speed() const { return u - p / m; }
};

NormalContact random_bond(Random& random) {
    return {random.normal(), 2 * random.normal(), random.below(2) ? 0.0 : random.uniform(0, 2),
            random.uniform(0.1, 3), random.uniform(0, 2)};
}

enum Branch { pushed, narrowing, held, opening };

struct Outcome {
    Branch branch;
    double impulse, speed;
};

/// From the speed without the contact's own force: what the relative speed becomes in each case.
Outcome by_hand(const NormalContact& bond) {
    const double v = bond.free_speed();
    if (v < -bond.c)
        return {pushed, bond.m * (-bond.c - v), -bond.c};
    if (v <= 0)
        return {narrowing, 0, v};
    if (bond.m * v <= bond.strength)
        return {held, -bond.m * v, 0};
    return {opening, -bond.strength, v - bond.strength / bond.m};
}

TEST(Cohesion, HasFourBranches) {
    Random random = random_numbers(21);
    std::array<int, 4> seen{};
    const int trials = 4000;
    for (int trial = 0; trial < trials; ++trial) {
        const NormalContact bond = random_bond(random);
        const Outcome expected = by_hand(bond);
        ++seen[expected.branch];
        ASSERT_NEAR(bond.relaxed(), expected.impulse, 1e-14) << "branch " << expected.branch;
        const NormalContact after = bond.with(bond.relaxed());
        ASSERT_NEAR(after.u, expected.speed, 1e-13);
        ASSERT_NEAR(after.relaxed(), after.p, 1e-13); // nothing to do twice
    }
    for (const int count : seen)
        EXPECT_GT(count, trials / 20);
}

TEST(Cohesion, IsContinuous) {
    // A small change of the velocity changes the impulse by no more than m times that: no jump between
    // branches.
    Random random = random_numbers(22);
    for (int trial = 0; trial < 200; ++trial) {
        NormalContact bond = random_bond(random);
        bond.u = (bond.p - 3) / bond.m - bond.c; // pushed with an impulse of 3
        double last = bond.relaxed();
        for (int i = 0; i < 1000; ++i) {
            bond.u += 0.01 / bond.m;
            const double now = bond.relaxed();
            ASSERT_LE(std::abs(now - last), 0.01 * (1 + 1e-9));
            ASSERT_LE(now, last + 1e-15); // and pulls the more the faster it opens
            last = now;
        }
        ASSERT_EQ(last, -bond.strength);
    }
}

TEST(Cohesion, IsContinuousForReboundsToo) {
    // Restitution makes the closing speed negative; a jump would keep sweeps from coming to rest.
    Random random = random_numbers(23);
    for (int trial = 0; trial < 200; ++trial) {
        NormalContact bond = random_bond(random);
        bond.c = -random.uniform(0.1, 1);
        bond.u = (bond.p - 3) / bond.m - bond.c;
        double last = bond.relaxed();
        for (int i = 0; i < 1000; ++i) {
            bond.u += 0.01 / bond.m;
            const double now = bond.relaxed();
            ASSERT_LE(std::abs(now - last), 0.01 * (1 + 1e-9)) << "c = " << bond.c;
            last = now;
        }
    }
}

TEST(Cohesion, TouchingContactHasSignorinisGraphShifted) {
    Random random = random_numbers(24);
    for (int trial = 0; trial < 500; ++trial) {
        NormalContact bond = random_bond(random);
        bond.c = 0;
        const NormalContact after = bond.with(bond.relaxed());
        ASSERT_GE(after.u, -1e-13);
        ASSERT_GE(after.p, -after.strength);
        ASSERT_LT(std::abs((after.p + after.strength) * after.u), 1e-12);
    }
}

TEST(Cohesion, WithoutStrengthIsInelastic) {
    Random random = random_numbers(25);
    for (int trial = 0; trial < 500; ++trial) {
        NormalContact bond = random_bond(random);
        bond.strength = 0;
        ASSERT_EQ(bond.relaxed(), std::max(0.0, bond.p - bond.m * (bond.u + bond.c)));
    }
}

TEST(Cohesion, WeakenedContactIsNotPulledBack) {
    const double c = 0.5, m = 2, strength = 3;
    EXPECT_EQ((NormalContact{0, 0, c, m, strength}.relaxed()), 0);     // at rest it stays open …
    EXPECT_EQ((NormalContact{0, -0.25, c, m, strength}.relaxed()), 0); // … narrows if pushed …
    EXPECT_EQ((NormalContact{0, -0.5, c, m, strength}.relaxed()), 0);  // … and closes …
    EXPECT_EQ((NormalContact{0, -1.0, c, m, strength}.relaxed()), 1);  // … without overlap;
    EXPECT_EQ((NormalContact{0, 1.0, c, m, strength}.relaxed()), -2);  // a small load it bears where it is,
    EXPECT_EQ((NormalContact{0, 2.0, c, m, strength}.relaxed()), -3);  // a large one opens it further.
    EXPECT_EQ((NormalContact{-3, 1.0, c, m, strength}.relaxed()), -3); // opens against its full strength
    EXPECT_EQ((NormalContact{-3, -1.5, c, m, strength}.relaxed()),
              0); // the load is gone: no force, no motion
    EXPECT_EQ((NormalContact{-3, -1.0, c, m, strength}.relaxed()), -1);
}

TEST(Cohesion, ForceHasThreeScales) {
    const CohesionPartners partners{.reduced_radius = 0.25, .mean_mass = 3, .gravity = 10};
    EXPECT_EQ(cohesion_force({.scale = CohesionScale::force, .value = 2}, partners), 2);
    EXPECT_EQ(cohesion_force({.scale = CohesionScale::bond, .value = 2}, partners), 60);
    EXPECT_EQ(cohesion_force({.scale = CohesionScale::radius, .value = 2}, partners), 0.5);
}

TEST(Cohesion, RangeIsEnergyOverForce) {
    EXPECT_EQ(cohesion_range({.value = 4, .energy = 2}, 4), 0.5);
    EXPECT_EQ(cohesion_range({.value = 4, .energy = 2}, 8), 0.25);
    EXPECT_EQ(cohesion_range({.value = 4, .range = 0.125}, 4), 0.125);
    EXPECT_EQ(cohesion_range({.value = 4}, 4), 0);
    EXPECT_EQ(cohesion_range({.value = 4, .energy = 2}, 0), 0); // a Bond number without gravity
}

TEST(Cohesion, BondNeedsATouchAndLastsOverTheRange) {
    const double r = 0.5, touch = touching_gap * r, hold = held_gap * r, range = 0.01;
    ASSERT_LT(hold, range);
    for (const Bond past : {Bond::none, Bond::made, Bond::held}) {
        const bool held = past == Bond::held;
        EXPECT_EQ(bond_now(past, -0.01, range, r), Bond::held);
        EXPECT_EQ(bond_now(past, touch, range, r), Bond::held);
        EXPECT_EQ(bond_now(past, 0.0, 0.0, r), Bond::held);
        EXPECT_EQ(bond_now(past, range, range, r), Bond::none);
        EXPECT_EQ(bond_now(past, hold, 0.0, r), Bond::none);
        EXPECT_EQ(bond_now(past, 1.01 * touch, 0.0, r), held ? Bond::held : Bond::none);
        EXPECT_EQ(bond_now(past, 0.999 * hold, 0.0, r), held ? Bond::held : Bond::none);
        EXPECT_EQ(bond_now(past, 0.999 * hold, range, r), past); // a weakened one stays so
        EXPECT_EQ(bond_now(past, 0.999 * range, range, r), past == Bond::none ? Bond::none : Bond::made);
    }
}

TEST(Cohesion, BondIsHeldWhileItsTensionIsBelowTheStrength) {
    for (const Bond now : {Bond::none, Bond::made, Bond::held}) {
        EXPECT_EQ(bond_after(now, 1.0, 2.0), Bond::held); // pushed
        EXPECT_EQ(bond_after(now, -1.999, 2.0), now);
        EXPECT_EQ(bond_after(now, 0.0, 2.0), now);
    }
    EXPECT_EQ(bond_after(Bond::none, 0.0, 0.0), Bond::none);
    EXPECT_EQ(bond_after(Bond::made, 1e-16, 2.0), Bond::made); // round-off pushes nobody together
    EXPECT_EQ(bond_after(Bond::held, -2.0, 2.0), Bond::made);  // pulled open
    EXPECT_EQ(bond_after(Bond::held, -2.0 * (1 - 1e-15), 2.0), Bond::made);
    EXPECT_EQ(bond_after(Bond::held, -2e-20, 2e-20), Bond::made);
    EXPECT_EQ(bond_after(Bond::held, -1e-20, 2e-20), Bond::held);
}

TEST(Cohesion, TensionClosesOnlyWhatWasHeld) {
    EXPECT_EQ(pulling_speed(Bond::held, 0.25, 0.5), 0.5);
    EXPECT_EQ(pulling_speed(Bond::held, -0.25, 0.5), 0.0);
    EXPECT_EQ(pulling_speed(Bond::made, 0.25, 0.5), 0.0);
    // With pull = c the gap closes as long as the tension suffices.
    EXPECT_EQ((NormalContact{0, 0, 0.5, 2, 4, 0.5}.relaxed()), -1.0);
    EXPECT_EQ((NormalContact{0, 3, 0.5, 2, 4, 0.5}.relaxed()), -4.0);
    EXPECT_EQ((NormalContact{0, 0, 0.5, 2, 4, 0}.relaxed()), 0.0);
}

TEST(Cohesion, StrengthEndsWithTheRange) {
    const Cohesion law{.value = 8, .energy = 2}, impulse{.value = 8, .impulse_time = 0.25};
    const double force = 8, range = 0.25, dt = 0.5;
    EXPECT_EQ(cohesion_strength(law, Bond::made, force, range, 0.0, 0.0, dt), 4);
    EXPECT_EQ(cohesion_strength(law, Bond::made, force, range, 0.0, 0.5, dt), 4); // reaches the end exactly
    EXPECT_EQ(cohesion_strength(law, Bond::made, force, range, 0.0, 1.0, dt), 2); // half of the step
    EXPECT_EQ(cohesion_strength(law, Bond::made, force, range, 0.1875, 0.5, dt),
              1); // a quarter of it is left
    EXPECT_EQ(cohesion_strength(law, Bond::made, force, range, 0.1875, -0.5, dt), 4); // closes
    EXPECT_EQ(cohesion_strength({.value = 8}, Bond::held, force, 0.0, 0.0, 9.0, dt),
              4);                                    // no range: the whole step
    for (const double speed : {-0.1, 0.0, 0.1, 9.0}) // what is held may have a gap beyond a short range
        EXPECT_EQ(cohesion_strength(law, Bond::held, force, range, 1.5 * range, speed, dt), 4);
    EXPECT_EQ(cohesion_strength(impulse, Bond::held, force, 0.0, 0.0, 0.0, dt), 2);
    EXPECT_EQ(cohesion_strength(impulse, Bond::held, force, 0.0, 0.0, 0.0, 4 * dt), 2); // whatever the step
}

} // namespace
