#include "tamp/particles/growth.hpp"

#include <gtest/gtest.h>

#include "tamp/particles/store.hpp"

namespace tamp {
namespace {

TEST(Grown, OneGrowthAfterTheOther) {
    const Grown first{1.5, 0.25}, second{2, -0.5}, both = first.then(second);
    for (const double radius : {0.5, 1.0, 3.0}) {
        EXPECT_EQ(both(radius), second(first(radius)));
        EXPECT_EQ(both.before(both(radius)), radius);
    }
    EXPECT_EQ(both.since(first), second);
    EXPECT_EQ(both.since({}), both);
    EXPECT_EQ(both.since(both), Grown{});
}

TEST(Growth, IsTheSolutionOfItsEquation) {
    const Growth linear{.rate = 0.25}, exponential{.relative_rate = 2};
    EXPECT_EQ(linear.over(2)(1), 1.5);
    EXPECT_DOUBLE_EQ(exponential.over(0.5)(3), 3 * std::exp(1));
    EXPECT_EQ(Growth{}.over(7), Grown{});
    EXPECT_FALSE(Growth{}.any());
}

/// Searches and margins rely on it.
TEST(Growth, NoSurfaceMovesFasterThanItsSpeed) {
    for (const Growth growth : {Growth{.rate = 0.3}, Growth{.relative_rate = 2}})
        for (const double time : {1e-6, 1e-2, 1.0}) {
            const double after = growth.over(time)(0.5);
            EXPECT_LE(after - 0.5, growth.speed(after) * time * (1 + 1e-9)) << time;
        }
}

/// 1000 steps at both paces: da/dt = g and da/dt = r a; mass and inertia follow, velocities stay.
TEST(ParticleStore, GrowsAllButFixedParticles) {
    const MaterialTable materials({{"glass", 2500, 0.3}, {"rough", 2500, 0.5, true}});
    const Vec3 velocity{1, -2, 3}, spin{4, 5, -6};
    for (const int dimension : {2, 3}) {
        ParticleStore store(materials, dimension);
        store.resize(2);
        for (std::size_t i = 0; i < 2; ++i)
            store.set(i, Grain{.id = i,
                               .radius = 0.5,
                               .velocity = velocity,
                               .spin = spin,
                               .material = static_cast<std::int64_t>(i)});
        for (int step = 0; step < 1000; ++step)
            store.grow(Growth{.rate = 0.5}.over(1e-3));
        EXPECT_NEAR(store.sphere[0].radius, 1, 1e-13);
        for (int step = 0; step < 1000; ++step)
            store.grow(Growth{.relative_rate = 0.7}.over(1e-3));
        EXPECT_NEAR(store.sphere[0].radius, std::exp(0.7), 1e-12);
        EXPECT_EQ(store.mass(0), 1 / (1 / grain_mass(2500, store.sphere[0].radius, dimension)));
        EXPECT_EQ(store.body[0].inverse_radius, 1 / store.sphere[0].radius);
        EXPECT_EQ(store.body[0].velocity, velocity);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(store.grain(0).spin[axis], spin[axis], 1e-12);
        EXPECT_EQ(store.sphere[1].radius, 0.5);
        EXPECT_TRUE(store.is_fixed(1));
    }
}

} // namespace
} // namespace tamp
