#include "tamp/solver/kernel.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "../laws/random_vectors.hpp"
#include "tamp/base/pack.hpp"

namespace {

using namespace tamp;
using namespace tamp::checks;

constexpr int pair_count = lanes, null_lane = 5;
constexpr double sphere = 2.5, disc = 2.0; // kappa

std::vector<Body> random_bodies(Random& random, std::size_t count) {
    std::vector<Body> bodies(count + 1); // and the null body
    for (std::size_t i = 0; i < count; ++i)
        bodies[i] = {random_vector(random), random.uniform(0.2, 2.0), random_vector(random),
                     random.uniform(0.5, 3.0)};
    return bodies;
}

void set(double (&values)[3][lanes], int lane, const Vec3& v) {
    for (int axis = 0; axis < 3; ++axis)
        values[axis][lane] = v[axis];
}

Vec3 get(const double (&values)[3][lanes], int lane) {
    return {values[0][lane], values[1][lane], values[2][lane]};
}

/// Bodies `first` + i and `second` + i, one lane of nothing.
ContactBatch random_batch(Random& random, int first, int second, std::size_t null_body) {
    ContactBatch batch{};
    for (int lane = 0; lane < lanes; ++lane) {
        batch.first[lane] = first + lane;
        batch.second[lane] = second + lane;
        const Vec3 n = random_direction(random);
        set(batch.normal, lane, n);
        const double p_n = random.uniform();
        batch.friction[lane] = random.uniform();
        set(batch.impulse, lane,
            p_n * n + 0.2 * batch.friction[lane] * p_n * tangential(random_direction(random), n));
        batch.closing_speed[lane] = random.uniform() < 0.5 ? 0.0 : random.uniform();
    }
    batch.first[null_lane] = batch.second[null_lane] = static_cast<std::int32_t>(null_body);
    set(batch.normal, null_lane, {0, 0, 0});
    set(batch.impulse, null_lane, {0, 0, 0});
    batch.closing_speed[null_lane] = never_closes;
    batch.friction[null_lane] = 0;
    return batch;
}

struct Motion {
    Vec3 velocity, spin;
};

/// One contact in the letters of [000 eq. 1.12-1.30]: levers, spins and moments of inertia instead of r
/// omega.
struct Reference {
    double m1, m2, r1, r2, I1, I2;
    Motion one, two;
    Vec3 n, impulse;

    Reference(const Body& a, const Body& b, const Vec3& normal, const Vec3& start, double kappa)
        : m1(1 / a.inverse_mass), m2(1 / b.inverse_mass), r1(1 / a.inverse_radius), r2(1 / b.inverse_radius),
          I1(m1 * r1 * r1 / kappa),
          I2(m2 * r2 * r2 / kappa), one{a.velocity, a.surface * a.inverse_radius}, two{b.velocity,
                                                                                       b.surface *
                                                                                           b.inverse_radius},
          n(normal), impulse(start) {}

    void push(const Vec3& p) {
        const Vec3 l1 = r1 * n, l2 = -r2 * n;
        one.velocity -= (1 / m1) * p;
        two.velocity += (1 / m2) * p;
        one.spin -= (1 / I1) * cross(l1, p);
        two.spin += (1 / I2) * cross(l2, p);
    }

    Vec3 relative_velocity() const {
        const Vec3 l1 = r1 * n, l2 = -r2 * n;
        return two.velocity + cross(two.spin, l2) - one.velocity - cross(one.spin, l1);
    }

