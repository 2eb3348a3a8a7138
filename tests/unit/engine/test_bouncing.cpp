#include <cmath>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "floor.hpp"

// Restitution, step by step against the discrete scheme.
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::setups;

constexpr double g = Floor::g, radius = Floor::radius;

/// A particle that falls on a floor: [003 eq. 4-6], rebound in the step in which the gap would close.
struct Bouncer {
    double e, least_speed, dt, gap, speed; ///< speed: upwards
    enum { flies, rebounds, lands } last = flies;

    void step() {
        const double free = speed - g * dt;
        const bool hits = speed < -least_speed && gap < -speed * dt;
        const double allowed = hits ? e * speed : std::max(gap, 0.0) / dt;
        last = free >= -allowed ? flies : hits ? rebounds : lands;
        speed = std::max(free, -allowed);
        gap += speed * dt;
    }
};

class Bouncing : public testing::TestWithParam<int> {};

TEST_P(Bouncing, FollowsTheDiscreteScheme) {
    const Floor floor(GetParam());
    const double dt = 1e-4, height = 0.02, least = 0.05;
    for (const double e : {0.9, 0.5}) {
        RigidRun engine =
            floor.engine({.restitution = e, .restitution_speed = least}, 0, dt, {0, 0, 0}, {0, 0, 0}, height);
        Bouncer expected{e, least, dt, height, 0};
        int bounces = 0;
        double peak = 0;
        for (int n = 1; n <= 15000; ++n) {
            engine.step(for_ever);
            const double before = expected.speed;
            expected.step();
            const Grain now = grains_of(engine).at(0);
            ASSERT_NEAR(dot(now.velocity, floor.up), expected.speed, 1e-10)
                << "step " << n; // round-off of positions over dt
            ASSERT_NEAR(dot(now.position, floor.up) - radius, expected.gap, 1e-12) << "step " << n;
            if (expected.last == Bouncer::rebounds) {
                ASSERT_NEAR(dot(now.velocity, floor.up), -e * before, 1e-10);
                // Heights are e^2n of the first one, up to a share of dt v.
                if (bounces > 0) {
                    const double ideal = height * std::pow(e, 2 * bounces);
                    EXPECT_NEAR(peak, ideal, 4 * bounces * dt * std::sqrt(2 * g * ideal)) << bounces;
                }
                ++bounces;
                peak = 0;
            }
            peak = std::max(peak, expected.gap);
        }
        // v_n = e^n sqrt(2 g h) is below the least speed after so many bounces: then it rests.
        const double first = std::sqrt(2 * g * height);
        EXPECT_NEAR(bounces, std::ceil(std::log(least / first) / std::log(e)), 1);
        const Grain now = grains_of(engine).at(0);
        EXPECT_LT(std::abs(dot(now.velocity, floor.up)), 1e-12);
        EXPECT_NEAR(dot(now.position, floor.up), radius, 1e-14);
        EXPECT_NEAR(dot(engine.walls()[0].reaction, floor.up), -floor.mass() * g, 1e-9 * floor.mass() * g);
    }
}

TEST_P(Bouncing, BetweenTwoWallsTheSpeedFallsAsAPower) {
    const Floor floor(GetParam());
    const double e = 0.8, dt = 1e-3;
    RigidSetup setup = floor.setup({.friction = 0.5, .restitution = e}, 0, dt);
    setup.gravity = {0, 0, 0};
    setup.walls.push_back(wall((2 * radius + 0.01) * floor.up, -floor.up));
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, (radius + 0.005) * floor.up, radius, floor.up)});
    int hits = 0;
    double last = 1;
    for (int n = 1; n <= 400; ++n) {
        engine.step(for_ever);
        const double now = dot(grains_of(engine).at(0).velocity, floor.up);
        hits += now * last < 0;
        last = now;
        ASSERT_NEAR(now, (hits % 2 ? -1 : 1) * std::pow(e, hits), 1e-14) << "step " << n;
    }
    EXPECT_GT(hits, 8);
}

