#include "tamp/solver/load_slabs.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "chain.hpp"
#include "tamp/solver/contact_totals.hpp"

// Chains whose impulses are wrong by known amounts, and whose velocities are those of their impulses. What is
// missing in contact j is what would stop all that is above it.
namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr double m = Chain::mass, speed_of_step = 9.81 * Chain::time_step; // that gravity gives in a step
const Vec3 down{0, 0, -9.81}, up{0, 0, 9.81}, no_gravity{0, 0, 0};

/// In a chain every contact is seen: without what the estimate adds for those of packings that are not.
double as_seen(double error) {
    const double missing = error / (1 - error) / LoadSlabs::unseen; // over what is there
    return missing / (1 + missing);
}

/// The estimate for a chain as it is. `wall_speeds`: up.
std::optional<double> missing(Chain& chain, const Vec3& gravity, std::vector<double> wall_speeds = {}) {
    Profile profile;
    TotalsOverRanks totals(self(), profile);
    totals.slabs().plan(self(), chain.grid(), chain.tiles(), chain.store());
    totals.slabs().begin(chain.walls, gravity);
    std::vector<WallState> states;
    for (const Wall& wall : chain.walls)
        states.push_back({wall.normal, {0, 0, 0}, 0.0});
    for (std::size_t w = 0; w < wall_speeds.size(); ++w)
        states[w].velocity = {0, 0, wall_speeds[w]};
    const std::optional<double> error = totals.collect(chain.task(), states).missing;
    return error ? std::optional(as_seen(*error)) : error;
}

/// Spheres in a tile. Up to 16 tiles, each is a slab; of more, several are one.
struct Size {
    int count, height;
    int slab_height() const { // in spheres
        const int tiles = count / height;
        return height * ((tiles + 15) / 16);
    }
};
const Size sizes[] = {{4, 2}, {20, 2}, {32, 2}, {48, 3}, {64, 2}, {128, 4}, {400, 5}};

/// The transmitted impulse of a slab counts contacts with their branches; one contact more or less, half a
/// branch at a wall, is a share of this.
double of_a_contact(const Size& size) { return 0.5 / size.slab_height(); }

/// Every contact closes by `a` where it should not: the velocities of the spheres are linear in height, and
/// so are those that the slabs find, whatever their height. What is left is in what they divide by, the
/// largest impulse: that of the floor, or of the lowest slab, which is larger by half a contact at most.
TEST(LoadSlabs, EvenApproachIsFoundExactly) {
    for (const Size& size : sizes) {
        const int n = size.count;
        Chain chain(n, size.height, {floor_of_chain()});
        const double right = m * speed_of_step * n;
        for (const double share : {0.5, 0.1, 1e-3}) {
            const double a = 2 * share * speed_of_step / n; // m a n^2/2 is missing below
            const auto lack = [&](int j) { return 0.5 * m * a * (n - j) * (n + j); };
            chain.set([&](int i) { return -a * (i + 0.5); },
                      [&](int j) { return m * speed_of_step * (n - j) - lack(j); });
            const double found = missing(chain, down).value();
            EXPECT_NEAR(lack(0) / right, share, 1e-12);
            EXPECT_LE(found, share * (1 + 1e-12)) << n << " in tiles of " << size.height;
            EXPECT_GE(found, share / (1 + of_a_contact(size))) << n << " in tiles of " << size.height;
        }
    }
}

/// All impulses are too small by the same factor: all spheres fall alike, and only the contact with the floor
/// is wrong. Its slab takes the velocity for one that its spheres reach at its top, and the impulse that it
/// transmits is the mean one. With s of n spheres in the slab:
///   w/w_true = p_0/I_0 = 1/(1 +- 1/(2s) - s/(2n)),  M/M_true = 1 - s/(2n).
TEST(LoadSlabs, EvenFactorIsFoundToWithinASlab) {
    for (const Size& size : sizes) {
        const int n = size.count;
        Chain chain(n, size.height, {floor_of_chain()});
        for (const double share : {0.5, 0.1, 1e-3}) {
            chain.set([&](int) { return -share * speed_of_step; },
                      [&](int j) { return (1 - share) * m * speed_of_step * (n - j); });
            const double found = missing(chain, down).value();
            const double half = 0.5 * size.slab_height() / n, contact = of_a_contact(size);
            // Missing over what is there: that is w M, and does not know what the sum of both should be.
            const double ratio = found / (1 - found) * (1 - share) / share;
            EXPECT_LE(ratio, (1 - half) / (1 - contact - half) * (1 + 1e-12)) << n << ", " << size.height;
            EXPECT_GE(ratio, (1 - half) / (1 + contact) / (1 + contact)) << n << ", " << size.height;
        }
    }
}