    void relax(double closing_speed, double mu) {
        push(-impulse);
        impulse = {0, 0, 0};
        const Vec3 free = relative_velocity();
        const double m_n = 1 / (1 / m1 + 1 / m2), m_t = 1 / (1 / m_n + r1 * r1 / I1 + r2 * r2 / I2);
        const double p_n = -m_n * (dot(free, n) + closing_speed);
        if (p_n > 0) {
            Vec3 p_t = -m_t * tangential(free, n);
            if (norm(p_t) > mu * p_n)
                p_t *= mu * p_n / norm(p_t);
            impulse = p_n * n + p_t;
        }
        push(impulse);
    }
};

bool same_bits(const std::vector<Body>& a, const std::vector<Body>& b) {
    const auto same = [](const Body& x, const Body& y) {
        return x.velocity == y.velocity && x.surface == y.surface && x.inverse_mass == y.inverse_mass &&
               x.inverse_radius == y.inverse_radius;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

TEST(Kernel, RelaxesEveryLaneByTheTextbook) {
    for (const double kappa : {sphere, disc})
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            Random random = random_numbers(seed);
            std::vector<Body> bodies = random_bodies(random, 2 * pair_count);
            const std::vector<Body> before = bodies;
            ContactBatch batch = random_batch(random, 0, pair_count, bodies.size() - 1);
            const ContactBatch start = batch;
            relax(bodies, {&batch, 1}, kappa);
            for (int lane = 0; lane < lanes; ++lane) {
                if (lane == null_lane)
                    continue;
                const auto i = static_cast<std::size_t>(batch.first[lane]),
                           j = static_cast<std::size_t>(batch.second[lane]);
                Reference expected(before[i], before[j], get(start.normal, lane), get(start.impulse, lane),
                                   kappa);
                expected.relax(start.closing_speed[lane], start.friction[lane]);
                ASSERT_LT(norm(get(batch.impulse, lane) - expected.impulse), 1e-13);
                ASSERT_LT(norm(bodies[i].velocity - expected.one.velocity), 1e-13);
                ASSERT_LT(norm(bodies[j].velocity - expected.two.velocity), 1e-13);
                ASSERT_LT(norm(bodies[i].surface - expected.r1 * expected.one.spin), 1e-13);
                ASSERT_LT(norm(bodies[j].surface - expected.r2 * expected.two.spin), 1e-13);
                ASSERT_EQ(bodies[i].inverse_mass, before[i].inverse_mass);
                ASSERT_EQ(bodies[j].inverse_radius, before[j].inverse_radius);
            }
        }
}

TEST(Kernel, NullLaneChangesNothing) {
    Random random = random_numbers(1);
    std::vector<Body> bodies = random_bodies(random, 2 * pair_count);
    const std::vector<Body> before = bodies;
    ContactBatch batch = random_batch(random, 0, pair_count, bodies.size() - 1);
    relax(bodies, {&batch, 1}, sphere);
    EXPECT_EQ(get(batch.impulse, null_lane), (Vec3{0, 0, 0}));
    for (const std::size_t i :
         {std::size_t{null_lane}, std::size_t{null_lane + pair_count}, bodies.size() - 1}) {
        EXPECT_EQ(bodies[i].velocity, before[i].velocity);
        EXPECT_EQ(bodies[i].surface, before[i].surface);
    }
}

TEST(Kernel, KeepsMomentumAndAngularMomentum) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Random random = random_numbers(seed);
        std::vector<Body> bodies = random_bodies(random, 2 * pair_count);
        ContactBatch batch = random_batch(random, 0, pair_count, bodies.size() - 1);
        // Each pair touches somewhere.
        std::vector<Vec3> position(bodies.size(), Vec3{0, 0, 0});
        for (int lane = 0; lane < lanes; ++lane) {
            const auto i = static_cast<std::size_t>(lane), j = i + pair_count;
            position[i] = random_vector(random);
            position[j] = position[i] + (1 / bodies[i].inverse_radius + 1 / bodies[j].inverse_radius) *
                                            get(batch.normal, lane);
        }
        const auto totals = [&] {
            Motion sum{{0, 0, 0}, {0, 0, 0}};
            for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
                const double m = 1 / bodies[i].inverse_mass, r = 1 / bodies[i].inverse_radius;
                sum.velocity += m * bodies[i].velocity;
                sum.spin += cross(position[i], m * bodies[i].velocity) + (m * r / sphere) * bodies[i].surface;
            }
            return sum;
        };
        const Motion before = totals();
        relax(bodies, {&batch, 1}, sphere);
        const Motion after = totals();
        EXPECT_LT(norm(after.velocity - before.velocity), 1e-13);
        EXPECT_LT(norm(after.spin - before.spin), 1e-12);
    }
}

TEST(Kernel, TakesBatchesInTheOrderAsked) {
    Random random = random_numbers(3);
    const std::vector<Body> start = random_bodies(random, 2 * pair_count);
    std::vector<ContactBatch> batches; // they share bodies, so that the order matters
    for (int b = 0; b < 4; ++b) {
        batches.push_back(random_batch(random, 0, pair_count, start.size() - 1));
        for (int lane = 0; lane < lanes; ++lane)
            if (lane != null_lane)
                batches.back().second[lane] = pair_count + (lane + b) % lanes;
    }
    const auto by_hand = [&](std::vector<std::size_t> order) {
        std::vector<Body> bodies = start;
        std::vector<ContactBatch> copy = batches;
        for (const std::size_t b : order)
            relax(bodies, {&copy[b], 1}, sphere);
        return bodies;
    };
    const auto run = [&](auto pass) {
        std::vector<Body> bodies = start;
        std::vector<ContactBatch> copy = batches;
        pass(bodies, copy);
        return bodies;
    };
    const std::vector<std::int32_t> order{2, 0, 3, 1};
    const std::vector<Body> forward = run([](auto& b, auto& c) { relax(b, c, sphere); });
    const std::vector<Body> backward = run([](auto& b, auto& c) { relax_backward(b, c, sphere); });
    const std::vector<Body> shuffled = run([&](auto& b, auto& c) { relax_in_order(b, c, order, sphere); });
    EXPECT_TRUE(same_bits(forward, by_hand({0, 1, 2, 3})));
    EXPECT_TRUE(same_bits(backward, by_hand({3, 2, 1, 0})));
    EXPECT_TRUE(same_bits(shuffled, by_hand({2, 0, 3, 1})));
    EXPECT_FALSE(same_bits(forward, backward));
}

TEST(Kernel, ApplyGivesTheStartingImpulses) {
    Random random = random_numbers(4);
    std::vector<Body> bodies = random_bodies(random, 2 * pair_count);
    const std::vector<Body> before = bodies;
    const ContactBatch batch = random_batch(random, 0, pair_count, bodies.size() - 1);
    apply(bodies, {&batch, 1}, sphere);
    for (int lane = 0; lane < lanes; ++lane) {
        if (lane == null_lane)
            continue;
        const auto i = static_cast<std::size_t>(lane), j = i + pair_count;
        Reference expected(before[i], before[j], get(batch.normal, lane), {0, 0, 0}, sphere);
        expected.push(get(batch.impulse, lane));
        EXPECT_LT(norm(bodies[i].velocity - expected.one.velocity), 1e-14);
        EXPECT_LT(norm(bodies[j].surface - expected.r2 * expected.two.spin), 1e-14);
    }
}

} // namespace