TEST_P(Bouncing, ElasticBouncesKeepTheEnergy) {
    // The scheme keeps v^2/2 + g z - g v dt/2 in flight, and a rebound with e = 1, which comes v dt early,
    // keeps it as well. Only a landing between steps loses some; nothing gains any.
    const Floor floor(GetParam());
    const double dt = 1e-4;
    RigidRun engine = floor.engine({.restitution = 1}, 0, dt, {0, 0, 0}, {0, 0, 0}, 0.02);
    Bouncer copy{1, 0, dt, 0.02, 0};
    const auto energy = [&] {
        const Grain now = grains_of(engine).at(0);
        const double v = dot(now.velocity, floor.up), z = dot(now.position, floor.up) - radius;
        return 0.5 * v * v + g * z - 0.5 * g * v * dt;
    };
    double last = energy();
    const double start = last;
    int bounces = 0;
    for (int n = 1; n <= 10000; ++n) {
        engine.step(for_ever);
        copy.step();
        bounces += copy.last == Bouncer::rebounds;
        const double now = energy();
        ASSERT_LE(now, last + 1e-12) << "step " << n;
        if (copy.last != Bouncer::lands) {
            ASSERT_NEAR(now, last, 1e-12) << "step " << n;
        }
        last = now;
    }
    EXPECT_GE(bounces, 7);
    EXPECT_GT(last, 0.99 * start);
}

TEST_P(Bouncing, ObliqueImpactWithSpin) {
    // One impact on a floor, without gravity. The contact's velocity u = v - r omega sticks, or turns around
    // by e_t; or it slips with mu p_n. The spin takes kappa times the change of velocity.
    const Floor floor(GetParam());
    const double dt = 1e-3;
    Random random = random_numbers(71);
    int stuck = 0, slipped = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const ContactLaws laws{.friction = random.uniform(0, 1),
                               .restitution = random.uniform(0, 1),
                               .tangential_restitution = random.below(3) ? random.uniform(0, 1) : 0.0};
        RigidSetup setup = floor.setup(laws, 0, dt);
        setup.gravity = {0, 0, 0};
        const double fall = random.uniform(0.5, 2), along = random.normal(), surface = random.normal();
        const double gap = random.uniform(0, 0.99) * fall * dt;
        RigidRun engine(world(), setup,
                        std::vector<Grain>{grain(0, (radius + gap) * floor.up, radius,
                                                 along * Vec3{1, 0, 0} - fall * floor.up,
                                                 (surface / radius) * floor.axle)});
        engine.step(for_ever);
        // Without restitution the gap is closed, and no more.
        const double normal = laws.restitution > 0 ? (1 + laws.restitution) * fall : fall - gap / dt;
        const double slip = along - surface;
        double push = -(1 + laws.tangential_restitution) * slip / (1 + floor.kappa);
        const bool slips = std::abs(push) > laws.friction * normal;
        ++(slips ? slipped : stuck);
        if (slips)
            push = std::copysign(laws.friction * normal, push);
        const Grain now = grains_of(engine).at(0);
        ASSERT_NEAR(dot(now.velocity, floor.up), normal - fall, 1e-13);
        ASSERT_NEAR(now.velocity.x, along + push, 1e-13) << "trial " << trial;
        ASSERT_NEAR(dot(now.spin, floor.axle) * radius, surface - floor.kappa * push, 1e-13);
        if (!slips) {
            ASSERT_NEAR(now.velocity.x - dot(now.spin, floor.axle) * radius,
                        -laws.tangential_restitution * slip, 1e-13);
        }
    }
    EXPECT_GT(stuck, 40);
    EXPECT_GT(slipped, 40);
}

