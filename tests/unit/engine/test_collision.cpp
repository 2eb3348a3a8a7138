#include <algorithm>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "setups.hpp"

// Collisions of two spheres, step by step against the discrete scheme [000 eq. 1.1-1.2, 1.8-1.11, 1.12-1.30].
namespace {

using namespace tamp;
using namespace tamp::checks;
using namespace tamp::setups;

TEST(Collision, CentralHitTakesTwoSteps) {
    const double dt = 1e-3, r1 = 0.01, r2 = 0.02;
    const double gap = 0.0033; // closing speed 1.5: two free steps, 0.3 mm are left for the third
    const RigidSetup setup = open_space(1.0, 0.5, dt);
    const std::vector<Grain> grains{grain(0, {-r1, 0, 0}, r1, {1, 0, 0}),
                                    grain(1, {r2 + gap, 0, 0}, r2, {-0.5, 0, 0})};
    const double m1 = mass_of(grains[0]), m2 = mass_of(grains[1]), reduced = m1 * m2 / (m1 + m2);
    RigidRun engine(world(), setup, grains);

    double g = gap, x1 = -r1, x2 = r2 + gap, v1 = 1, v2 = -0.5;
    std::vector<double> relative;
    for (int step = 1; step <= 6; ++step) {
        const StepReport report = engine.step(for_ever);
        EXPECT_EQ(report.time_step, dt);
        const double speed = v2 - v1, new_speed = std::max(-g / dt, speed); // eq. 1.10
        const double impulse = std::max(0.0, -reduced * (g / dt + speed));  // eq. 1.11
        v1 -= impulse / m1;
        v2 += impulse / m2;
        x1 += v1 * dt;
        x2 += v2 * dt;
        g += new_speed * dt;
        relative.push_back(new_speed);
        const auto now = grains_of(engine);
        EXPECT_LT(norm(now.at(0).velocity - Vec3{v1, 0, 0}), 1e-13) << "step " << step;
        EXPECT_LT(norm(now.at(1).velocity - Vec3{v2, 0, 0}), 1e-13) << "step " << step;
        EXPECT_LT(norm(now.at(0).position - Vec3{x1, 0, 0}), 1e-15) << "step " << step;
        EXPECT_LT(norm(now.at(1).position - Vec3{x2, 0, 0}), 1e-15) << "step " << step;
        EXPECT_EQ(now.at(0).spin, (Vec3{0, 0, 0}));
        EXPECT_NEAR(engine.time(), step * dt, 1e-15);
    }
    // Free, free, the gap closes, stuck together for ever.
    EXPECT_NEAR(relative[1], -1.5, 1e-15);
    EXPECT_NEAR(relative[2], -0.3, 1e-12);
    for (std::size_t step = 3; step < 6; ++step)
        EXPECT_LT(std::abs(relative[step]), 1e-12); // round-off of positions over dt
    EXPECT_NEAR(grains_of(engine).at(0).velocity.x, (m1 * 1 - m2 * 0.5) / (m1 + m2), 1e-13);
}

TEST(Collision, MissAndSeparationAreFree) {
    const RigidSetup setup = open_space(1.0, 0.5, 1e-3);
    RigidRun engine(world(), setup,
                    std::vector<Grain>{grain(0, {0, 0, 0}, 0.01, {1, 0, 0}),
                                       grain(1, {0.03, 0.0201, 0}, 0.01), grain(2, {0.1, 0, 0}, 0.01),
                                       grain(3, {0.12, 0, 0}, 0.01, {0.5, 0, 0})});
    for (int step = 1; step <= 60; ++step)
        engine.step(for_ever);
    const auto now = grains_of(engine);
    EXPECT_EQ(now.at(0).velocity, (Vec3{1, 0, 0})); // passes 0.1 mm below
    EXPECT_EQ(now.at(2).velocity, (Vec3{0, 0, 0})); // touches, but its partner leaves
    EXPECT_EQ(now.at(3).velocity, (Vec3{0.5, 0, 0}));
    EXPECT_NEAR(now.at(0).position.x, 0.06, 1e-15);
}

TEST(Collision, StepEndsAtTheEndTime) {
    const RigidSetup setup = open_space(1.0, 0.0, 1e-3);
    const auto steps_until = [&](double end) {
        RigidRun engine(world(), setup, std::vector<Grain>{grain(0, {0, 0, 0}, 0.01, {1, 0, 0})});
        std::vector<double> steps;
        while (engine.time() < end)
            steps.push_back(engine.step(end).time_step);
        EXPECT_EQ(engine.time(), end);
        EXPECT_NEAR(grains_of(engine).at(0).position.x, end, 1e-17);
        return steps;
    };
    const auto expect_steps = [](const std::vector<double>& steps, const std::vector<double>& expected) {
        ASSERT_EQ(steps.size(), expected.size());
        for (std::size_t i = 0; i < steps.size(); ++i)
            EXPECT_NEAR(steps[i], expected[i], 1e-17);
    };
    expect_steps(steps_until(3e-3), {1e-3, 1e-3, 1e-3});
    expect_steps(steps_until(0.4e-3), {0.4e-3});
    expect_steps(steps_until(2.5e-3), {1e-3, 0.75e-3, 0.75e-3}); // what is left is shared evenly
}

/// The pair in the letters of the seed: levers, spins, moments of inertia.
struct Pair {
    Grain one, two;
    double mu, dt;
    int dimension;
    enum { open, stick, slip } last = open;

