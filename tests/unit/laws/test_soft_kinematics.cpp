#include "tamp/laws/soft/kinematics.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "random_vectors.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

/// Two overlapping spheres of unequal size, with w = a omega.
struct Spheres {
    double a1, a2, overlap;
    Vec3 n, v1, v2, omega1, omega2;

    double arm1() const { return a1 - overlap / 2; }
    double arm2() const { return a2 - overlap / 2; }
    Vec3 apart() const { return (a1 + a2 - overlap) * n; } ///< x2 - x1
    soft::Arms<double> arms() const { return soft::arms_of(overlap, 1 / a1, 1 / a2); }
    Vec3 sliding() const { return soft::sliding_velocity(n, v2 - v1, a1 * omega1, a2 * omega2, arms()); }
    Vec3 spin() const { return soft::relative_spin(a1 * omega1, a2 * omega2, arms()); }
    Vec3 rolling() const { return soft::rolling_velocity(n, spin(), arms()); }
    double torsion() const { return soft::torsion_velocity(n, spin(), arms()); }
};

Spheres random_spheres(Random& random) {
    Spheres pair{random.uniform(0.2, 3),   random.uniform(0.2, 3), random.uniform(0, 0.2),
                 random_direction(random), random_vector(random),  random_vector(random),
                 random_vector(random),    random_vector(random)};
    return pair;
}

TEST(SoftKinematics, VelocitiesOfTheSeed) {
    Random random = random_numbers(91);
    for (int trial = 0; trial < 500; ++trial) {
        const Spheres pair = random_spheres(random);
        // The points of both bodies in the middle of the overlap.
        const Vec3 at1 = pair.v1 + cross(pair.omega1, pair.arm1() * pair.n);
        const Vec3 at2 = pair.v2 - cross(pair.omega2, pair.arm2() * pair.n);
        ASSERT_LT(norm(pair.sliding() - tangential(at2 - at1, pair.n)), 1e-13);
        const double reduced = pair.arm1() * pair.arm2() / (pair.arm1() + pair.arm2());
        ASSERT_NEAR(pair.arms().reduced, reduced, 1e-14);
        const Vec3 eq19 = -reduced * (cross(pair.n, pair.omega2) - cross(pair.n, pair.omega1));
        ASSERT_LT(norm(pair.rolling() - eq19), 1e-13);
        ASSERT_NEAR(pair.torsion(), reduced * dot(pair.n, pair.omega2 - pair.omega1), 1e-13);
    }
}

TEST(SoftKinematics, RigidPairNeitherSlidesNorRolls) {
    Random random = random_numbers(92);
    for (int trial = 0; trial < 500; ++trial) {
        Spheres pair = random_spheres(random);
        ASSERT_GT(norm(pair.sliding()) + norm(pair.rolling()) + std::abs(pair.torsion()), 1e-3);
        pair.omega1 = pair.omega2 = random_vector(random);
        pair.v2 = pair.v1 + cross(pair.omega1, pair.apart());
        ASSERT_LT(norm(pair.sliding()), 1e-13);
        ASSERT_LT(norm(pair.rolling()), 1e-13);
        ASSERT_LT(std::abs(pair.torsion()), 1e-13);
    }
}

TEST(SoftKinematics, WallIsABodyWithoutCurvature) {
    Random random = random_numbers(93);
    for (int trial = 0; trial < 100; ++trial) {
        Spheres pair = random_spheres(random);
        pair.omega1 = {0, 0, 0};
        const auto arms = soft::arms_of(pair.overlap, 0.0, 1 / pair.a2);
        EXPECT_NEAR(arms.reduced, pair.arm2(), 1e-14);
        const Vec3 w2 = pair.a2 * pair.omega2, none{0, 0, 0};
        const Vec3 spin = soft::relative_spin(none, w2, arms);
        ASSERT_LT(norm(spin - pair.omega2), 1e-14);
        // Rolling without sliding: the surface moves back as fast as the centre moves on.
        const Vec3 v = pair.arm2() * cross(pair.omega2, pair.n);
        ASSERT_LT(norm(soft::sliding_velocity(pair.n, v, none, w2, arms)), 1e-13);
        ASSERT_LT(norm(soft::rolling_velocity(pair.n, spin, arms) - v), 1e-13);
        const auto loads = soft::pair_loads(pair.n, 2.0, v, v, 1.0, arms);
        const Vec3 couple = arms.reduced * (cross(pair.n, v) + pair.n);
        ASSERT_LT(norm(loads.turn2 - (cross(v, pair.n) * arms.share2 + (1 / pair.a2) * couple)), 1e-13);
        ASSERT_EQ(arms.share1, 1);
    }
}