TEST_P(Bouncing, TwoParticlesOfDifferentSize) {
    const int dimension = GetParam();
    const double kappa = dimension == 3 ? 2.5 : 2.0, dt = 5e-4;
    Random random = random_numbers(72);
    const auto flat = [&](const Vec3& v) { return dimension == 3 ? v : Vec3{v.x, v.y, 0}; };
    const auto axial = [&](const Vec3& v) { return dimension == 3 ? v : Vec3{0, 0, v.z}; };
    for (int trial = 0; trial < 200; ++trial) {
        const ContactLaws laws{.friction = random.uniform(0, 1),
                               .restitution = random.uniform(0.1, 1),
                               .tangential_restitution = random.uniform(0, 1)};
        Vec3 n = flat(random_vector(random));
        n *= 1 / norm(n);
        const double r1 = random.uniform(0.005, 0.015), r2 = random.uniform(0.005, 0.015);
        const double speed = random.uniform(0.5, 1.5), gap = random.uniform(0, 0.9) * speed * dt;
        const Vec3 frame = 0.3 * flat(random_vector(random));
        const Grain one = grain(0, {0, 0, 0}, r1, frame, axial(30.0 * random_vector(random)));
        const Grain two = grain(1, (r1 + r2 + gap) * n, r2,
                                frame - speed * n + tangential(0.5 * flat(random_vector(random)), n),
                                axial(30.0 * random_vector(random)));
        RigidRun engine(world(), with_laws(open_space(0.5, 0, dt, dimension), laws),
                        std::vector<Grain>{one, two});
        const double energy = conserved(engine).energy;
        engine.step(for_ever);

        const double m1 = mass_of(one, dimension), m2 = mass_of(two, dimension), m = m1 * m2 / (m1 + m2);
        const Vec3 slip =
            tangential(two.velocity - one.velocity, n) - cross(r1 * one.spin + r2 * two.spin, n);
        const double p_n = m * (1 + laws.restitution) * speed;
        Vec3 p_t = (-m / (1 + kappa) * (1 + laws.tangential_restitution)) * slip;
        if (norm(p_t) > laws.friction * p_n)
            p_t *= laws.friction * p_n / norm(p_t);
        const Vec3 p = p_n * n + p_t;
        const auto now = grains_of(engine);
        ASSERT_LT(norm(now.at(0).velocity - (one.velocity - (1 / m1) * p)), 1e-12);
        ASSERT_LT(norm(now.at(1).velocity - (two.velocity + (1 / m2) * p)), 1e-12);
        ASSERT_LT(norm(now.at(0).spin - (one.spin - (kappa / (m1 * r1)) * cross(n, p))) * r1, 1e-12);
        ASSERT_LT(norm(now.at(1).spin - (two.spin - (kappa / (m2 * r2)) * cross(n, p))) * r2, 1e-12);
        ASSERT_LE(conserved(engine).energy, energy * (1 + 1e-12));
    }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Bouncing, testing::Values(3, 2));

TEST(Cradle, AllBallsButTheStrikerLeaveTogether) {
    // Contact dynamics solves all contacts at once: a row of touching balls is one body for the striker. With
    // e = 1 the striker's contact opens with its closing speed v and the others stay closed, hence -(n - 2)/n
    // v for the striker and 2/n v for all others, n balls in all. Momentum and energy are those before, but
    // it is not the sequence of binary collisions that sends only the last ball away.
    for (const int n : {2, 3, 5}) {
        const double v = 0.5, dt = 1e-3;
        std::vector<Grain> balls{grain(0, {-0.2 - 0.7 * v * dt, 0, 0}, radius, {v, 0, 0})};
        for (int i = 1; i < n; ++i)
            balls.push_back(grain(static_cast<std::uint64_t>(i), {-0.2 + 2 * radius * i, 0, 0}, radius));
        RigidRun engine(world(), with_laws(open_space(0.5, 0, dt), {.restitution = 1}), balls);
        const Conserved before = conserved(engine);
        for (int step = 1; step <= 5; ++step) {
            engine.step(for_ever);
            const auto now = grains_of(engine);
            ASSERT_NEAR(now.at(0).velocity.x, -v * (n - 2) / n, 1e-11) << n << " balls";
            for (int i = 1; i < n; ++i)
                ASSERT_NEAR(now.at(static_cast<std::uint64_t>(i)).velocity.x, 2 * v / n, 1e-11)
                    << n << " balls";
        }
        EXPECT_NEAR(conserved(engine).energy / before.energy, 1, 1e-10);
        EXPECT_NEAR(conserved(engine).momentum.x / before.momentum.x, 1, 1e-10);
    }
}

} // namespace