    void step() {
        const Vec3 branch = two.position - one.position, n = branch * (1 / norm(branch));
        const double gap = norm(branch) - one.radius - two.radius, closing = std::max(gap, 0.0) / dt;
        const double m1 = mass_of(one, dimension), m2 = mass_of(two, dimension);
        const double share = dimension == 3 ? 0.4 : 0.5;
        const double i1 = share * m1 * one.radius * one.radius, i2 = share * m2 * two.radius * two.radius;
        const Vec3 l1 = one.radius * n, l2 = -two.radius * n;
        const Vec3 free = two.velocity + cross(two.spin, l2) - one.velocity - cross(one.spin, l1); // eq. 1.14
        last = open;
        if (dot(free, n) + closing < 0) {
            const double m_n = 1 / (1 / m1 + 1 / m2),
                         m_t = 1 / (1 / m_n + dot(l1, l1) / i1 + dot(l2, l2) / i2);
            const double p_n = -m_n * (dot(free, n) + closing);
            Vec3 p_t = -m_t * tangential(free, n);
            last = norm(p_t) > mu * p_n ? slip : stick;
            if (last == slip)
                p_t *= mu * p_n / norm(p_t);
            const Vec3 p = p_n * n + p_t;
            one.velocity -= (1 / m1) * p;
            two.velocity += (1 / m2) * p;
            one.spin -= (1 / i1) * cross(l1, p); // eq. 1.12
            two.spin += (1 / i2) * cross(l2, p);
        }
        one.position += dt * one.velocity;
        two.position += dt * two.velocity;
    }
};

/// The two fly at each other with any offset and any spin.
Pair random_pair(Random& random, double mu, int dimension) {
    const double r1 = random.uniform(0.005, 0.015), r2 = random.uniform(0.005, 0.015);
    const auto flat = [&](Vec3 v) { return dimension == 3 ? v : Vec3{v.x, v.y, 0}; };
    Vec3 n = flat(random_direction(random));
    n *= 1 / norm(n);
    const Vec3 velocity = -n + 0.5 * flat(random_vector(random));
    const auto spin = [&] {
        return dimension == 3 ? 30.0 * random_vector(random) : Vec3{0, 0, 50 * random.normal()};
    };
    return {grain(0, {0, 0, 0}, r1, 0.1 * flat(random_vector(random)), spin()),
            grain(1, (r1 + r2 + 0.0025) * n, r2, velocity, spin()), mu, 1e-3, dimension};
}

void expect_same(const Grain& actual, const Grain& expected) {
    EXPECT_LT(norm(actual.position - expected.position), 1e-15);
    EXPECT_LT(norm(actual.velocity - expected.velocity), 2e-13);
    EXPECT_LT(norm(actual.spin - expected.spin) * expected.radius, 2e-13);
}

TEST(Collision, ObliqueHitWithFriction) {
    for (const int dimension : {3, 2})
        for (const double mu : {0.0, 0.1, 0.5}) {
            int stuck = 0, slipped = 0;
            for (std::uint64_t seed = 1; seed <= 15; ++seed) {
                Random random = random_numbers(seed);
                Pair expected = random_pair(random, mu, dimension);
                const RigidSetup setup = open_space(1.0, mu, expected.dt, dimension);
                RigidRun engine(world(), setup, std::vector<Grain>{expected.one, expected.two});
                for (int step = 1; step <= 8; ++step) {
                    SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
                    engine.step(for_ever);
                    expected.step();
                    stuck += expected.last == Pair::stick;
                    slipped += expected.last == Pair::slip;
                    const auto now = grains_of(engine);
                    expect_same(now.at(0), expected.one);
                    expect_same(now.at(1), expected.two);
                }
            }
            EXPECT_TRUE(mu == 0 || stuck > 0);
            EXPECT_GT(slipped, 0);
        }
}

} // namespace