/// Two spheres, one slab: the chain as above, but its impulses would have thrown the spheres apart, or aside,
/// by `thrown`. More of them would do it more, and less arrives below:
///   J (1/M + softness K/I^2) = w,  K = 2 m thrown^2, M = m: half the spheres move with the upper face.
TEST(LoadSlabs, WhatImpulsesThrowAboutMissesLess) {
    const int n = 2;
    for (const Vec3& direction : {Vec3{0, 0, 1}, Vec3{1, 0, 0}})
        for (const double thrown : {0.0, 0.3, 1.0, 10.0}) {
            Chain chain(n, n, {floor_of_chain()});
            const double a = 0.01 * speed_of_step;
            const auto impulse = [&](int j) { return m * speed_of_step * (n - j); };
            const auto speed = [&](int i) { return -a * (i + 0.5); };
            chain.set(speed, impulse);
            Profile profile;
            TotalsOverRanks totals(self(), profile);
            totals.slabs().plan(self(), chain.grid(), chain.tiles(), chain.store());
            totals.slabs().begin(chain.walls, down);
            for (std::size_t i = 0; i < n; ++i) // what impulses did to them
                chain.bodies[i].velocity +=
                    Vec3{0, 0, -speed_of_step} + (i == 0 ? 1 : -1) * thrown * speed_of_step * direction;
            totals.begin(chain.task());
            chain.set(speed, impulse);
            const std::vector<WallState> states{{chain.walls[0].normal, {0, 0, 0}, 0.0}};
            const double found = as_seen(totals.collect(chain.task(), states).missing.value());
            // The contacts with the floor and between the spheres are 1.5 diameters of the slab's two.
            const double floor = impulse(0), transmitted = (0.5 * impulse(0) + impulse(1)) / n;
            const double energy = 2 * m * thrown * thrown * speed_of_step * speed_of_step;
            const double missing =
                n * a / (1 / m + LoadSlabs::softness * energy / (transmitted * transmitted));
            EXPECT_NEAR(found, missing / (floor + missing), 1e-3 * found) << thrown;
        }
}

TEST(LoadSlabs, SolvedChainMissesNothing) {
    for (const Size& size : sizes) {
        Chain chain(size.count, size.height, {floor_of_chain()});
        chain.set([](int) { return 0.0; }, [&](int j) { return m * speed_of_step * (size.count - j); });
        EXPECT_EQ(missing(chain, down), 0.0);
    }
}

/// A piston on top moves on with the speed of the chain's end, a n; without weight, all impulses would be
/// those of its force.
TEST(LoadSlabs, PistonAddsItsMomentum) {
    for (const Size& size : sizes)
        for (const double mass : {0.1 * m, 10 * m, 1000 * m}) {
            const int n = size.count;
            const double force = 2000 * m * speed_of_step; // as an impulse
            Chain chain(n, size.height,
                        {floor_of_chain(), as_piston(ceiling_of_chain(n), mass, force / Chain::time_step)});
            const double all = 0.2 * force, a = all / (0.5 * m * n * n + mass * n);
            const auto lack = [&](int j) { return 0.5 * m * a * (n - j) * (n + j) + mass * a * n; };
            chain.set([&](int i) { return -a * (i + 0.5); }, [&](int j) { return force - lack(j); });
            const double found = missing(chain, no_gravity, {0, -a * n}).value();
            // The largest impulse that is there is that of the piston, which misses less.
            const double largest = force - lack(n);
            EXPECT_LE(found, all / (largest + all) * (1 + 1e-12)) << n << ", " << size.height;
            EXPECT_GE(found, all / (largest * (1 + of_a_contact(size)) + all)) << n << ", " << size.height;
        }
}