TEST(SoftKinematics, ConservesMomentaAndBelongsToTheVelocities) {
    Random random = random_numbers(94);
    for (int trial = 0; trial < 500; ++trial) {
        const Spheres pair = random_spheres(random);
        const double normal = random.normal(), torsion = random.normal();
        const Vec3 sliding = tangential(random_vector(random), pair.n),
                   rolling = tangential(random_vector(random), pair.n);
        const auto loads = soft::pair_loads(pair.n, normal, sliding, rolling, torsion, pair.arms());
        const Vec3 torque1 = pair.a1 * loads.turn1, torque2 = pair.a2 * loads.turn2;
        // About body 1, with the force on body 2 and its opposite on body 1.
        ASSERT_LT(norm(torque1 + torque2 + cross(pair.apart(), loads.force)), 1e-13 * 30);
        const double power =
            dot(loads.force, pair.v2 - pair.v1) + dot(torque1, pair.omega1) + dot(torque2, pair.omega2);
        const double expected = normal * dot(pair.v2 - pair.v1, pair.n) + dot(sliding, pair.sliding()) +
                                dot(rolling, pair.rolling()) + torsion * pair.torsion();
        ASSERT_NEAR(power, expected, 1e-12);
        // [004 sec. 2.4.1]: the torques of friction are parallel, in the ratio of the arms.
        const auto friction = soft::pair_loads(pair.n, normal, sliding, pair.arms());
        ASSERT_LT(norm(pair.a2 * friction.turn2 + pair.arm2() * cross(pair.n, sliding)), 1e-13);
        ASSERT_LT(norm(pair.arm2() * pair.a1 * friction.turn1 - pair.arm1() * pair.a2 * friction.turn2),
                  1e-12);
    }
}

TEST(SoftKinematics, LanesEqualScalars) {
    Random random = random_numbers(95);
    const auto put = [](PackVec3& pack, int lane, const Vec3& v) {
        pack.x.raw[lane] = v.x, pack.y.raw[lane] = v.y, pack.z.raw[lane] = v.z;
    };
    const auto got = [](const PackVec3& pack, int lane) {
        return Vec3{pack.x[lane], pack.y[lane], pack.z[lane]};
    };
    for (int trial = 0; trial < 300; ++trial) {
        std::array<Spheres, lanes> all;
        PackVec3 n, v, w1, w2;
        Pack overlap, inverse1, inverse2;
        for (int lane = 0; lane < lanes; ++lane) {
            Spheres& one = all[static_cast<std::size_t>(lane)] = random_spheres(random);
            put(n, lane, one.n), put(v, lane, one.v2 - one.v1);
            put(w1, lane, one.a1 * one.omega1), put(w2, lane, one.a2 * one.omega2);
            overlap.raw[lane] = one.overlap, inverse1.raw[lane] = 1 / one.a1, inverse2.raw[lane] = 1 / one.a2;
        }
        const auto arms = soft::arms_of(overlap, inverse1, inverse2);
        const PackVec3 spin = soft::relative_spin(w1, w2, arms),
                       sliding = soft::sliding_velocity(n, v, w1, w2, arms);
        const PackVec3 rolling = soft::rolling_velocity(n, spin, arms);
        const Pack torsion = soft::torsion_velocity(n, spin, arms);
        const auto loads = soft::pair_loads(n, overlap, sliding, rolling, torsion, arms);
        for (int lane = 0; lane < lanes; ++lane) {
            const Spheres& one = all[static_cast<std::size_t>(lane)];
            ASSERT_EQ(got(sliding, lane), one.sliding());
            ASSERT_EQ(got(rolling, lane), one.rolling());
            ASSERT_EQ(torsion[lane], one.torsion());
            const auto own =
                soft::pair_loads(one.n, one.overlap, one.sliding(), one.rolling(), one.torsion(), one.arms());
            ASSERT_EQ(got(loads.force, lane), own.force);
            ASSERT_EQ(got(loads.turn1, lane), own.turn1);
            ASSERT_EQ(got(loads.turn2, lane), own.turn2);
        }
    }
    EXPECT_TRUE(std::isfinite(soft::arms_of(-1.0, 0.0, 0.0).reduced)); // nobody's lane
}

} // namespace