/// The same turned over: gravity upwards, and a ceiling.
TEST(LoadSlabs, WhatIsHeldFromAboveCountsFromThere) {
    for (const Size& size : sizes) {
        const int n = size.count;
        Chain below(n, size.height, {floor_of_chain()}), above(n, size.height, {ceiling_of_chain(n)});
        const double a = 0.2 * speed_of_step / n;
        const auto impulse = [&](int j) {
            return m * speed_of_step * (n - j) - 0.5 * m * a * (n - j) * (n + j);
        };
        below.set([&](int i) { return -a * (i + 0.5); }, impulse);
        above.set([&](int i) { return a * (n - 1 - i + 0.5); }, [&](int j) { return impulse(n - j); });
        const double expected = missing(below, down).value();
        // A contact between two slabs belongs to one of them: by the other one they differ.
        EXPECT_NEAR(missing(above, up).value(), expected, of_a_contact(size) * expected);
    }
}

/// A chain on a sphere that never moves: what is missing is missing there, as on a floor.
TEST(LoadSlabs, FixedParticlesHoldAsWallsDo) {
    for (const Size& size : {Size{32, 2}, Size{64, 2}, Size{400, 5}}) {
        const int n = size.count;
        Chain below(n, size.height, {}, 0), above(n, size.height, {}, n - 1);
        const double share = 0.1, a = 2 * share * speed_of_step / n;
        const auto impulse = [&](int j) { // all but the fixed one move, and press on it
            return j == 0 ? 0.0 : m * speed_of_step * (n - j) - 0.5 * m * a * (n - j) * (n + j);
        };
        below.set([&](int i) { return i == 0 ? 0.0 : -a * (i + 0.5); }, impulse);
        above.set([&](int i) { return i == n - 1 ? 0.0 : a * (n - 1 - i + 0.5); },
                  [&](int j) { return impulse(n - j); });
        // The largest impulse is that of the lowest slab, half of it too high up: no wall tells a larger one.
        const double within = share * (2 * of_a_contact(size) + (0.5 * size.slab_height() + 2) / n);
        EXPECT_NEAR(missing(below, down).value(), share, within) << n;
        EXPECT_NEAR(missing(above, up).value(), share, within) << n;
    }
}

/// Two pistons press against each other: what moves as a whole misses nothing, and the middle misses most,
///   m a n^2/8 + M a n/2.
TEST(LoadSlabs, WhatNothingHoldsMayDrift) {
    for (const Size& size : {Size{4, 2}, Size{32, 2}, Size{128, 4}})
        for (const double drift : {0.0, 3.0}) {
            const int n = size.count;
            const double mass = 5 * m, force = 2000 * m * speed_of_step;
            Chain chain(n, size.height,
                        {as_piston(floor_of_chain(), mass, force / Chain::time_step),
                         as_piston(ceiling_of_chain(n), mass, force / Chain::time_step)});
            const double all = 0.1 * force, a = all / (0.125 * m * n * n + 0.5 * mass * n);
            const auto lack = [&](int j) { return 0.5 * m * a * j * (n - j) + 0.5 * mass * a * n; };
            chain.set([&](int i) { return drift - a * (i + 0.5 - 0.5 * n); },
                      [&](int j) { return force - lack(j); });
            const double found =
                missing(chain, no_gravity, {drift + 0.5 * a * n, drift - 0.5 * a * n}).value();
            const double largest = force - lack(0);
            EXPECT_LE(found, all / (largest + all) * (1 + 1e-9)) << n << ", " << size.height;
            EXPECT_GE(found, all / (largest * (1 + of_a_contact(size)) + all)) << n << ", " << size.height;
        }
}

TEST(LoadSlabs, WithoutLoadNothingIsToBeMissed) {
    const int n = 20;
    Chain chain(n, 2, {floor_of_chain(), ceiling_of_chain(n)});
    chain.set([](int) { return -1.0; }, [](int) { return 1.0; });
    EXPECT_FALSE(missing(chain, no_gravity).has_value());
    EXPECT_TRUE(missing(chain, down).has_value());
    chain.walls[1].velocity = {0, 0, -1};
    EXPECT_TRUE(missing(chain, no_gravity).has_value()) << "a wall that is driven";

    Chain free(n, 2, {});
    free.set([](int) { return -1.0; }, [](int) { return 0.0; });
    EXPECT_EQ(missing(free, down), 0.0) << "nothing presses, nothing is missing";

    LoadSlabs slabs; // never planned nor begun
    EXPECT_FALSE(slabs.loaded());
    EXPECT_EQ(slabs.sum_count(), 0u);
}

TEST(LoadSlabs, GravityAlongAnAxisLoadsThatAxis) {
    Chain chain(32, 2, {floor_of_chain()});
    LoadSlabs slabs;
    slabs.plan(self(), chain.grid(), chain.tiles(), chain.store());
    slabs.begin(chain.walls, down);
    EXPECT_EQ(slabs.sum_count(), LoadSlabs::sums_of_slab * 16);
    slabs.begin(chain.walls, {5, 0, -9});
    EXPECT_EQ(slabs.sum_count(), LoadSlabs::sums_of_slab * (16 + 1)) << "a tile across";
    slabs.begin(chain.walls, {0, 0.1, -9});
    EXPECT_EQ(slabs.sum_count(), LoadSlabs::sums_of_slab * 16) << "hardly slanted";
}

/// Weight over the base, and what the lowest slab transmits of it.
TEST(LoadSlabs, TellsTheLoadAtRest) {
    for (const Size& size : sizes) {
        const int n = size.count;
        Chain chain(n, size.height, {floor_of_chain()});
        const double weight = m * 9.81 * n, impulse = m * speed_of_step;
        chain.set([](int) { return 0.0; }, [&](int j) { return impulse * (n - j); });
        Profile profile;
        TotalsOverRanks totals(self(), profile);
        LoadSlabs& slabs = totals.slabs();
        slabs.plan(self(), chain.grid(), chain.tiles(), chain.store());
        slabs.begin(chain.walls, down);
        const double area = chain.grid().box().volume() / chain.grid().box().length(2);
        EXPECT_NEAR(slabs.static_load().mass, m * n / area, 1e-12 * m * n / area);
        EXPECT_NEAR(slabs.static_load().pressure, weight / area, 1e-12 * weight / area);
        const std::vector<WallState> states{{chain.walls[0].normal, {0, 0, 0}, 0.0}};
        const double pressing = totals.collect(chain.task(), states).pressing * area / Chain::time_step;
        EXPECT_NEAR(pressing / weight, 1, 0.5 * size.slab_height() / n + of_a_contact(size)) << n;
        slabs.begin(chain.walls, no_gravity);
        EXPECT_EQ(slabs.static_load().pressure, 0);
    }
}

/// A piston adds to the weight. A wall that is driven from the side makes no depth, nor does weight that
/// nothing holds.
TEST(LoadSlabs, LoadAtRestIsThatOfGravityAndPistons) {
    const int n = 32;
    const double force = 7;
    Chain chain(n, 2, {floor_of_chain()});
    LoadSlabs slabs;
    slabs.plan(self(), chain.grid(), chain.tiles(), chain.store());
    const double area = chain.grid().box().volume() / chain.grid().box().length(2);
    Wall piston = floor_of_chain(), side = floor_of_chain();
    piston.normal = {0, 0, -1}, piston.motion = WallMotion::piston, piston.mass = m, piston.force = force;
    side.normal = {1, 0, 0}, side.motion = WallMotion::driven, side.velocity = {1, 0, 0};
    const std::vector<Wall> pressed{floor_of_chain(), piston, side}, driven{side}, none;
    slabs.begin(pressed, down);
    EXPECT_DOUBLE_EQ(slabs.static_load().pressure, (m * 9.81 * n + force) / area);
    EXPECT_NEAR(slabs.static_load().grain, m, 1e-12 * m);
    slabs.begin(pressed, no_gravity);
    EXPECT_NEAR(slabs.static_load().pressure, force / area, 1e-12 * force / area);
    EXPECT_NEAR(slabs.static_load().mass, m * n / area, 1e-12 * m * n / area);
    for (const std::vector<Wall>& walls : {driven, none})
        for (const Vec3& gravity : {down, no_gravity}) {
            slabs.begin(walls, gravity);
            EXPECT_EQ(slabs.static_load().mass, 0);
            EXPECT_EQ(slabs.static_load().pressure, 0);
        }
}

} // namespace
